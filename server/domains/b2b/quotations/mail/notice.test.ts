import { expect, test } from 'vitest'
import type { Quotation } from '../quotation.ts'
import { quotationStatuses, type QuotationStatus } from '#events/quotations.ts'
import { noticesOf } from './notice.ts'
import type { Occasion } from './occasions.ts'

const arriving = (status: QuotationStatus, from?: QuotationStatus, rejectedByMain = false) =>
  noticesOf({ from, quotation: { id: 5, status, rejectedByMain } as Quotation, doer: 7 })

test.each<[QuotationStatus, Occasion | undefined]>([
  ['request_approval', 'requested'],
  ['pending', 'pending'],
  ['draft', undefined],
  ['sending_approval_request', 'offered'],
  ['approved', 'approved'],
  ['rejected', 'rejected'],
  ['cancelled', undefined],
  ['expired', 'expired'],
])('a quotation that comes to %s tells of %s', (status, occasion) => {
  const notices = arriving(status).map((notice) => [notice.occasion, notice.quotation.id, notice.doer])
  expect(notices).toEqual(occasion === undefined ? [] : [[occasion, 5, 7]])
})

test('only an offer that the owner has in hand is taken back', () => {
  const told = quotationStatuses.filter((from) => arriving('draft', from).length > 0)
  expect(told).toEqual(['sending_approval_request'])
  expect(arriving('draft', 'sending_approval_request')).toMatchObject([{ occasion: 'recalled' }])
})

test('whose rejection it was is told, that of buyers to the seller too', () => {
  expect(arriving('rejected', 'pending', true)).toMatchObject([
    { occasion: 'rejected_by_main' },
    { occasion: 'refused_by_main' },
  ])
})

const byOwner = (status: QuotationStatus, from: QuotationStatus, assignee: number | null = null) =>
  noticesOf({ from, quotation: { id: 5, userId: 7, status, assignee } as Quotation, doer: 7 }).map(
    ({ occasion }) => occasion,
  )

test('what its owner decided is told to the seller', () => {
  expect(byOwner('approved', 'sending_approval_request')).toEqual(['approved', 'accepted'])
  expect(byOwner('rejected', 'sending_approval_request')).toEqual(['rejected', 'refused'])
  expect(byOwner('cancelled', 'draft')).toEqual(['cancelled'])
  expect(byOwner('pending', 'request_approval')).toEqual(['pending'])
})

test('what never came to the seller is over without them, unless somebody works on it', () => {
  expect(byOwner('cancelled', 'request_approval')).toEqual([])
  expect(byOwner('cancelled', 'request_approval', 4)).toEqual(['cancelled'])
})

test('why it was rejected is said to whoever is told that it was', () => {
  const rejected = { id: 5, status: 'rejected', rejectedByMain: true, reason: 'Too dear' } as Quotation
  expect(noticesOf({ from: 'pending', quotation: rejected, doer: 7 })).toMatchObject([
    { occasion: 'rejected_by_main', said: 'Too dear' },
    { occasion: 'refused_by_main', said: 'Too dear' },
  ])
})
