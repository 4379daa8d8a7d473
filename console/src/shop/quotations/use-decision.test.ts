import { expect, test } from 'vitest'
import { betweenOf } from './use-decision.ts'

const shown = { status: 'sending_approval_request', revision: 2, net_amount: '18.00' } as const

test.each([
  ['somebody else rejected it', { status: 'rejected', revision: 2 }, 'rejected', { kind: 'taken', status: 'rejected' }],
  ['the seller took it back', { status: 'draft', revision: 2 }, 'not_sent', { kind: 'taken', status: 'draft' }],
  ['the terms are others', { ...shown, revision: 3 }, 'stale_revision', { kind: 'stale', amount: '18.00' }],
  ['a product is not sold any more', shown, 'product_inactive', undefined],
] as const)('what came in between is told: %s', (_, now, code, expected) => {
  expect(betweenOf(shown, now, { code })).toEqual(expected)
})
