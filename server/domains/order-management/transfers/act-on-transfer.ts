import type { Tx } from '#platform/db/database.ts'
import { orNotFound } from '#platform/errors.ts'
import type { Dependencies } from '../dependencies.ts'
import { moveTransferShipment } from '../shipments/index.ts'
import { findLocation, holdWorkLocation } from '../stock-locations/index.ts'
import { refuseDisposition, stepMovements } from '../stock-documents/index.ts'
import { insufficientStock, moveStock, type Cause } from '../stock/index.ts'
import { transferLifecycle, type TransferAction, type TransferMove } from './lifecycle.ts'
import { lossesOf, receivedItems, type Receipt } from './receipt.ts'
import { setReceived, transferStore } from './store.ts'
import { transferEvent, type Disposition, type Transfer } from './transfer.ts'

interface TransferCommand {
  readonly transferId: number
  readonly action: TransferAction
  readonly disposition: Disposition | undefined
  readonly receipt: Receipt
  readonly actorId: number
}

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
  async (tx: Tx, command: TransferCommand): Promise<Transfer> => {
    const { transferId, action, actorId, disposition, receipt } = command
    const before = orNotFound(await transferStore.lock(tx, transferId))
    const move = transferLifecycle.permit(action, before)
    refuseDisposition(move.needs, disposition, {
      missing: 'Say what becomes of the goods under way: return or write_off.',
      needless: 'Only a transfer that is in transit has goods to decide about.',
    })
    const now = clock.now()
    const why = { cause: before.number, actorId, at: now }

    await bookStock(tx, { before, move, disposition, why })
    if (move.stock === 'arrive') await bookReceipt(tx, before, receipt, why)
    const shipmentEvents = await moveTransferShipment(tx, transferId, move.shipment, now)
    const after = await transferStore.move(tx, before, {
      action,
      toStatus: move.to,
      reason: receipt.reason ?? null,
      disposition: disposition ?? null,
      actorId,
      createdAt: now,
    })
    await outbox.append(tx, [transferEvent(after), ...shipmentEvents])
    return after
  }

interface Booking {
  readonly before: Transfer
  readonly move: TransferMove
  readonly disposition: Disposition | undefined
  readonly why: Cause
}

const bookStock = async (tx: Tx, { before, move, disposition, why }: Booking): Promise<void> => {
  const { fromLocationId, toLocationId, items } = before
  // Only where stock is allocated is new work handed over, so only there the source must be active; back-orders matter
  // nowhere else. Every other move finishes what began, and must not strand goods at or between inactive ends.
  const source = move.stock === 'allocate' ? await holdWorkLocation(tx, fromLocationId, 'from_location') : undefined
  const from = source ?? { id: fromLocationId, allowBackorder: false }
  const to = move.stock === 'allocate' ? from : { id: toLocationId, allowBackorder: false }
  const movements = stepMovements(move.stock, { items, from, to, disposition })
  if (movements.length === 0) return
  const moved = await moveStock(tx, movements, why)
  if (moved.ok) return
  const { code } = source ?? (await findLocation(tx, fromLocationId)) ?? { code: String(fromLocationId) }
  throw insufficientStock(code, moved.shortages, transferLifecycle.allowedActions(before))
}

/** Writes down what arrived, and off what did not, with the reason that was given for it. */
const bookReceipt = async (tx: Tx, before: Transfer, receipt: Receipt, why: Cause): Promise<void> => {
  const items = receivedItems(before.items, receipt)
  await setReceived(tx, before.id, items)
  const losses = lossesOf(items, { id: before.toLocationId, allowBackorder: false })
  if (losses.length > 0) await moveStock(tx, losses, { ...why, cause: `${why.cause}: ${receipt.reason ?? ''}` })
}
