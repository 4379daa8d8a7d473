import { describe, expect, test } from 'vitest'
import { decide, permittedActions, type Decision, type Situation } from './permitted-actions.ts'
import {
  actors,
  quotationStatuses,
  refusals,
  rules,
  type Actor,
  type QuotationAction,
  type Surface,
} from './transitions.ts'

/**
 * The table as it was agreed on (quotations): each action, who may do it where, and the status after it in each of the
 * eight statuses. `-`: refused; `=`: the status stays.
 */
const agreed: readonly (readonly [QuotationAction, Surface, readonly Actor[], string])[] = [
  ['approve-pending-request', 'storefront', ['main'], 'pending - - - - - - -'],
  ['cancel', 'storefront', ['owner'], 'cancelled cancelled cancelled cancelled - - - -'],
  ['reject', 'storefront', ['owner', 'main'], 'rejected rejected rejected rejected - - - -'],
  ['reject', 'admin', ['super'], 'rejected rejected rejected rejected - - - -'],
  ['set-as-draft', 'admin', ['super'], '- draft draft draft - draft - draft'],
  ['edit', 'admin', ['super'], '- - = - - - - -'],
  ['send-approval-request', 'admin', ['super'], '- sending_approval_request sending_approval_request = - - - -'],
  ['approve', 'storefront', ['owner'], '- - - approved = - - -'],
  ['approve', 'admin', ['super'], '- approved approved approved = - - -'],
  ['create-orders', 'admin', ['super'], '- - - - = - - -'],
  ['expire', 'admin', ['time'], 'expired expired - expired - - - -'],
  ['comment', 'storefront', ['owner', 'main'], '= = = = = - - -'],
  ['comment', 'admin', ['super', 'staff'], '= = = = = - - -'],
  ['note', 'admin', ['super', 'staff'], '= = = = = = = ='],
  ['assign', 'admin', ['super', 'staff'], '= = = = - - - -'],
  ['duplicate', 'storefront', ['owner'], '= = = = = = = ='],
  ['duplicate', 'admin', ['super'], '= = = = = = = ='],
]

const cells = agreed.flatMap(([action, surface, allowed, row]) =>
  row.split(' ').map((after, index) => {
    const status = quotationStatuses[index] ?? 'draft'
    return { action, surface, allowed, status, after: after === '=' ? status : after }
  }),
)
const summaryOf = (decision: Decision): string => {
  if ('to' in decision) return decision.to
  return decision.refused in refusals ? '-' : decision.refused
}
const everything: Omit<Situation, 'status'> = { isRejectedByMain: false, hasNewExpiry: true }

describe('every cell of the table', () => {
  test('is agreed on', () => {
    expect(rules.map(({ action, surface }) => `${surface} ${action}`).toSorted()).toEqual(
      agreed.map(([action, surface]) => `${surface} ${action}`).toSorted(),
    )
  })

  test.each(cells)('$action ($surface) in $status: $after', ({ action, surface, allowed, status, after }) => {
    for (const actor of actors) {
      const answer = summaryOf(decide(action, { surface, actors: [actor] }, { ...everything, status }))
      expect([actor, answer]).toEqual([actor, allowed.includes(actor) ? after : 'forbidden'])
    }
  })
})

describe('what depends on more than the status', () => {
  const asSuper = { surface: 'admin', actors: ['super'] } as const

  test('what the main division rejected stays rejected', () => {
    const rejected = { ...everything, status: 'rejected', isRejectedByMain: true } as const
    expect(decide('set-as-draft', asSuper, rejected)).toEqual({ refused: 'rejected_by_main_division' })
  })

  test('what has expired needs a new time', () => {
    const expired = { ...everything, status: 'expired', hasNewExpiry: false } as const
    expect(decide('set-as-draft', asSuper, expired)).toEqual({ refused: 'needs_new_expiry' })
  })

  test('a draft whose time has passed needs a new one before it is sent', () => {
    const draft = { ...everything, status: 'draft', isOverdue: true, hasNewExpiry: false } as const
    expect(decide('send-approval-request', asSuper, draft)).toEqual({ refused: 'needs_new_expiry' })
    expect(decide('approve', asSuper, draft)).toEqual({ to: 'approved' })
  })

  test('what was switched off is named', () => {
    const inactive = { divisions: [], products: ['4711', '4712'] }
    const { allowed, blocked } = permittedActions(asSuper, { status: 'pending', isRejectedByMain: false, inactive })
    const reason = 'These products are not sold any more: 4711, 4712.'
    expect(blocked).toMatchObject({ 'send-approval-request': reason, approve: reason, duplicate: reason })
    expect(allowed).toEqual(['reject', 'set-as-draft', 'comment', 'note', 'assign'])
  })

  test('an action of one surface is not for the other', () => {
    const pending = { ...everything, status: 'pending' } as const
    expect(decide('cancel', { surface: 'admin', actors: ['owner', 'super'] }, pending)).toEqual({
      refused: 'forbidden',
    })
    expect(decide('approve', { surface: 'storefront', actors: ['super'] }, pending)).toEqual({ refused: 'forbidden' })
  })
})

describe('what somebody is told', () => {
  test('is all that they may do, and what of it not now, with the reason', () => {
    const sent = { status: 'sending_approval_request', isRejectedByMain: false } as const
    expect(permittedActions({ surface: 'storefront', actors: ['owner'] }, sent)).toEqual({
      allowed: ['cancel', 'reject', 'approve', 'comment', 'duplicate'],
      blocked: {},
    })
    expect(permittedActions({ surface: 'storefront', actors: ['owner', 'main'] }, sent)).toEqual({
      allowed: ['cancel', 'reject', 'approve', 'comment', 'duplicate'],
      blocked: { 'approve-pending-request': refusals.not_requested },
    })
    expect(permittedActions({ surface: 'admin', actors: ['staff'] }, sent)).toEqual({
      allowed: ['comment', 'note', 'assign'],
      blocked: {},
    })
  })

  test.each([
    ['nothing is switched off', { divisions: [], products: [] }],
    ['a product is', { divisions: [], products: ['4711'] }],
  ])('is in agreement with what is decided when its time has passed and %s', (_, inactive) => {
    for (const status of quotationStatuses)
      for (const surface of ['storefront', 'admin'] as const)
        for (const actor of actors) {
          const caller = { surface, actors: [actor] }
          const situation = { status, isRejectedByMain: false, isOverdue: true, inactive }
          const { allowed, blocked } = permittedActions(caller, situation)
          const decided = rules
            .filter((rule) => rule.surface === surface && rule.actors.includes(actor))
            .map(
              ({ action }) => [action, 'to' in decide(action, caller, { ...situation, hasNewExpiry: false })] as const,
            )
          expect(allowed).toEqual(decided.flatMap(([action, isAllowed]) => (isAllowed ? [action] : [])))
          expect(Object.keys(blocked)).toEqual(decided.flatMap(([action, isAllowed]) => (isAllowed ? [] : [action])))
        }
  })
})
