import type { Condition } from './conditions.ts'
import {
  quotationStatuses,
  type Actor,
  type QuotationAction,
  type QuotationStatus,
  type Surface,
} from './vocabulary.ts'

/** Why a status refuses an action, for people. The names are the codes of the answers. */
export const statusReasons = {
  not_requested: 'It does not wait for the approval of the main division.',
  waits_for_main_division: 'The main division has to approve it first.',
  not_sent: 'It has not been sent to its owner for approval yet.',
  not_in_draft: 'It can be changed only while it is a draft.',
  not_approved: 'It is not approved.',
  orders_exist: 'Orders of it exist or are being made: they are cancelled in the commerce platform.',
  agreed: 'It is approved: nobody changes what was agreed on.',
  rejected: 'It was rejected.',
  cancelled: 'Its owner cancelled it. It can be duplicated.',
  expired: 'It has expired.',
  is_draft: 'While it is a draft its time does not run.',
} as const
export type StatusReason = keyof typeof statusReasons

/** The status after an action, and the conditions that can refuse it: the first that does is the reason. */
interface Move {
  readonly to: QuotationStatus
  readonly conditions: readonly Condition[]
}
export type Outcome = Move | { readonly refused: StatusReason }

export interface Rule {
  readonly action: QuotationAction
  readonly surface: Surface
  readonly actors: readonly Actor[]
  readonly outcomes: Readonly<Record<QuotationStatus, Outcome>>
}

const to = (status: QuotationStatus, ...conditions: readonly Condition[]): Move => ({ to: status, conditions })
const no = (refused: StatusReason): Outcome => ({ refused })

type Outcomes = Partial<Record<QuotationStatus, Outcome>>
const closed: Outcomes = { rejected: no('rejected'), cancelled: no('cancelled'), expired: no('expired') }
/** What is not named is refused for the reason given; closed statuses have a reason of their own. */
const only = (named: Outcomes, otherwise: StatusReason): Rule['outcomes'] =>
  eachStatus((status) => named[status] ?? closed[status] ?? no(otherwise))
/** The status stays, whatever it is. */
const always = (...conditions: readonly Condition[]): Rule['outcomes'] =>
  eachStatus((status) => to(status, ...conditions))
const eachStatus = (outcomeOf: (status: QuotationStatus) => Outcome): Rule['outcomes'] =>
  Object.fromEntries(quotationStatuses.map((status) => [status, outcomeOf(status)])) as Rule['outcomes']

/** Ends what is open. */
const ending = (status: QuotationStatus, ...conditions: readonly Condition[]): Rule['outcomes'] =>
  only(
    {
      request_approval: to(status, ...conditions),
      pending: to(status, ...conditions),
      draft: to(status, ...conditions),
      sending_approval_request: to(status, ...conditions),
    },
    'orders_exist',
  )
/** While it is open or approved; the status stays. */
const whileAlive = (...conditions: readonly Condition[]): Rule['outcomes'] => ({ ...always(...conditions), ...closed })

/** Conditions of whatever leads to orders, later or at once. */
const inactive = ['division_inactive', 'product_inactive'] as const
const notOrderable = [...inactive, 'too_many_orders'] as const

/**
 * What may be done with a quotation, by whom and when (quotations, the table): what the API allows and tells, what the
 * documentation shows, and what its test looks at rule by rule.
 */
export const rules: readonly Rule[] = [
  {
    action: 'approve-pending-request',
    surface: 'storefront',
    actors: ['main'],
    outcomes: only({ request_approval: to('pending', 'main_division_inactive') }, 'not_requested'),
  },
  { action: 'cancel', surface: 'storefront', actors: ['owner'], outcomes: ending('cancelled', 'left_company') },
  { action: 'reject', surface: 'storefront', actors: ['owner', 'main'], outcomes: ending('rejected', 'left_company') },
  { action: 'reject', surface: 'admin', actors: ['super'], outcomes: ending('rejected') },
  {
    action: 'set-as-draft',
    surface: 'admin',
    actors: ['super'],
    outcomes: only(
      {
        request_approval: no('waits_for_main_division'),
        pending: to('draft'),
        draft: to('draft'),
        sending_approval_request: to('draft'),
        rejected: to('draft', 'rejected_by_main_division'),
        expired: to('draft', 'needs_new_expiry'),
      },
      'orders_exist',
    ),
  },
  {
    action: 'edit',
    surface: 'admin',
    actors: ['super'],
    outcomes: only({ draft: to('draft'), approved: no('agreed') }, 'not_in_draft'),
  },
  {
    action: 'send-approval-request',
    surface: 'admin',
    actors: ['super'],
    outcomes: only(
      {
        pending: to('sending_approval_request', ...notOrderable),
        // Only a draft can be empty.
        draft: to('sending_approval_request', 'needs_new_expiry', 'quotation_empty', ...notOrderable),
        sending_approval_request: to('sending_approval_request', ...notOrderable),
        approved: no('agreed'),
      },
      'waits_for_main_division',
    ),
  },
  {
    action: 'approve',
    surface: 'storefront',
    actors: ['owner'],
    outcomes: only(
      {
        sending_approval_request: to('approved', 'left_company', ...notOrderable),
        approved: to('approved', 'left_company', 'too_many_orders'),
      },
      'not_sent',
    ),
  },
  {
    action: 'approve',
    surface: 'admin',
    actors: ['super'],
    outcomes: only(
      {
        pending: to('approved', ...notOrderable, 'owner_consent_required'),
        draft: to('approved', 'quotation_empty', ...notOrderable, 'owner_consent_required'),
        sending_approval_request: to('approved', ...notOrderable, 'owner_consent_required'),
        approved: to('approved', 'too_many_orders'),
      },
      'waits_for_main_division',
    ),
  },
  {
    action: 'create-orders',
    surface: 'admin',
    actors: ['super'],
    outcomes: only({ approved: to('approved', 'too_many_orders') }, 'not_approved'),
  },
  {
    action: 'expire',
    surface: 'admin',
    actors: ['time'],
    outcomes: only(
      {
        request_approval: to('expired'),
        pending: to('expired'),
        draft: no('is_draft'),
        sending_approval_request: to('expired'),
      },
      'agreed',
    ),
  },
  { action: 'comment', surface: 'storefront', actors: ['owner', 'main'], outcomes: whileAlive('left_company') },
  { action: 'comment', surface: 'admin', actors: ['super', 'staff'], outcomes: whileAlive() },
  { action: 'note', surface: 'admin', actors: ['super', 'staff'], outcomes: always() },
  {
    action: 'assign',
    surface: 'admin',
    actors: ['super', 'staff'],
    outcomes: { ...whileAlive(), approved: no('agreed') },
  },
  { action: 'duplicate', surface: 'storefront', actors: ['owner'], outcomes: always('no_division') },
  { action: 'duplicate', surface: 'admin', actors: ['super'], outcomes: always(...inactive) },
]
