/** In the order in which a quotation may live through them. */
export const quotationStatuses = [
  'request_approval',
  'pending',
  'draft',
  'sending_approval_request',
  'approved',
  'rejected',
  'cancelled',
  'expired',
] as const
export type QuotationStatus = (typeof quotationStatuses)[number]

/**
 * Who somebody is to a quotation (quotations, "Words"): who made it; a user of the main division at the root of the
 * owner's; a superuser; another user of the back office. `time` is nobody: what happens by itself.
 */
export const actors = ['owner', 'main', 'super', 'staff', 'time'] as const
export type Actor = (typeof actors)[number]

export type Surface = 'storefront' | 'admin'

/** What can be done with a quotation; most are also the last segments of paths. */
export type QuotationAction =
  | 'approve-pending-request'
  | 'cancel'
  | 'reject'
  | 'set-as-draft'
  | 'edit'
  | 'send-approval-request'
  | 'approve'
  | 'create-orders'
  | 'expire'
  | 'comment'
  | 'note'
  | 'assign'
  | 'duplicate'

/** Why something cannot be done in a status, for people. The names are the codes of refusals. */
export const refusals = {
  not_requested: 'It does not wait for the approval of the main division.',
  waits_for_main_division: 'The main division has to approve it first.',
  not_sent: 'It has not been sent to its owner for approval yet.',
  not_in_draft: 'It can be changed only while it is a draft.',
  not_approved: 'It is not approved.',
  orders_exist: 'Orders of it exist or are being made: they are cancelled in the commerce platform.',
  agreed: 'It is approved: nobody changes what was agreed on.',
  rejected: 'It was rejected.',
  rejected_by_main_division: 'The main division rejected it. It can be duplicated.',
  cancelled: 'Its owner cancelled it. It can be duplicated.',
  expired: 'It has expired.',
  needs_new_expiry: 'Its time has passed: give it a new one in expires_at.',
  is_draft: 'While it is a draft its time does not run.',
  division_inactive: 'Nothing can be ordered for what is switched off or was moved to another company.',
  product_inactive: 'These products are not sold any more.',
  main_division_inactive: 'The main division is switched off, and can order nothing.',
  no_division: 'You belong to no division, so there is nothing that you could order for.',
  left_company: 'You do not belong to the company any more that it was made for.',
  quotation_empty: 'There is nothing in it.',
  too_many_orders: 'More orders than can be made would become of it.',
  owner_consent_required: 'Its owner has not agreed to these terms: send them for approval.',
} as const
export type Refusal = keyof typeof refusals

/** Something that is done in a status, and the status after it. */
interface Move {
  readonly to: QuotationStatus
  /** What can stand in the way; it is refused with the first that does. */
  readonly unless?: readonly Refusal[]
}
export type Cell = Move | { readonly refused: Refusal }

export interface Rule {
  readonly action: QuotationAction
  readonly surface: Surface
  readonly actors: readonly Actor[]
  /** What it does in each status. */
  readonly cells: Readonly<Record<QuotationStatus, Cell>>
}

const to = (status: QuotationStatus, ...unless: readonly Refusal[]): Move =>
  unless.length === 0 ? { to: status } : { to: status, unless }
/** What stands in the way of whatever orders become of, later or at once. */
const inactive = ['division_inactive', 'product_inactive'] as const
const notOrderable = [...inactive, 'too_many_orders'] as const
/** The same of what an owner does for their company. */
const asMember = (status: QuotationStatus, ...unless: readonly Refusal[]): Move => to(status, 'left_company', ...unless)
const no = (refused: Refusal): Cell => ({ refused })

/** In every status the same as before. */
const everywhere = (move: typeof to) =>
  Object.fromEntries(quotationStatuses.map((status) => [status, move(status)])) as Record<QuotationStatus, Cell>
const anywhere = everywhere(to)
/** What is over for good. */
const over = { rejected: no('rejected'), cancelled: no('cancelled'), expired: no('expired') }
const ending = (status: QuotationStatus, move: typeof to) => ({
  request_approval: move(status),
  pending: move(status),
  draft: move(status),
  sending_approval_request: move(status),
  approved: no('orders_exist'),
  ...over,
})

/**
 * What may be done with a quotation, by whom and when (quotations, the table): what the API allows and tells, what the
 * documentation shows, and what its test looks at cell by cell.
 */
