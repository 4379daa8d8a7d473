import { describe, expect, test } from 'vitest'
import type { Condition } from './conditions.ts'
import { permissionsOf, type Part } from './permissions.ts'
import { conditionsFor, quotationLifecycle, statusReasons } from './transitions.ts'
import { quotationStatuses, type QuotationStatus } from '#events/quotations.ts'
import { actors, type Actor, type QuotationAction, type Surface } from './vocabulary.ts'

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
const { rules } = quotationLifecycle
type Rule = (typeof rules)[number]
const decide = (action: QuotationAction, { status, refusing: codes, ...part }: Part & ReturnType<typeof situation>) =>
  quotationLifecycle.decide(action, { status, refusing: codes }, part)
const situation = (status: QuotationStatus, ...codes: readonly Condition[]) => ({
  status,
  refusing: refusing(...codes),
})
const summaryOf = (decision: ReturnType<typeof decide>): string => {
  if ('to' in decision) return decision.to
  return decision.refused === 'forbidden' ? 'forbidden' : '-'
}
/** Nothing refuses but these conditions. */
const refusing = (...codes: readonly Condition[]) => new Map(codes.map((code) => [code, []]))

describe('every cell of the table', () => {
  test('is agreed on', () => {
    expect(rules.map(({ action, surface }) => `${surface} ${action}`).toSorted()).toEqual(
      agreed.map(([action, surface]) => `${surface} ${action}`).toSorted(),
    )
  })

  test.each(cells)('$action ($surface) in $status: $after', ({ action, surface, allowed, status, after }) => {
    for (const actor of actors) {
      const answer = summaryOf(decide(action, { surface, actors: [actor], status, refusing: refusing() }))
      expect([actor, answer]).toEqual([actor, allowed.includes(actor) ? after : 'forbidden'])
    }
  })
})

describe('what depends on more than the status', () => {
  const asSuper = { surface: 'admin', actors: ['super'] } as const

  const sending = ['pending', 'draft', 'sending_approval_request']
  const toOrders = {
    'admin send-approval-request': sending,
    'storefront approve': ['sending_approval_request'],
    'admin approve': sending,
  }
  const named: Readonly<Record<Condition, Readonly<Record<string, readonly string[]>>>> = {
    rejected_by_main_division: { 'admin set-as-draft': ['rejected'] },
    needs_new_expiry: { 'admin set-as-draft': ['expired'], 'admin send-approval-request': ['draft'] },
    division_inactive: { ...toOrders, 'admin duplicate': quotationStatuses },
    product_inactive: { ...toOrders, 'admin duplicate': quotationStatuses },
    main_division_inactive: { 'storefront approve-pending-request': ['request_approval'] },
    no_division: { 'storefront duplicate': quotationStatuses },
    left_company: {
      'storefront cancel': ['request_approval', ...sending],
      'storefront reject': ['request_approval', ...sending],
      'storefront approve': ['sending_approval_request', 'approved'],
      'storefront comment': ['request_approval', ...sending, 'approved'],
    },
    quotation_empty: { 'admin send-approval-request': ['draft'], 'admin approve': ['draft'] },
    too_many_orders: {
      'admin send-approval-request': sending,
      'storefront approve': ['sending_approval_request', 'approved'],
      'admin approve': [...sending, 'approved'],
      'admin create-orders': ['approved'],
    },
    owner_consent_required: { 'admin approve': sending },
    monthly_limit_exceeded: { 'admin set-as-draft': ['rejected', 'expired'] },
    net_amount_zero: { 'storefront approve': ['sending_approval_request'], 'admin approve': sending },
  }

  test.each(Object.keys(named) as Condition[])('%s refuses these actions in these statuses, and no others', (code) => {
    const decided = (
      { action, surface, actors: allowed }: Rule,
      status: QuotationStatus,
      codes: readonly Condition[],
    ) => decide(action, { surface: surface ?? 'admin', actors: allowed ?? [], ...situation(status, ...codes) })
    const refused = rules.flatMap((rule) => {
      const statuses = quotationStatuses.filter((status) => {
        const decision = decided(rule, status, [code])
        return 'refused' in decision && decision.refused === code
      })
      const others = quotationStatuses.filter((status) => !statuses.includes(status))
      expect(others.map((status) => decided(rule, status, [code]))).toEqual(
        others.map((status) => decided(rule, status, [])),
      )
      return statuses.length === 0 ? [] : [[`${rule.surface} ${rule.action}`, statuses] as const]
    })
    expect(Object.fromEntries(refused)).toEqual(named[code])
  })

  test('a condition that the request itself meets does not refuse', () => {
    const expired = { ...asSuper, status: 'expired', refusing: refusing('needs_new_expiry') } as const
    expect(decide('set-as-draft', expired)).toMatchObject({ refused: 'needs_new_expiry' })
    const { permit } = permissionsOf('expired', asSuper, expired.refusing)
    expect(permit('set-as-draft', 'needs_new_expiry')).toBe('draft')
    expect(() => permit('set-as-draft')).toThrow('Its time has passed')
  })

  test('an action is refused with the first condition that its rule names', () => {
    const draft = { ...asSuper, status: 'draft', refusing: refusing('too_many_orders', 'needs_new_expiry') } as const
    expect(decide('send-approval-request', draft)).toMatchObject({ refused: 'needs_new_expiry' })
  })

  test('only conditions that can refuse an actor something in a status are looked up', () => {
    const lookedUp = (part: Part) => quotationStatuses.map((status) => conditionsFor(status, part).toSorted())
    const toSell = ['division_inactive', 'product_inactive']
    const toOffer = [...toSell, 'net_amount_zero', 'owner_consent_required', 'too_many_orders'].toSorted()
    expect(lookedUp(asSuper)).toEqual([
      toSell,
      toOffer,
      [...toOffer, 'needs_new_expiry', 'quotation_empty'].toSorted(),
      toOffer,
      [...toSell, 'too_many_orders'],
      [...toSell, 'monthly_limit_exceeded', 'rejected_by_main_division'].toSorted(),
      toSell,
      [...toSell, 'monthly_limit_exceeded', 'needs_new_expiry'].toSorted(),
    ])
    expect(lookedUp({ surface: 'admin', actors: ['staff'] })).toEqual(quotationStatuses.map(() => []))
  })

  test('an action of one surface is not for the other', () => {
    const pending = { status: 'pending', refusing: refusing() } as const
    const inBackOffice = { ...pending, surface: 'admin', actors: ['owner', 'super'] } as const
    expect(decide('cancel', inBackOffice)).toEqual({ refused: 'forbidden' })
    const onStorefront = { ...pending, surface: 'storefront', actors: ['super'] } as const
    expect(decide('approve', onStorefront)).toEqual({ refused: 'forbidden' })
  })
})

describe('what somebody is told', () => {
  test('is all that they may do, and what of it not now, with the reason', () => {
    const told = (surface: Surface, ...parts: readonly Actor[]) => {
      const status = 'sending_approval_request'
      const { allowed, blocked } = permissionsOf(status, { surface, actors: parts }, refusing())
      return { allowed, blocked }
    }
    const ofOwner = ['cancel', 'reject', 'approve', 'comment', 'duplicate']
    expect(told('storefront', 'owner')).toEqual({ allowed: ofOwner, blocked: {} })
    expect(told('storefront', 'owner', 'main')).toEqual({
      allowed: ofOwner,
      blocked: { 'approve-pending-request': statusReasons.not_requested },
    })
    expect(told('admin', 'staff')).toEqual({ allowed: ['comment', 'note', 'assign'], blocked: {} })
  })
})
