import { Type } from 'typebox'
import { ShipmentData, shipmentStatuses } from '#events/order-management.ts'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import {
  Body,
  CheckedElsewhere,
  errorResponses,
  httpPattern,
  Id,
  NotBlank,
  OneOf,
  orNull,
} from '#platform/http/schemas.ts'
import { describeStatuses } from '#platform/lifecycle/lifecycle-text.ts'
import { BlockedActions, writing } from '../routes.ts'
import { shipmentLifecycle } from './lifecycle.ts'

export const route = makeRouteOptions('Shipments', errorResponses)

export const Carrier = NotBlank(100, { examples: ['DHL'] })
export const AwbNumber = orNull(NotBlank(64, { examples: ['JD014600003828'] }))
export const TrackingUrl = orNull(
  CheckedElsewhere(Type.String({ maxLength: 2048, examples: ['https://carrier.example/JD014600003828'] }), {
    pattern: httpPattern,
  }),
)
const readOnly = [
  'id',
  'transfer',
  'created_date',
  'modified_date',
  'allowed_statuses',
  'allowed_actions',
  'blocked_actions',
]

export const NewShipment = Body(
  { package: Id, carrier: Carrier, awb_number: Type.Optional(AwbNumber), tracking_url: Type.Optional(TrackingUrl) },
  [...readOnly, 'status'],
  {
    title: 'NewShipment',
    description: 'A shipment to make for a package.',
    examples: [{ package: 1, carrier: 'DHL', awb_number: 'JD014600003828' }],
  },
)
export const ShipmentChanges = Body(
  {
    carrier: Type.Optional(Carrier),
    awb_number: Type.Optional(AwbNumber),
    tracking_url: Type.Optional(TrackingUrl),
    status: Type.Optional(OneOf(shipmentStatuses)),
  },
  [...readOnly, 'package'],
  {
    title: 'ShipmentPatch',
    description: 'Changes of a shipment; what is left out stays.',
    examples: [{ awb_number: 'JD014600003828' }],
  },
)
export const ShipmentShape = Type.Object(
  {
    ...ShipmentData.properties,
    allowed_statuses: Type.Array(OneOf(shipmentStatuses), { description: 'What PATCH can set `status` to.' }),
    allowed_actions: Type.Array(Type.String(), {
      description: 'Path segments of the operations that are possible now.',
    }),
    blocked_actions: BlockedActions,
  },
  { title: 'Shipment', description: 'How a package travels, and what can become of it.' },
)
export const create = writing(
  'createShipment',
  'Create the shipment of a package',
  'The package must be created, transitioned or packed, and must have no other shipment that is not cancelled.',
)
export const update = writing(
  'updateShipment',
  'Change a shipment or its status',
  `Statuses that can follow: ${describeStatuses(shipmentLifecycle, { actors: ['operator'] })}. A shipment becomes in_transit when its package is shipped. The status of a transfer's shipment follows the transfer and cannot be set.`,
)
