import { Type } from 'typebox'
import { TransferData } from '#events/order-management.ts'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { Body, errorResponses, Id, NotBlank, OneOf, orNull, OptionalBody } from '#platform/http/schemas.ts'
import { Quantity, Sku } from '../request-fields.ts'
import { BlockedActions, writing, type ActionTexts } from '../routes.ts'
import { AwbNumber, Carrier, TrackingUrl } from '../shipments/index.ts'
import { transferLifecycle, type TransferAction } from './lifecycle.ts'
import { dispositions, type Disposition } from './transfer.ts'

export const route = makeRouteOptions('Transfers', errorResponses)
const maxItems = 1000

export const TransferShape = Type.Object(
  {
    ...TransferData.properties,
    allowed_actions: Type.Array(OneOf(transferLifecycle.actions), {
      description: 'Path segments of what can be done now.',
    }),
    blocked_actions: BlockedActions,
  },
  { title: 'Transfer', description: 'Stock on its way from one location to another, and what can be done with it.' },
)

export const NewTransfer = Body(
  {
    from_location: Id,
    to_location: Id,
    package: Type.Optional(orNull(Id)),
    items: Type.Array(Body({ sku: Sku, quantity: Quantity }, ['received']), { minItems: 1, maxItems }),
    carrier: Type.Optional(Carrier),
    awb_number: Type.Optional(AwbNumber),
    tracking_url: Type.Optional(TrackingUrl),
  },
  ['id', 'number', 'status', 'shipment', 'created_date', 'modified_date', 'allowed_actions', 'blocked_actions'],
  {
    title: 'NewTransfer',
    description: 'A transfer to plan.',
    examples: [{ from_location: 1, to_location: 2, items: [{ sku: 'CHAIR-OAK', quantity: 2 }] }],
  },
)

export const create = writing(
  'createTransfer',
  'Create a transfer',
  'Plans a transfer of stock between two active locations; an inactive one is refused. With a `package`, which must be created, transitioned or packed, it gets a shipment that goes along with it; `carrier` ("internal" if not said), `awb_number` and `tracking_url` are about that shipment.',
)

/** The body of an action. */
export interface ActionBody {
  items?: readonly { sku: string; received: number }[]
  reason?: string
  disposition?: Disposition
}

const ReceivedItem = Body(
  { sku: Sku, received: Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [1] }) },
  ['quantity'],
  { title: 'ReceivedItem', description: 'How much of a product arrived.' },
)

/** What it means that a location is inactive. */
const goesOn = 'An end that became inactive does not matter: work that is there goes on.'

export const actionTexts: Record<TransferAction, ActionTexts<ActionBody>> = {
  transition: {
    summary: 'Hand a transfer to its source, which allocates the stock there',
    more: 'An inactive source is refused; an inactive destination is not.',
  },
  ready: { summary: 'Say that a transfer is ready to ship', more: goesOn },
  dispatch: {
    summary: 'Dispatch a transfer: its stock leaves the source',
    more: goesOn,
  },
  receive: {
    summary:
      'Receive a transfer at its destination: everything, or what `items` say with a `reason` for what is missing',
    more: goesOn,
    body: OptionalBody(
      {
        items: Type.Optional(Type.Array(ReceivedItem, { maxItems })),
        reason: Type.Optional(NotBlank(255, { examples: ['One box was crushed'] })),
      },
      { examples: [{ items: [{ sku: 'CHAIR-OAK', received: 1 }], reason: 'One box was crushed' }] },
    ),
  },
  cancel: {
    summary: 'Cancel a transfer, and its shipment with it',
    more: goesOn,
    body: OptionalBody(
      { disposition: Type.Optional(OneOf(dispositions)) },
      { examples: [{ disposition: dispositions[0] }] },
    ),
  },
}
