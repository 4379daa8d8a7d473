import { Type, type TSchema } from 'typebox'
import { describeAction } from '#platform/lifecycle/lifecycle-text.ts'
import { Envelope } from '#platform/lists/send-list.ts'
import type { Access } from '#platform/auth/principal.ts'
import { makeRouteOptions, operationsFor, type RouteOptions } from '#platform/http/route-options.ts'
import {
  Amount,
  Body,
  Currency,
  errorResponses,
  Id,
  IdParams,
  Nullable,
  OneOf,
  OptionalBody,
  orNull,
  SentTime,
  Timestamp,
  WithHeaders,
} from '#platform/http/schemas.ts'
import { BasketShape } from '../../baskets/index.ts'
import { moves, type MoveAction } from '../actions/act-on-quotation.ts'
import { knownQuotationList, quotationList, scopeParameter } from '../lists/list-store.ts'
import { QuotationItem, QuotationOrder, TermsShape } from '../terms/terms-schemas.ts'
import { quotationLifecycle } from '../rules/transitions.ts'
import { quotationStatuses } from '#events/quotations.ts'
import type { QuotationAction, Surface } from '../rules/vocabulary.ts'

const person = { id: Id, first_name: Type.String(), last_name: Type.String(), email: Type.String() }
export const QuotationPerson = Type.Object(person, {
  title: 'QuotationPerson',
  description: 'Somebody who has to do with a quotation.',
})
const QuotationOwner = Type.Object(
  {
    ...person,
    division: Type.Object(
      { id: Id, name: Type.String(), phone_number: Type.String(), erp_code: Type.String() },
      { description: 'Its division when the quotation was made.' },
    ),
  },
  { title: 'QuotationOwner', description: 'The buyer who made the quotation.' },
)

/** What the quotations of a list have: what document 3 names, what their amounts are in, when they end, and what a change of one can name. */
const listFields = {
  id: Id,
  number: Type.String({ examples: ['Q-2026-000007'] }),
  total_amount: Amount,
  net_amount: Amount,
  name: Type.String(),
  user: QuotationOwner,
  created_at: Timestamp,
  modified_at: Timestamp,
  status: OneOf(quotationStatuses),
  currency: Currency,
  expires_at: Nullable(Timestamp),
  version: Type.Integer({ description: 'Goes up with every change; also the `ETag` of the record.' }),
}
export const QuotationShape = Type.Object(listFields, { title: 'Quotation', description: 'A quotation in a list.' })
const QuotationPage = Type.Object(Envelope(QuotationShape).properties, {
  title: 'QuotationPage',
  description: 'A page of quotations.',
})

export const QuotationDetail = Type.Object(
  {
    ...listFields,
    ...TermsShape.properties,
    items: Type.Array(QuotationItem),
    revision: Type.Integer({ description: 'The terms that were sent last, or those that were submitted (1).' }),
    sent_at: Nullable(Timestamp),
    next_reminder_at: Nullable({
      ...Timestamp,
      description: 'When its owner can be reminded again; null: at once, or it does not wait for its owner.',
    }),
    reason: Nullable(
      Type.Object(
        {
          text: Type.String(),
          action: OneOf(['reject', 'cancel']),
          by: QuotationPerson,
          at: Timestamp,
        },
        { description: 'Why it was rejected or cancelled; null: it was not, or nobody said.' },
      ),
    ),
    assignee: Nullable(QuotationPerson),
    orders: Type.Array(QuotationOrder),
    batch_size: Type.Integer({
      minimum: 1,
      description: 'Most units of an order of it: what holds now, and once it is approved what held then.',
    }),
    comments_count: Type.Integer(),
    allowed_actions: Type.Array(OneOf(quotationLifecycle.actions), { description: 'What the caller may do now.' }),
    blocked_actions: Type.Record(Type.String(), Type.String(), {
      description: 'What the caller may do at other times, and why not now.',
    }),
    seen: Nullable(
      Type.Object(
        { revision: Type.Integer(), at: Timestamp },
        {
          description:
            'The newest terms of which its owner said that they saw them, and when they first did; null: of none.',
        },
      ),
    ),
  },
  { title: 'QuotationDetail', description: 'A quotation with its terms, its orders, and what the caller may do.' },
)
/** What an answer has that a client may send back. */
export const readOnly = Object.keys(QuotationDetail.properties)

