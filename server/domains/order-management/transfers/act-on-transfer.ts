import type { Tx } from '#platform/db/database.ts'
import { orNotFound } from '#platform/errors.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Command } from '../routes.ts'
import { moveShipmentOf } from '../shipments/index.ts'
import { holdWorkLocation } from '../stock-locations/index.ts'
import { bookStep, placeOf, refuseDisposition } from '../stock-documents/index.ts'
import { moveStock, type Cause } from '../stock/index.ts'
import { transferLifecycle, type TransferAction } from './lifecycle.ts'
import { lossesOf, receivedItems } from './receipt.ts'
import type { ActionBody } from './schemas.ts'
import { setReceived, transferStore } from './store.ts'
import { transferEvent, type Transfer } from './transfer.ts'

/**
 * Moves a transfer by its table: stock, shipment, history and events in the same transaction.
 *
 * Locks are taken in the order transfer, location, stock balances; the transfer's lock also covers its shipment. Of two
 * moves at once the second sees what the first left, and is refused if that has no such move.
 * @throws AppError 404; 400 with what is allowed instead; 400 for a receipt or disposition that does not fit, and to hand
 * it to a source that is inactive.
 */
export const makeActOnTransfer =
  ({ clock, outbox }: Pick<Dependencies, 'clock' | 'outbox'>) =>
  async (tx: Tx, { id, action, actorId, body }: Command<TransferAction, ActionBody>): Promise<Transfer> => {
    const { disposition, reason } = body
    const before = orNotFound(await transferStore.lock(tx, id))
    const move = transferLifecycle.permit(action, before)
    refuseDisposition(move.needs, disposition, {
      missing: 'Say what becomes of the goods under way: return or write_off.',
      needless: 'Only a transfer that is in transit has goods to decide about.',
    })
    const now = clock.now()
    const why = { cause: before.number, actorId, at: now }

    // Only where stock is allocated is new work handed over, so only there the source must be active. Every other move
    // finishes what began, and must not strand goods at or between inactive ends.
    const isHandedOver = move.stock === 'allocate'
    const { items, fromLocationId, toLocationId } = before
    const from = isHandedOver ? await holdWorkLocation(tx, fromLocationId, 'from_location') : placeOf(fromLocationId)
    const situation = { items, from, to: isHandedOver ? from : placeOf(toLocationId), disposition }
    await bookStep(tx, move.stock, situation, { ...why, allowedActions: transferLifecycle.allowedActions(before) })
    if (move.stock === 'arrive') await bookReceipt(tx, before, body, why)
    const shipmentEvents = await moveShipmentOf(tx, { transferId: id }, move.shipment, now)
    const said = { reason: reason ?? null, disposition: disposition ?? null }
    const after = await transferStore.move(tx, before, { action, toStatus: move.to, ...said, actorId, createdAt: now })
    await outbox.append(tx, [transferEvent(after), ...shipmentEvents])
    return after
  }

/** Writes down what arrived, and off what did not, with the reason that was given for it. */
const bookReceipt = async (tx: Tx, before: Transfer, receipt: ActionBody, why: Cause): Promise<void> => {
  const items = receivedItems(before.items, receipt)
  await setReceived(tx, before.id, items)
  const losses = lossesOf(items, placeOf(before.toLocationId))
  if (losses.length > 0) await moveStock(tx, losses, { ...why, cause: `${why.cause}: ${receipt.reason ?? ''}` })
}
