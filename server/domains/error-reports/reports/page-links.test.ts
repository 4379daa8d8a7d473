import { expect, test } from 'vitest'
import { contentTypes } from '#events/content-types.ts'
import { pagesOf, type Report } from './report.ts'

const report = (fields: object) =>
  ({ actionObjectId: 7, targetContentType: null, targetObjectId: null, links: null, ...fields }) as unknown as Report

test.each([
  ['package', '/packages/7'],
  ['shipment', '/shipments/7'],
  ['transfer', '/transfers/7'],
  ['stocklocation', '/stock_locations/7'],
  // The number of an order is the channel's where others report it.
  ['order', null],
  ['delivery', null],
  ['product', null],
] as const)('a %s that others report leads to %s', (type, path) => {
  const { action, target } = pagesOf(report({ actionContentType: contentTypes[type] }))
  expect(action).toEqual(path === null ? null : { content_type: type, id: '7', path })
  expect(target).toBeNull()
})

test.each([
  ['delivery', '/whisperer/hook_events/7/', '/deliveries/7'],
  ['webhook', '/elsewhere/hooks/7/', '/hooks/7'],
  ['flowrun', '/api/nifi/flows/2/runs/7', '/flows/2/runs/7'],
  [
    'delivery',
    '/api/v1/organizations/a/projects/b/webhooks/c/deliveries/7',
    '/organizations/a/projects/b/webhooks/c/deliveries/7',
  ],
  ['quotation', '/api/v1/quotations/7/', '/quotations/7'],
  ['order', '/api/v1/quotations/3/orders/', '/orders/7'],
  ['export', null, null],
] as const)('a %s of our own at %s leads to %s', (type, shownAt, path) => {
  const links = JSON.stringify({ action: { label: 'x', path: shownAt }, target: { label: 'x', path: shownAt } })
  const target = { targetContentType: contentTypes[type], targetObjectId: '7' }
  const expected = path === null ? null : { content_type: type, id: '7', path }
  expect(pagesOf(report({ actionContentType: contentTypes[type], links, ...target }))).toEqual({
    action: expected,
    target: expected,
  })
})
