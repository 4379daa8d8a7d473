import type { NewEvent } from '#delivery/outbox/outbox.ts'
import type { ShipmentStatus } from '#events/order-management.ts'
import type { Tx } from '#platform/db/database.ts'
import { refuseBadFields } from './shipment-fields.ts'
import { shipmentEvent, statusEvents, type ShipmentFields } from './shipment.ts'
import { findShipmentOf, insertShipment, updateShipment } from './store.ts'

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
