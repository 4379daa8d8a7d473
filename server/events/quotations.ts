import { Type } from 'typebox'
import { Amount, Currency, Nullable, OneOf } from '#platform/http/schemas.ts'
import { defineEvent } from './event.ts'

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
export const orderStatuses = ['pending', 'created', 'failed'] as const

const Timestamp = Type.String({ format: 'date-time' })
const Id = Type.Integer({ minimum: 1 })

/** A quotation as subscribers see it: what it is, not what is in it. */
export const QuotationData = Type.Object(
  {
    id: Id,
    number: Type.String(),
    name: Type.String(),
    status: OneOf(quotationStatuses),
    user: Type.Integer({ minimum: 1, description: 'Its owner.' }),
    division: Type.Integer({ minimum: 1, description: 'The division of its owner.' }),
    currency: Currency,
    total_amount: Amount,
    net_amount: Amount,
    revision: Type.Integer({ minimum: 1 }),
    version: Type.Integer({ minimum: 1 }),
    expires_at: Nullable(Timestamp),
    assignee: Nullable(Id),
    reason: Nullable(
      Type.String({
        description: 'Why it was rejected or cancelled, as plain text; null: it was not, or nobody said.',
      }),
    ),
    created_at: Timestamp,
    modified_at: Timestamp,
  },
  { title: 'QuotationData', description: 'A quotation as it was when the event happened, without its items.' },
)

/** A quotation about to expire, and who is to be told. */
export const QuotationExpiringData = Type.Object(
  {
    ...QuotationData.properties,
    recipient: OneOf(['seller', 'owner'], {
      description: 'Who should hear of it: the seller 48 hours before, the owner 24 hours before.',
    }),
  },
  { title: 'QuotationExpiringData', description: 'A quotation that expires soon, and who should hear of it.' },
)

/** What somebody said about a quotation. */
export const QuotationCommentData = Type.Object(
  {
    id: Id,
    quotation: Id,
    number: Type.String({ description: 'Of the quotation.' }),
    user: Id,
    internal: Type.Boolean({ description: 'Only the back office sees it.' }),
    text: Type.String(),
    created_at: Timestamp,
  },
  { title: 'QuotationCommentData', description: 'A comment on a quotation.' },
)

/** An integer when it is one. */
const RemoteId = Type.Unsafe<number | string>({ type: ['integer', 'string'] })

/** An order that became of a quotation, on its way to the commerce platform. */
export const QuotationOrderData = Type.Object(
  {
    id: Id,
    number: Type.String(),
    quotation: Id,
    revision: Type.Integer({ minimum: 1 }),
    division: Id,
    batch_no: Type.Integer({ minimum: 1 }),
    items: Type.Array(
      Type.Object({
        product_remote_id: RemoteId,
        sku: Type.String(),
        quantity: Type.Integer({ minimum: 1 }),
        amount: Amount,
      }),
    ),
    quantity: Type.Integer({ minimum: 1 }),
    amount: Amount,
    currency: Currency,
    status: OneOf(orderStatuses),
    remote_number: Type.Union([Type.String(), Type.Null()], { description: 'What the commerce platform calls it.' }),
    attempts: Type.Integer({ minimum: 0 }),
    error: Nullable(Type.String()),
    created_at: Timestamp,
    modified_at: Timestamp,
  },
  { title: 'QuotationOrderData', description: 'An order of a quotation as it was when the event happened.' },
)

const example = {
  id: 7,
  number: 'Q-2026-000007',
  name: 'Spring order',
  status: 'pending' as QuotationStatus,
  user: 12,
  division: 3,
  currency: 'EUR',
  total_amount: '29940.00',
  net_amount: '28443.00',
  revision: 1,
  version: 1,
  expires_at: '2026-12-21T09:30:00.000Z',
  assignee: null,
  reason: null,
  created_at: '2026-11-21T09:30:00.000Z',
  modified_at: '2026-11-21T09:30:00.000Z',
}

const becameStatus = (status: QuotationStatus, description: string) =>
  defineEvent({ description, about: 'quotation', schema: QuotationData, example: { ...example, status } })

const orderEvent = (status: (typeof orderStatuses)[number], description: string) =>
  defineEvent({
    description,
    about: 'quotation',
    schema: QuotationOrderData,
    example: {
      id: 31,
      number: 'Q-2026-000007-1',
      quotation: 7,
      revision: 1,
      division: 3,
      batch_no: 1,
      items: [{ product_remote_id: 4711, sku: 'CHAIR-OAK', quantity: 500, amount: '23702.50' }],
      quantity: 500,
      amount: '23702.50',
      currency: 'EUR',
      status,
      remote_number: status === 'created' ? '100231' : null,
      attempts: status === 'pending' ? 0 : 1,
      error: status === 'failed' ? 'The commerce platform answered 503.' : null,
      created_at: '2026-11-21T09:30:00.000Z',
      modified_at: '2026-11-21T09:30:00.000Z',
    },
  })

/** What happens to quotations and the orders that become of them (quotations, "Events"). */
export const quotationEvents = {
  'quotation.created': defineEvent({
    description: 'A quotation is made of a basket, or of another quotation.',
    about: 'quotation',
    schema: QuotationData,
    example,
  }),
  'quotation.status.request_approval': becameStatus(
    'request_approval',
    'A quotation waits for the approval of the main division.',
  ),
  'quotation.status.pending': becameStatus('pending', 'A quotation waits for the seller.'),
  'quotation.status.draft': becameStatus(
    'draft',
    'The seller begins to edit a quotation; an offer that was sent is withdrawn.',
  ),
  'quotation.status.sending_approval_request': becameStatus(
    'sending_approval_request',
    'The owner of a quotation is asked to approve it; raised again by a reminder.',
  ),
  'quotation.status.approved': becameStatus('approved', 'A quotation is approved and ready for ordering.'),
  'quotation.status.rejected': becameStatus('rejected', 'A quotation is rejected.'),
  'quotation.status.cancelled': becameStatus('cancelled', 'The owner cancels a quotation.'),
  'quotation.status.expired': becameStatus('expired', 'A quotation expires.'),
  'quotation.commented': defineEvent({
    description: 'Somebody comments on a quotation.',
    about: 'quotation',
    schema: QuotationCommentData,
    example: {
      id: 5,
      quotation: 7,
      number: 'Q-2026-000007',
      user: 12,
      internal: false,
      text: 'Can you do 5 % on the chairs?',
      created_at: '2026-11-21T09:30:00.000Z',
    },
  }),
  'quotation.expiring': defineEvent({
    description: 'A quotation expires soon: in 48 hours for the seller, in 24 hours for the owner.',
    about: 'quotation',
    schema: QuotationExpiringData,
    example: { ...example, recipient: 'seller' as const },
  }),
  'quotation.order.pending': orderEvent(
    'pending',
    'An order of a quotation waits to be created in the commerce platform.',
  ),
  'quotation.order.created': orderEvent('created', 'An order of a quotation is created in the commerce platform.'),
  'quotation.order.failed': orderEvent(
    'failed',
    'An order of a quotation could not be created in the commerce platform.',
  ),
}
