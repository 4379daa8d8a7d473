import type { NewEvent } from '#delivery/outbox/outbox.ts'
import type { ShipmentStatus } from '#events/order-management.ts'
import type { Tx } from '#platform/db/database.ts'
import { shipmentLifecycle } from './lifecycle.ts'
import { statusEvents } from './shipment.ts'
import { findShipmentOf, updateShipment, type Carried } from './store.ts'

/**
 * Moves a shipment along with what it carries: that of a package if it can make the move, that of a transfer always,
 * because the transfer's table has decided where to. A transfer's event is raised even where the status of its shipment
 * stays, because its own has changed (document 2, "Events"). The caller holds the row of the package or transfer.
 * @returns the events to append, none when there is nothing to move.
 */
export const moveShipmentOf = async (
  tx: Tx,
  carried: Carried,
  to: ShipmentStatus | undefined,
  now: Date,
): Promise<NewEvent[]> => {
  const shipment = to && (await findShipmentOf(tx, carried))
  if (!shipment) return []
  const decision = shipmentLifecycle.decide(to, shipment, { actors: ['package'] })
  if ('packageId' in carried && 'refused' in decision) return []
  return statusEvents(await updateShipment(tx, shipment, { status: to }, now))
}
