import { quotationStatuses, type QuotationStatus } from '#events/quotations.ts'
import {
  makeLifecycle,
  type CompleteRule,
  type Condition as LifecycleCondition,
  type Terms,
} from '#platform/lifecycle/lifecycle.ts'
import { conditions, type Condition, type Refusing } from './conditions.ts'
import type { Actor, QuotationAction, Surface } from './vocabulary.ts'

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

interface QuotationTerms extends Terms {
  readonly status: QuotationStatus
  readonly action: QuotationAction
  readonly code: StatusReason | Condition
  readonly facts: { readonly refusing: Refusing }
  readonly surface: Surface
  readonly actor: Actor
}
type Outcomes = CompleteRule<QuotationTerms>['from']
type Outcome = Outcomes[QuotationStatus]

const to = (status: QuotationStatus, ...codes: readonly Condition[]): Outcome => ({ to: status, conditions: codes })
const no = (refused: StatusReason): Outcome => ({ refused })

type Named = Partial<Record<QuotationStatus, Outcome>>
const closed: Named = { rejected: no('rejected'), cancelled: no('cancelled'), expired: no('expired') }
/** What is not named is refused for the reason given; closed statuses have a reason of their own. */
const only = (named: Named, otherwise: StatusReason): Outcomes =>
  eachStatus((status) => named[status] ?? closed[status] ?? no(otherwise))
/** The status stays, whatever it is. */
const always = (...codes: readonly Condition[]): Outcomes => eachStatus((status) => to(status, ...codes))
const eachStatus = (outcomeOf: (status: QuotationStatus) => Outcome): Outcomes =>
  Object.fromEntries(quotationStatuses.map((status) => [status, outcomeOf(status)])) as Outcomes

/** Ends what is open. */
const ending = (status: QuotationStatus, ...codes: readonly Condition[]): Outcomes =>
  only(
    {
      request_approval: to(status, ...codes),
      pending: to(status, ...codes),
      draft: to(status, ...codes),
      sending_approval_request: to(status, ...codes),
    },
    'orders_exist',
  )
/** While it is open or approved; the status stays. */
const whileAlive = (...codes: readonly Condition[]): Outcomes => ({ ...always(...codes), ...closed })

/** Conditions of whatever leads to orders, later or at once. */
const inactive = ['division_inactive', 'product_inactive'] as const
const notOrderable = [...inactive, 'too_many_orders'] as const
const toApprove = [...notOrderable, 'owner_consent_required', 'net_amount_zero'] as const

const entriesOf = <Code extends string, V>(
  rows: Readonly<Record<Code, V>>,
  conditionOf: (row: V, code: Code) => LifecycleCondition<QuotationTerms>,
) =>
  Object.fromEntries(
    (Object.entries(rows) as [Code, V][]).map(([code, row]) => [code, conditionOf(row, code)]),
  ) as Record<Code, LifecycleCondition<QuotationTerms>>

/** What may be done with a quotation, by whom and when (quotations, the table): for the API, the documentation and the tests. */
export const quotationLifecycle = makeLifecycle<QuotationTerms>({
  statuses: quotationStatuses,
  conditions: {
    ...entriesOf(statusReasons, (says) => ({ says })),
    ...entriesOf(conditions, ({ says }, code) => ({
      says,
      applies: ({ refusing }) => refusing.has(code),
      details: ({ refusing }) => refusing.get(code) ?? [],
    })),
  },
  rules: [
    {
      action: 'approve-pending-request',
      surface: 'storefront',
      actors: ['main'],
      from: only({ request_approval: to('pending', 'main_division_inactive') }, 'not_requested'),
    },
    { action: 'cancel', surface: 'storefront', actors: ['owner'], from: ending('cancelled', 'left_company') },
    { action: 'reject', surface: 'storefront', actors: ['owner', 'main'], from: ending('rejected', 'left_company') },
    { action: 'reject', surface: 'admin', actors: ['super'], from: ending('rejected') },
    {
      action: 'set-as-draft',
      surface: 'admin',
      actors: ['super'],
      from: only(
        {
          request_approval: no('waits_for_main_division'),
          pending: to('draft'),
          draft: to('draft'),
          sending_approval_request: to('draft'),
          rejected: to('draft', 'rejected_by_main_division', 'monthly_limit_exceeded'),
          expired: to('draft', 'needs_new_expiry', 'monthly_limit_exceeded'),
        },
        'orders_exist',
      ),
    },
    {
      action: 'edit',
      surface: 'admin',
      actors: ['super'],
      from: only({ draft: to('draft'), approved: no('agreed') }, 'not_in_draft'),
    },
    {
      action: 'send-approval-request',
      surface: 'admin',
      actors: ['super'],
      from: only(
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
      from: only(
        {
          sending_approval_request: to('approved', 'left_company', ...notOrderable, 'net_amount_zero'),
          approved: to('approved', 'left_company', 'too_many_orders'),
        },
        'not_sent',
      ),
    },
    {
      action: 'approve',
      surface: 'admin',
      actors: ['super'],
      from: only(
        {
          pending: to('approved', ...toApprove),
          draft: to('approved', 'quotation_empty', ...toApprove),
          sending_approval_request: to('approved', ...toApprove),
          approved: to('approved', 'too_many_orders'),
        },
        'waits_for_main_division',
      ),
    },
    {
      action: 'create-orders',
      surface: 'admin',
      actors: ['super'],
      from: only({ approved: to('approved', 'too_many_orders') }, 'not_approved'),
    },
    {
      action: 'expire',
      surface: 'admin',
      actors: ['time'],
      from: only(
        {
          request_approval: to('expired'),
          pending: to('expired'),
          draft: no('is_draft'),
          sending_approval_request: to('expired'),
        },
        'agreed',
      ),
    },
    { action: 'comment', surface: 'storefront', actors: ['owner', 'main'], from: whileAlive('left_company') },
    { action: 'comment', surface: 'admin', actors: ['super', 'staff'], from: whileAlive() },
    { action: 'note', surface: 'admin', actors: ['super', 'staff'], from: always() },
    {
      action: 'assign',
      surface: 'admin',
      actors: ['super', 'staff'],
      from: { ...whileAlive(), approved: no('agreed') },
    },
    { action: 'duplicate', surface: 'storefront', actors: ['owner'], from: always('no_division') },
    { action: 'duplicate', surface: 'admin', actors: ['super'], from: always(...inactive) },
  ],
})

/** Conditions that can refuse something to a part in this status: only those have to be looked up. */
export const conditionsFor = (
  status: QuotationStatus,
  part: { readonly surface: Surface; readonly actors: readonly Actor[] },
): Condition[] =>
  [...quotationLifecycle.conditionsOf(status, part)].filter((code): code is Condition => code in conditions)
