import { Type, type TUnsafe } from 'typebox'
import { TransferData, transferStatuses } from '#events/order-management.ts'
import { orderingQuery, pageQuery } from '#platform/http/pagination.ts'
import { Body, errorResponses, Id, IdParams, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { describeAction } from '#platform/lifecycle/lifecycle-text.ts'
import { createdDateQuery, OptionalBody, orNull, Quantity, Sku } from '../request-fields.ts'
import { AwbNumber, Carrier, TrackingUrl } from '../shipments/index.ts'
import { transferOrderings } from './list-store.ts'
import { dispositions, type Disposition } from './stock-steps.ts'
import { transferLifecycle, type TransferAction } from './lifecycle.ts'

const transferActions = transferLifecycle.actions

const tags = ['Transfers']
const maxItems = 1000

const TransferShape = Type.Object(
  {
    ...TransferData.properties,
    allowed_actions: Type.Array(OneOf(transferActions), { description: 'Path segments of what can be done now.' }),
  },
  { title: 'Transfer' },
)

const NewTransfer = Body(
  {
    from_location: Id,
    to_location: Id,
    package: Type.Optional(orNull(Id)),
    items: Type.Array(Body({ sku: Sku, quantity: Quantity }, ['received']), { minItems: 1, maxItems }),
    carrier: Type.Optional(Carrier),
    awb_number: Type.Optional(AwbNumber),
    tracking_url: Type.Optional(TrackingUrl),
  },
  ['id', 'number', 'status', 'shipment', 'created_date', 'modified_date', 'allowed_actions'],
  {
    title: 'NewTransfer',
    examples: [{ from_location: 1, to_location: 2, items: [{ sku: 'CHAIR-OAK', quantity: 2 }] }],
  },
)

export const listSchema = {
  tags,
  summary: 'List transfers',
  operationId: 'listTransfers',
  querystring: Type.Object({
    ...pageQuery(),
    ...orderingQuery(transferOrderings),
    ...createdDateQuery,
    status: Type.Optional(Type.Array(OneOf(transferStatuses))),
    number: Type.Optional(Type.String()),
    from_location: Type.Optional(Id),
    to_location: Type.Optional(Id),
    package: Type.Optional(Id),
    sku: Type.Optional(Type.String()),
  }),
  response: { 200: Type.Array(TransferShape), ...errorResponses },
}

export const createSchema = {
  tags,
  summary: 'Create a transfer',
  description:
    'Plans a transfer of stock between two active locations; an inactive one is refused. With a `package`, which must be created, transitioned or packed, it gets a shipment that goes along with it; `carrier` ("internal" if not said), `awb_number` and `tracking_url` are about that shipment.',
  operationId: 'createTransfer',
  body: NewTransfer,
  response: { 201: TransferShape, ...errorResponses },
}

export const getSchema = {
  tags,
  summary: 'Read a transfer',
  operationId: 'getTransfer',
  params: IdParams,
  response: { 200: TransferShape, ...errorResponses },
}

export const historySchema = {
  tags,
  summary: 'List the changes of a transfer, oldest first',
  operationId: 'listTransferHistory',
  params: IdParams,
  querystring: Type.Object(pageQuery()),
  response: {
    200: Type.Array(
      Type.Object({
        action: OneOf(['create', ...transferActions]),
        from_status: Nullable(OneOf(transferStatuses)),
        to_status: OneOf(transferStatuses),
        reason: Nullable(Type.String()),
        disposition: Nullable(OneOf(dispositions)),
        actor: Id,
        created_date: Timestamp,
      }),
    ),
    ...errorResponses,
  },
}

interface ActionBody {
  items?: { sku: string; received: number }[]
  reason?: string
  disposition?: Disposition
}
type AnyActionBody = TUnsafe<ActionBody | null>

const ReceivedItem = Body({ sku: Sku, received: Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [1] }) }, [
  'quantity',
])

interface ActionTexts {
  readonly summary: string
  /** What it means that a location is inactive. */
  readonly inactive: string
  readonly body: AnyActionBody
}
const goesOn = 'An end that became inactive does not matter: work that is there goes on.'

const actions: Record<TransferAction, ActionTexts> = {
  transition: {
    summary: 'Hand a transfer to its source, which allocates the stock there',
    inactive: 'An inactive source is refused; an inactive destination is not.',
    body: OptionalBody({}),
  },
  ready: { summary: 'Say that a transfer is ready to ship', inactive: goesOn, body: OptionalBody({}) },
  dispatch: {
    summary: 'Dispatch a transfer: its stock leaves the source',
    inactive: goesOn,
    body: OptionalBody({}),
  },
  receive: {
    summary:
      'Receive a transfer at its destination: everything, or what `items` say with a `reason` for what is missing',
    inactive: goesOn,
    body: OptionalBody(
      {
        items: Type.Optional(Type.Array(ReceivedItem, { maxItems })),
        reason: Type.Optional(Type.String({ minLength: 1, maxLength: 255, examples: ['One box was crushed'] })),
      },
      [{ items: [{ sku: 'CHAIR-OAK', received: 1 }], reason: 'One box was crushed' }],
    ),
  },
  cancel: {
    summary: 'Cancel a transfer, and its shipment with it',
    inactive: goesOn,
    body: OptionalBody({ disposition: Type.Optional(OneOf(dispositions)) }, [{ disposition: dispositions[0] }]),
  },
}

/** The schema of one action's route; what it says of possible moves is read from the table. */
export const actionSchema = (action: TransferAction) => ({
  tags,
  summary: actions[action].summary,
  description: `${describeAction(transferLifecycle, action)} ${actions[action].inactive}`,
  operationId: `${action}Transfer`,
  params: IdParams,
  body: actions[action].body,
  response: { 200: TransferShape, ...errorResponses },
})