/** Where a quotation was changed since it was read. */
export const stale = { 412: errorResponses[404] }
/** With its version, which a change can name. */
export const DetailAnswer = WithHeaders(QuotationDetail, 'ETag')
const detail = { 200: DetailAnswer, ...stale }

export const ifMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({ maxLength: 1000, description: 'The `ETag` that was read: 412 when it was changed since.' }),
  ),
})

export const Name = Type.String({ minLength: 1, maxLength: 255, pattern: String.raw`\S`, examples: ['Spring order'] })
export const TimeOrNever = orNull(
  SentTime({ description: 'A time in the future; null: never.', examples: ['2099-12-31T00:00:00Z'] }),
)

export const route: Readonly<Record<Surface, RouteOptions>> = {
  storefront: makeRouteOptions('My quotations', errorResponses),
  admin: makeRouteOptions('Quotations', errorResponses),
}
export const reading = {
  storefront: operationsFor({ access: { role: 'user', scope: 'quotations:read' } }),
  admin: operationsFor({ access: { role: 'staff', scope: 'quotations:read' } }),
} as const
export const writing = (role: Exclude<Access, 'public'>['role']) =>
  // Writes of a buyer wait for each other, and at most so many of them.
  operationsFor({ access: { role, scope: 'quotations:write' }, ...(role === 'user' && { also: [429] }) })
export const idOf = (operation: string, surface: Surface, rest = ''): string =>
  `${operation}${surface === 'storefront' ? 'My' : ''}Quotation${rest}`

/** What a change of one quotation takes. */
export const one = { params: IdParams, headers: ifMatch }
const noBody = OptionalBody({}, { examples: [{}] })
const aliased = 'The path is also reached as `/b2b/my-quotations/`, below it too.'

export const listMine = route.storefront(
  reading.storefront(
    'listMyQuotations',
    'List quotations of the caller, or those of the tree of its main division',
    `The newest first. Amounts are those that were submitted or sent last. ${aliased}`,
  ),
  { querystring: knownQuotationList.querystring, response: { 200: QuotationPage } },
)
export const list = route.admin(reading.admin('listQuotations', 'List quotations', 'The newest first.'), {
  querystring: quotationList.querystring,
  response: { 200: QuotationPage },
})
const counted = { values: quotationStatuses, title: 'QuotationCounts', what: 'quotations' }
const countedBy = 'Those that fit the other filters of the list.'
export const counting = {
  storefront: {
    ...counted,
    route: route.storefront,
    operation: reading.storefront('countMyQuotations', 'Count quotations of the caller by their status', countedBy),
    list: knownQuotationList,
    parameters: scopeParameter,
  },
  admin: {
    ...counted,
    route: route.admin,
    operation: reading.admin('countQuotations', 'Count quotations by their status', countedBy),
    list: quotationList,
  },
}
export const create = route.storefront(
  writing('user')(
    'createMyQuotation',
    'Make a quotation of the basket',
    'Empties the basket. Prices stay as they are now. A quotation of a main division is pending; one of a branch waits for its ' +
      'main division first, unless IS_SUB_DIVISION_QUOTATION_APPROVAL_REQUIRED is false.',
  ),
  {
    body: Body({ name: Name }, [], {
      title: 'NewMyQuotation',
      description: 'A quotation to make of the basket.',
      examples: [{ name: 'Spring order' }],
    }),
    response: { 201: WithHeaders(QuotationDetail, 'ETag', 'Location') },
  },
)

