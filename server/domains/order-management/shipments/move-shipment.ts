import type { NewEvent } from '#delivery/outbox/outbox.ts'
import type { ShipmentStatus } from '#events/order-management.ts'
import type { Tx } from '#platform/db/database.ts'
import { shipmentLifecycle } from './lifecycle.ts'
import { refuseBadFields, shipmentEvent, statusEvents, type ShipmentFields } from './shipment.ts'
import { findShipmentOf, insertShipment, updateShipment } from './store.ts'

/**
 * Moves the package's shipment along with the package, if it has one that can make the move. The
 * caller holds the package's row.
 * @returns the events to append, none when there was nothing to move.
 */
export const moveShipmentOf = async (
  tx: Tx,
  packageId: number,
  to: 'in_transit' | 'cancelled',
  now: Date,
): Promise<NewEvent[]> => {
  const shipment = await findShipmentOf(tx, { packageId })
  if (shipment === undefined || 'refused' in shipmentLifecycle.decide(to, shipment, { actors: ['package'] })) return []
  return statusEvents(await updateShipment(tx, shipment, { status: to }, now))
}

/**
 * Makes the shipment of a transfer that serves a package. The caller holds the transfer's row.
 * @returns the event to append. @throws AppError 400 for fields that are not valid.
 */
export const createTransferShipment = async (
  tx: Tx,
  transferId: number,
  fields: ShipmentFields,
  now: Date,
): Promise<NewEvent> => {
  refuseBadFields(fields)
  return shipmentEvent('shipment.created', await insertShipment(tx, { transferId }, fields, now))
}

/**
 * Moves the transfer's shipment along with the transfer, if it has one; the transfer's table has decided where to. The
 * event is raised even where the status stays, because that of the transfer has changed (document 2, "Events").
 * The caller holds the transfer's row.
 * @returns the events to append, none when there is no shipment.
 */
export const moveTransferShipment = async (
  tx: Tx,
  transferId: number,
  to: ShipmentStatus,
  now: Date,
): Promise<NewEvent[]> => {
  const shipment = await findShipmentOf(tx, { transferId })
  return shipment === undefined ? [] : statusEvents(await updateShipment(tx, shipment, { status: to }, now))
}
