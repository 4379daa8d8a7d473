import { describe, expect, test } from 'vitest'
import {
  decide,
  dependsOnConsent,
  dependsOnCut,
  permittedActions,
  type Caller,
  type Decision,
  type Situation,
} from './permitted-actions.ts'
import {
  actors,
  quotationStatuses,
  refusals,
  rules,
  type Actor,
  type QuotationAction,
  type QuotationStatus,
  type Refusal,
  type Rule,
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

  const tooMany = { orders: 10_001, batchSize: 500 }
  const nothing = { orders: 0, batchSize: 500 }
  const sending = ['pending', 'draft', 'sending_approval_request']
  const obstacles: readonly (readonly [Refusal, Partial<Situation>, Readonly<Record<string, readonly string[]>>])[] = [
    [
      'too_many_orders',
      { cut: tooMany },
      {
        'admin send-approval-request': sending,
        'admin approve': [...sending, 'approved'],
        'admin create-orders': ['approved'],
        'storefront approve': ['sending_approval_request', 'approved'],
      },
    ],
    ['quotation_empty', { cut: nothing }, { 'admin send-approval-request': ['draft'], 'admin approve': ['draft'] }],
    ['owner_consent_required', { lacksConsent: true }, { 'admin approve': sending }],
  ]

  test.each(obstacles)(
    '%s is refused where orders, or offers of them, would come of it, and nowhere else',
    (...row) => {
      const [refusal, facts, expected] = row
      const decided = (one: Rule, status: QuotationStatus, known: Partial<Situation>) => {
        const { action, surface, actors: allowed } = one
        return decide(action, { surface, actors: allowed }, { ...everything, ...known, status })
      }
      const refused = rules.flatMap((one) => {
        const statuses = quotationStatuses.filter((status) => {
          const decision = decided(one, status, facts)
          return 'refused' in decision && decision.refused === refusal
        })
        const others = quotationStatuses.filter((status) => !statuses.includes(status))
        expect(others.map((status) => decided(one, status, facts))).toEqual(
          others.map((status) => decided(one, status, {})),
        )
        return statuses.length === 0 ? [] : [[`${one.surface} ${one.action}`, statuses] as const]
      })
      expect(Object.fromEntries(refused)).toEqual(expected)
    },
  )

  test('as many orders as can be made are not too many, and what is there need not be agreed on twice', () => {
    const fine = { cut: { orders: 10_000, batchSize: 500 }, lacksConsent: false }
    for (const status of quotationStatuses)
      for (const surface of ['storefront', 'admin'] as const) {
        const caller = { surface, actors: [...actors] }
        const situation = { status, isRejectedByMain: false }
        expect(permittedActions(caller, { ...situation, ...fine })).toEqual(permittedActions(caller, situation))
      }
  })

  test('too many orders are counted in the reason', () => {
    const { blocked } = permittedActions(asSuper, { status: 'pending', isRejectedByMain: false, cut: tooMany })
    expect(blocked.approve).toBe(
      'More orders than can be made would become of it: 10001 of at most 500 units, and 10000 can be made.',
    )
  })

  test('what has to be looked up is what the cells of a caller name, and nothing else', () => {
    const looked = (caller: Caller) =>
      quotationStatuses.map((status) => [dependsOnCut(caller, status), dependsOnConsent(caller, status)])
    const none = [false, false]
    expect(looked(asSuper)).toEqual([none, [true, true], [true, true], [true, true], [true, false], none, none, none])
    expect(looked({ surface: 'storefront', actors: ['owner'] })).toEqual([
      none,
      none,
      none,
      [true, false],
      [true, false],
      none,
      none,
      none,
    ])
    for (const caller of [
      { surface: 'storefront', actors: ['main'] },
      { surface: 'admin', actors: ['staff'] },
    ] as const)
      expect(looked(caller)).toEqual(quotationStatuses.map(() => none))
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
    ['nothing is in the way', { inactive: { divisions: [], products: [] } }],
    ['a product is switched off', { inactive: { divisions: [], products: ['4711'] } }],
    ['its owner has left', { hasLostOwner: true }],
    ['nothing is in it', { cut: { orders: 0, batchSize: 500 } }],
    ['too many orders would come of it', { cut: { orders: 10_001, batchSize: 1 } }],
    ['its owner has to agree', { lacksConsent: true }],
  ])('is in agreement with what is decided when its time has passed and %s', (_, facts) => {
    for (const status of quotationStatuses)
      for (const surface of ['storefront', 'admin'] as const)
        for (const actor of actors) {
          const caller = { surface, actors: [actor] }
          const situation = { status, isRejectedByMain: false, isOverdue: true, ...facts }
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