export const rules: readonly Rule[] = [
  {
    action: 'approve-pending-request',
    surface: 'storefront',
    actors: ['main'],
    cells: {
      request_approval: to('pending', 'main_division_inactive'),
      pending: no('not_requested'),
      draft: no('not_requested'),
      sending_approval_request: no('not_requested'),
      approved: no('not_requested'),
      ...over,
    },
  },
  {
    action: 'cancel',
    surface: 'storefront',
    actors: ['owner'],
    cells: ending('cancelled', asMember),
  },
  { action: 'reject', surface: 'storefront', actors: ['owner', 'main'], cells: ending('rejected', asMember) },
  { action: 'reject', surface: 'admin', actors: ['super'], cells: ending('rejected', to) },
  {
    action: 'set-as-draft',
    surface: 'admin',
    actors: ['super'],
    cells: {
      request_approval: no('waits_for_main_division'),
      pending: to('draft'),
      draft: to('draft'),
      sending_approval_request: to('draft'),
      approved: no('orders_exist'),
      rejected: to('draft', 'rejected_by_main_division'),
      cancelled: no('cancelled'),
      expired: to('draft', 'needs_new_expiry'),
    },
  },
  {
    action: 'edit',
    surface: 'admin',
    actors: ['super'],
    cells: {
      request_approval: no('not_in_draft'),
      pending: no('not_in_draft'),
      draft: to('draft'),
      sending_approval_request: no('not_in_draft'),
      approved: no('agreed'),
      ...over,
    },
  },
  {
    action: 'send-approval-request',
    surface: 'admin',
    actors: ['super'],
    cells: {
      request_approval: no('waits_for_main_division'),
      pending: to('sending_approval_request', ...notOrderable),
      // Only a draft can be empty.
      draft: to('sending_approval_request', 'needs_new_expiry', 'quotation_empty', ...notOrderable),
      sending_approval_request: to('sending_approval_request', ...notOrderable),
      approved: no('agreed'),
      ...over,
    },
  },
  {
    action: 'approve',
    surface: 'storefront',
    actors: ['owner'],
    cells: {
      request_approval: no('not_sent'),
      pending: no('not_sent'),
      draft: no('not_sent'),
      sending_approval_request: asMember('approved', ...notOrderable),
      approved: asMember('approved', 'too_many_orders'),
      ...over,
    },
  },
  {
    action: 'approve',
    surface: 'admin',
    actors: ['super'],
    cells: {
      request_approval: no('waits_for_main_division'),
      pending: to('approved', ...notOrderable, 'owner_consent_required'),
      draft: to('approved', 'quotation_empty', ...notOrderable, 'owner_consent_required'),
      sending_approval_request: to('approved', ...notOrderable, 'owner_consent_required'),
      approved: to('approved', 'too_many_orders'),
      ...over,
    },
  },
  {
    action: 'create-orders',
    surface: 'admin',
    actors: ['super'],
    cells: {
      request_approval: no('not_approved'),
      pending: no('not_approved'),
      draft: no('not_approved'),
      sending_approval_request: no('not_approved'),
      approved: to('approved', 'too_many_orders'),
      ...over,
    },
  },
  {
    action: 'expire',
    surface: 'admin',
    actors: ['time'],
    cells: {
      request_approval: to('expired'),
      pending: to('expired'),
      draft: no('is_draft'),
      sending_approval_request: to('expired'),
      approved: no('agreed'),
      ...over,
    },
  },
  ...(['storefront', 'admin'] as const).map((surface): Rule => ({
    action: 'comment',
    surface,
    actors: surface === 'storefront' ? ['owner', 'main'] : ['super', 'staff'],
    cells: { ...everywhere(surface === 'storefront' ? asMember : to), ...over },
  })),
  { action: 'note', surface: 'admin', actors: ['super', 'staff'], cells: anywhere },
  {
    action: 'assign',
    surface: 'admin',
    actors: ['super', 'staff'],
    cells: { ...anywhere, approved: no('agreed'), ...over },
  },
  {
    action: 'duplicate',
    surface: 'storefront',
    actors: ['owner'],
    cells: everywhere((status) => to(status, 'no_division')),
  },
  {
    action: 'duplicate',
    surface: 'admin',
    actors: ['super'],
    cells: everywhere((status) => to(status, ...inactive)),
  },
]
