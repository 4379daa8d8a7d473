import type { Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound } from '#platform/errors.ts'
import type { Dependencies } from '../dependencies.ts'
import { moveShipmentOf } from '../shipments/index.ts'
import { holdWorkLocation, type StockLocation } from '../stock-locations/index.ts'
import { refuseDisposition, stepMovements } from '../stock-documents/index.ts'
import { insufficientStock, moveStock } from '../stock/index.ts'
import { packageLifecycle, type PackageAction, type PackageMove } from './lifecycle.ts'
import { packageEvent, type Disposition, type Package } from './package.ts'
import { packageStore } from './store.ts'

interface PackageCommand {
  readonly packageId: number
  readonly action: PackageAction
  /** Where to hand the package to. Absent: where it was planned to go. */
  readonly locationId: number | undefined
  readonly disposition: Disposition | undefined
  readonly actorId: number
}

/**
 * Moves a package by its table: stock, shipment, history and events in the same transaction.
 *
 * Locks are taken in the order package, location, stock balances; the package's lock also covers its
 * shipment. Of two moves at once the second sees what the first left, and is refused if that has no such move.
 * @throws AppError 404; 400 with what is allowed instead; 400 for a location or disposition that does not fit.
 */
export const makeActOnPackage =
  ({ clock, outbox }: Pick<Dependencies, 'clock' | 'outbox'>) =>
  async (tx: Tx, command: PackageCommand): Promise<Package> => {
    const { packageId, action, actorId } = command
    const before = orNotFound(await packageStore.lock(tx, packageId))
    const move = packageLifecycle.permit(action, before)
    refuseDisposition(move.needs, command.disposition, {
      missing: 'Say what becomes of the goods: restock or write_off.',
      needless: 'Only a package that is packed for refund has goods to decide about.',
    })
    const target = move.needs === 'location' ? await targetOf(tx, before, command.locationId) : undefined
    const now = clock.now()

    await bookStock(tx, { before, move, target, command, now })
    const shipmentEvents = move.shipment === undefined ? [] : await moveShipmentOf(tx, packageId, move.shipment, now)
    const locationId = target?.id ?? before.locationId
    const isSold = before.isSold || move.stock === 'sell'
    const change = { action, toStatus: move.to, locationId, actorId, createdAt: now }
    const after = await packageStore.move(tx, before, change, { locationId, isSold })
    await outbox.append(tx, [...shipmentEvents, packageEvent(after)])
    return after
  }

const targetOf = async (tx: Tx, parcel: Package, wanted: number | undefined): Promise<StockLocation> => {
  const id = wanted ?? (parcel.status === 'created' ? parcel.locationId : null)
  if (id === null) throw invalidField('stock_location', 'This field is required.')
  if (parcel.status === 'transitioned' && id === parcel.locationId) {
    throw invalidField('stock_location', 'The package is at this stock location already.')
  }
  return holdWorkLocation(tx, id, 'stock_location')
}

interface Booking {
  readonly before: Package
  readonly move: PackageMove
  readonly target: StockLocation | undefined
  readonly command: PackageCommand
  readonly now: Date
}

const bookStock = async (tx: Tx, { before, move, target, command, now }: Booking): Promise<void> => {
  // Back-orders only matter where stock is taken, and that is the target.
  const from = before.locationId === null ? undefined : { id: before.locationId, allowBackorder: false }
  const { items, isSold } = before
  const movements = stepMovements(move.stock, { items, from, to: target, isSold, disposition: command.disposition })
  if (movements.length === 0) return
  const moved = await moveStock(tx, movements, { cause: before.number, actorId: command.actorId, at: now })
  if (!moved.ok) throw insufficientStock(target?.code ?? '', moved.shortages, packageLifecycle.allowedActions(before))
}
