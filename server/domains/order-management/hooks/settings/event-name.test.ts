import { describe, expect, test } from 'vitest'
import { backOfficeEventTypes } from '#events/catalogue.ts'
import { eventProblem, parseEventName, unknownEventMessage } from './event-name.ts'

describe('an event name', () => {
  test.each([
    ['package-created', 'package.created'],
    ['package.created', 'package.created'],
    ['package-status-packed_for_refund', 'package.status.packed_for_refund'],
    ['package.status-packed_for_refund', 'package.status.packed_for_refund'],
    ['stock_location-created', 'stock_location.created'],
  ])('%s means %s', (name, event) => {
    expect(parseEventName(name, [])).toBe(event)
  })

  test('of the catalogue is understood with dots and with hyphens', () => {
    for (const name of backOfficeEventTypes) {
      expect(parseEventName(name, [])).toBe(name)
      expect(parseEventName(name.replaceAll('.', '-'), [])).toBe(name)
    }
  })

  test.each([
    '',
    'package',
    'package_created',
    'stock-location-created',
    'package.status.packed.for.refund',
    'Package.Created',
    ' package.created',
    'toString',
    '__proto__',
  ])('%j is unknown', (name) => {
    expect(parseEventName(name, [])).toBeUndefined()
  })
})

describe('with types of one’s own', () => {
  const own = ['crm.customer.updated', 'crm_2.lead.won']
  test.each([
    ['crm-customer-updated', 'crm.customer.updated'],
    ['crm.*', 'crm.*'],
    ['crm.order.*', 'crm.order.*'],
    ['*', '*'],
    ['package.*', 'package.*'],
    ['crm.order.created', undefined],
    ['crm_.*', undefined],
    ['erp.*', undefined],
  ])('%s is understood as %s', (name, event) => {
    expect(parseEventName(name, own)).toBe(event)
  })
})

describe('an unknown name', () => {
  const said = (name: string) =>
    unknownEventMessage(name, backOfficeEventTypes, 'GET /w/hooks/registry/ lists all of them.')

  test.each([
    ['package-create', 'package.created'],
    ['Package.Created', 'package.created'],
    ['stock-location-created', 'stock_location.created'],
    ['package-status-canceled', 'package.status.cancelled'],
  ])('is answered with the nearest one: %s with %s', (name, near) => {
    expect(said(name)).toContain(`Did you mean ${near}?`)
  })

  test('that looks like none is answered with where they are', () => {
    expect(said('zzzzzzzzzzzz')).toBe('There is no event of this name. GET /w/hooks/registry/ lists all of them.')
  })
})

describe('what no hook hears is answered', () => {
  test.each([
    ['package', /Did you mean package\.\*,/],
    ['package-status', /Did you mean package\.status\.\*,/],
    ['crm', /Did you mean crm\.\*,/],
    ['pack*', /^A pattern is \*, or the beginning of a name/],
    ['*.created', /^A pattern is /],
    ['package.**', /^A pattern is /],
    ['nosuch.*', /^No event matches this pattern\./],
    ['deployment.*', /project webhooks/],
    ['distribution-created', /project webhooks/],
    ['package.create', /Did you mean package\.created\?/],
  ])('%s with what helps', (name, said) => {
    expect(eventProblem(name, ['crm.customer.updated'], 'GET /w/hooks/registry/ lists all of them.')).toMatch(said)
  })
})