const readings = {
  storefront: reading.storefront(
    'getMyQuotation',
    'Read a quotation of the caller or its tree',
    'With the terms that were submitted or sent last: what the seller is changing in a draft is not known before it is sent.',
  ),
  admin: reading.admin('getQuotation', 'Read a quotation', 'With its terms as they are now, also those of a draft.'),
}
export const getOptions = (surface: Surface) =>
  route[surface](readings[surface], { params: IdParams, response: detail })

const summaries: Readonly<Record<MoveAction, string>> = {
  'approve-pending-request': 'Approve a quotation of a branch, as its main division',
  cancel: 'Cancel a quotation',
  reject: 'Reject a quotation',
  'set-as-draft': 'Make a quotation a draft, to edit it; an offer that was sent is withdrawn',
  'send-approval-request': 'Send a quotation to its owner for approval; once more is a reminder, at most one an hour',
  approve: 'Approve a quotation, which makes its orders',
}
const RevisionSeen = Type.Integer({
  minimum: 1,
  description: 'The terms that are approved: refused when there are newer ones.',
})
const withReason = OptionalBody(
  {
    reason: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description: 'Why, as plain text: everybody who can read the quotation reads it.',
      }),
    ),
  },
  { examples: [{ reason: 'We have found it for less.' }] },
)
const ZeroConfirmed = Type.Boolean({
  description: 'true: it is approved also where its net amount is 0, which is refused otherwise.',
})
const moveBodies: Partial<Record<MoveAction, TSchema>> = {
  approve: OptionalBody(
    { revision: Type.Optional(RevisionSeen), confirm_zero: Type.Optional(ZeroConfirmed) },
    { examples: [{ revision: 1 }] },
  ),
  cancel: withReason,
  reject: withReason,
  'set-as-draft': OptionalBody(
    { expires_at: Type.Optional(TimeOrNever) },
    { examples: [{ expires_at: '2099-12-31T00:00:00Z' }] },
  ),
}

interface MoveBody {
  readonly revision?: number
  readonly confirm_zero?: boolean
  readonly reason?: string
  readonly expires_at?: string | null
}

const reminding = operationsFor({ access: { role: 'superuser', scope: 'quotations:write' }, also: [429] })

/** Moves that there are on a surface, by the table. */
export const movesOn = (surface: Surface): readonly MoveAction[] =>
  moves.filter((action) => quotationLifecycle.rules.some((rule) => rule.action === action && rule.surface === surface))

/** The role that an action of the back office is for, by the table. */
export const roleFor = (action: QuotationAction): 'staff' | 'superuser' =>
  quotationLifecycle.rules.some(
    (rule) => rule.surface === 'admin' && rule.action === action && rule.actors?.includes('staff'),
  )
    ? 'staff'
    : 'superuser'

const camel = (words: string): string => words.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

export const moveOptions = (action: MoveAction, surface: Surface) =>
  route[surface](
    (action === 'send-approval-request' ? reminding : writing(surface === 'storefront' ? 'user' : roleFor(action)))(
      idOf(camel(action), surface),
      summaries[action],
      describeAction(quotationLifecycle, action, surface),
    ),
    {
      ...one,
      body: Type.Unsafe<MoveBody | null>(moveBodies[action] ?? noBody),
      response: detail,
    },
  )

export const duplicateToBasket = route.storefront(
  writing('user')(
    'duplicateMyQuotation',
    'Replace the basket with what is in a quotation',
    'The quotation stays as it is. Prices are those of today again.',
  ),
  { ...one, body: noBody, response: { 200: BasketShape, ...stale } },
)
export const duplicate = route.admin(
  writing(roleFor('duplicate'))(
    'duplicateQuotation',
    'Make a new draft with the terms of a quotation',
    'Of the same owner. The quotation stays as it is.',
  ),
  { ...one, body: noBody, response: { 201: DetailAnswer, ...stale } },
)
