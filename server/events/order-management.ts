import { Type } from 'typebox'
import { Nullable, OneOf } from '#platform/http/schemas.ts'
import { defineEvent } from './event.ts'

export const packageStatuses = [
  'created',
  'transitioned',
  'packed',
  'shipped',
  'packed_for_refund',
  'cancelled',
] as const
export type PackageStatus = (typeof packageStatuses)[number]

export const transferStatuses = [
  'created',
  'transitioned',
  'ready_to_shipment',
  'in_transit',
  'transferred',
  'cancelled',
] as const
export type TransferStatus = (typeof transferStatuses)[number]

export const shipmentStatuses = [
  'created',
  'ready',
  'in_transit',
  'out_for_delivery',
  'delivered',
  'failed',
  'returned',
  'cancelled',
] as const
export type ShipmentStatus = (typeof shipmentStatuses)[number]

export const locationKinds = ['warehouse', 'store', 'virtual'] as const
export type LocationKind = (typeof locationKinds)[number]

const Timestamp = Type.String({ format: 'date-time' })
const times = { created_date: Timestamp, modified_date: Timestamp }
const Id = Type.Integer({ minimum: 1 })

/** A stock location as subscribers see it (fulfilment, "Stock location"). */
export const StockLocationData = Type.Object(
  {
    id: Id,
    code: Type.String(),
    name: Type.String(),
    kind: OneOf(locationKinds),
    address: Type.String(),
    is_active: Type.Boolean(),
    allow_backorder: Type.Boolean(),
    ...times,
  },
  { title: 'StockLocation', description: 'A place that holds stock.' },
)

/** A package as subscribers see it (fulfilment, "Package"). */
export const PackageData = Type.Object(
  {
    id: Id,
    number: Type.String(),
    order_number: Type.String(),
    stock_location: Nullable(Id),
    status: OneOf(packageStatuses),
    items: Type.Array(Type.Object({ sku: Type.String(), quantity: Type.Integer({ minimum: 1 }) })),
    shipment: Nullable(Id),
    ...times,
  },
  { title: 'PackageData', description: 'A package as it was when the event happened.' },
)

/** A package with the carrier's number of its shipment. */
export const PackageAwbData = Type.Object(
  { ...PackageData.properties, awb_number: Type.String() },
  {
    title: 'PackageAwbData',
    description: "A package as it was when the event happened, with the carrier's number of its shipment.",
  },
)

/** A shipment as subscribers see it (fulfilment, "Shipment"). */
export const ShipmentData = Type.Object(
  {
    id: Id,
    package: Type.Union([Id, Type.Null()], { description: 'What it carries; null for the shipment of a transfer.' }),
    transfer: Type.Union([Id, Type.Null()], { description: 'What it carries; null for the shipment of a package.' }),
    carrier: Type.String(),
    awb_number: Nullable(Type.String()),
    tracking_url: Nullable(Type.String()),
    status: OneOf(shipmentStatuses),
    ...times,
  },
  { title: 'ShipmentData', description: 'A shipment as it was when the event happened.' },
)

/** A transfer as subscribers see it (fulfilment, "Transfer"). */
export const TransferData = Type.Object(
  {
    id: Id,
    number: Type.String(),
    from_location: Id,
    to_location: Id,
    package: Type.Union([Id, Type.Null()], { description: 'The package that it serves.' }),
    shipment: Nullable(Id),
    status: OneOf(transferStatuses),
    items: Type.Array(
      Type.Object({
        sku: Type.String(),
        quantity: Type.Integer({ minimum: 1 }),
        received: Type.Integer({ minimum: 0, description: 'Pieces that arrived; 0 until the transfer is received.' }),
      }),
    ),
    ...times,
  },
  { title: 'TransferData', description: 'A transfer as it was when the event happened.' },
)

const exampleTimes = { created_date: '2026-11-21T09:30:00.000Z', modified_date: '2026-11-21T09:30:00.000Z' }

const packageExample = {
  id: 7,
  number: 'P-2026-000007',
  order_number: 'O-1001',
  stock_location: 1,
  status: 'created' as const,
  items: [{ sku: 'CHAIR-OAK', quantity: 2 }],
  shipment: null,
  ...exampleTimes,
}

const packageBecame = (status: PackageStatus, description = `The status of a package becomes ${status}.`) =>
  defineEvent({
    description,
    about: 'package',
    schema: PackageData,
    example: { ...packageExample, status },
  })

const shipmentExample = {
  id: 3,
  package: 7,
  transfer: null,
  carrier: 'DHL',
  awb_number: 'JD014600003828',
  tracking_url: 'https://carrier.example/JD014600003828',
  status: 'created' as const,
  ...exampleTimes,
}

const shipmentEvent = (description: string, status: ShipmentStatus) =>
  defineEvent({ description, about: 'shipment', schema: ShipmentData, example: { ...shipmentExample, status } })

const transferExample = {
  id: 5,
  number: 'T-2026-000005',
  from_location: 1,
  to_location: 2,
  package: null,
  shipment: null,
  status: 'created' as const,
  items: [{ sku: 'CHAIR-OAK', quantity: 2, received: 0 }],
  ...exampleTimes,
}

const transferBecame = (status: TransferStatus, description = `The status of a transfer becomes ${status}.`) => {
  const items = [{ sku: 'CHAIR-OAK', quantity: 2, received: status === 'transferred' ? 2 : 0 }]
  return defineEvent({
    description,
    about: 'transfer',
    schema: TransferData,
    example: { ...transferExample, status, items },
  })
}

const locationExample = {
  id: 1,
  code: 'IST-1',
  name: 'Main warehouse',
  kind: 'warehouse' as const,
  address: 'Dock 4, Harbour Road 12',
  is_active: true,
  allow_backorder: false,
  ...exampleTimes,
}

const locationEvent = (description: string) =>
  defineEvent({ description, about: 'stocklocation', schema: StockLocationData, example: locationExample })

/** Events of packages, shipments, transfers and stock locations (document 2, "Events"). */
export const orderManagementEvents = {
  'package.created': packageBecame('created', 'A package is created.'),
  'package.status.transitioned': packageBecame('transitioned'),
  'package.status.packed': packageBecame('packed'),
  'package.status.cancelled': packageBecame('cancelled'),
  'package.status.shipped': packageBecame('shipped'),
  'package.status.packed_for_refund': packageBecame('packed_for_refund'),
  'package.shipment.awb_number': defineEvent({
    description: "The awb number of a package's shipment is set or changes.",
    about: 'package',
    schema: PackageAwbData,
    example: { ...packageExample, status: 'packed', shipment: 3, awb_number: 'JD014600003828' },
  }),
  'shipment.created': shipmentEvent(
    'A shipment is created for a package, or for a transfer that serves one.',
    'created',
  ),
  'shipment.status.updated': shipmentEvent(
    'The status of a shipment changes, or that of the transfer it carries.',
    'in_transit',
  ),
  'shipment.cancelled': shipmentEvent('A shipment is cancelled.', 'cancelled'),
  'transfer.status.created': transferBecame('created', 'A transfer is created.'),
  'transfer.status.transitioned': transferBecame('transitioned'),
  'transfer.status.ready_to_shipment': transferBecame('ready_to_shipment'),
  'transfer.status.in_transit': transferBecame('in_transit'),
  'transfer.status.transferred': transferBecame('transferred'),
  'transfer.status.cancelled': transferBecame('cancelled'),
  'stock_location.created': locationEvent('A stock location is created.'),
  'stock_location.updated': locationEvent('A field of a stock location changes.'),
}
