import type { NewEvent } from '#delivery/outbox/outbox.ts'
import { ShipmentData, type ShipmentStatus } from '#events/order-management.ts'
import { invalidField } from '#platform/errors.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { allowedActions, allowedStatuses, blockedActions } from './lifecycle.ts'

/** What an operator can set besides the status. */
export interface ShipmentFields {
  readonly carrier: string
  /** Air waybill: the carrier's number of the consignment. */
  readonly awbNumber: string | null
  readonly trackingUrl: string | null
}

export interface Shipment extends ShipmentFields {
  readonly id: number
  /** What it carries: a package, or a transfer that serves one; the other is null. */
  readonly packageId: number | null
  readonly transferId: number | null
  readonly status: ShipmentStatus
  readonly createdAt: Date
  readonly modifiedAt: Date
}

/** The shipment as subscribers see it. */
export const toData = makeToWire<Shipment, typeof ShipmentData>(ShipmentData, {
  package: 'packageId',
  transfer: 'transferId',
})

/** The shipment as the API shows it: with what can be done next. */
export const toWire = (shipment: Shipment) => ({
  ...toData(shipment),
  allowed_statuses: allowedStatuses(shipment),
  allowed_actions: allowedActions(shipment),
  blocked_actions: blockedActions(shipment),
})

type ShipmentEventType = 'shipment.created' | 'shipment.status.updated' | 'shipment.cancelled'

/** An event about the shipment as it is now. */
export const shipmentEvent = (type: ShipmentEventType, shipment: Shipment): NewEvent => ({
  type,
  data: toData(shipment),
  scope: 'back-office',
  object: { type: 'shipment', id: shipment.id },
})

/** What a shipment that just came to its status raises (fulfilment, "Shipment"). */
export const statusEvents = (shipment: Shipment): NewEvent[] => [
  shipmentEvent('shipment.status.updated', shipment),
  ...(shipment.status === 'cancelled' ? [shipmentEvent('shipment.cancelled', shipment)] : []),
]

/** @throws AppError 400 for a tracking URL that is none. */
export const refuseBadFields = ({ trackingUrl }: Partial<ShipmentFields>): void => {
  if (trackingUrl === undefined || trackingUrl === null) return
  // Shown as a link, so it must not be able to carry a script.
  if (!/^https?:\/\//i.test(trackingUrl) || !URL.canParse(trackingUrl)) {
    throw invalidField('tracking_url', 'Expected an http or https URL.')
  }
}
