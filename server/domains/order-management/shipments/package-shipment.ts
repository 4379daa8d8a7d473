import type { NewEvent } from '#delivery/outbox/outbox.ts'
import type { Tx } from '#platform/db/database.ts'
import { shipmentLifecycle } from './lifecycle.ts'
import { statusEvents } from './shipment.ts'
import { findShipmentOf, updateShipment } from './store.ts'

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
