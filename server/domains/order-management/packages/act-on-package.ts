import type { Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound } from '#platform/errors.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Command } from '../routes.ts'
import { moveShipmentOf } from '../shipments/index.ts'
import { holdWorkLocation, type StockLocation } from '../stock-locations/index.ts'
import { bookStep, placeOf, refuseDisposition } from '../stock-documents/index.ts'
import { packageLifecycle, type PackageAction } from './lifecycle.ts'
import { packageEvent, type Package } from './package.ts'
import type { ActionBody } from './schemas.ts'
import { packageStore } from './store.ts'

/**
 * Moves a package by its table: stock, shipment, history and events in the same transaction.
 *
 * Locks are taken in the order package, location, stock balances; the package's lock also covers its
 * shipment. Of two moves at once the second sees what the first left, and is refused if that has no such move.
 * @throws AppError 404; 400 with what is allowed instead; 400 for a location or disposition that does not fit.
 */
export const makeActOnPackage =
  ({ clock, outbox }: Pick<Dependencies, 'clock' | 'outbox'>) =>
  async (tx: Tx, { id, action, actorId, body }: Command<PackageAction, ActionBody>): Promise<Package> => {
    const { disposition, stock_location: wanted } = body
    const before = orNotFound(await packageStore.lock(tx, id))
    const move = packageLifecycle.permit(action, before)
    refuseDisposition(move.needs, disposition, {
      missing: 'Say what becomes of the goods: restock or write_off.',
      needless: 'Only a package that is packed for refund has goods to decide about.',
    })
    const to = move.needs === 'location' ? await targetOf(tx, before, wanted) : undefined
    const now = clock.now()

    const from = before.locationId === null ? undefined : placeOf(before.locationId)
    const { number: cause, items, isSold } = before
    const allowedActions = packageLifecycle.allowedActions(before)
    await bookStep(
      tx,
      move.stock,
      { items, from, to, isSold, disposition },
      { cause, actorId, at: now, allowedActions },
    )
    const shipmentEvents = await moveShipmentOf(tx, { packageId: id }, move.shipment, now)
    const locationId = to?.id ?? before.locationId
    const change = { action, toStatus: move.to, locationId, actorId, createdAt: now }
    const after = await packageStore.move(tx, before, change, { locationId, isSold: isSold || move.stock === 'sell' })
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
