import { DatabaseUnavailable } from '#platform/db/database-unavailable.ts'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { shareRuns } from '#platform/share-runs.ts'
import type { Dependencies } from '../dependencies.ts'
import { refuseBlank } from '../request-fields.ts'
import { holdWorkLocation } from '../stock-locations/index.ts'
import { refuseDoubles, refuseUnknownSkus } from '../stock/index.ts'
import { packageEvent, type Package } from './package.ts'
import { packageStore } from './store.ts'

export type NewPackage = Pick<Package, 'orderNumber' | 'locationId' | 'items'> &
  Partial<Pick<Package, 'quotationOrderId'>>

/**
 * Plans a package (fulfilment: new → created). Nothing is allocated before it is handed to a location.
 * @throws AppError 400 for an unknown or inactive location, for unknown skus and for a sku that is there twice.
 */
export const makeCreatePackage =
  ({ clock, outbox }: Pick<Dependencies, 'clock' | 'outbox'>) =>
  async (tx: Tx, fields: NewPackage, actorId: number): Promise<Package> => {
    refuseBlank({ order_number: fields.orderNumber })
    refuseDoubles(fields.items)
    const { locationId, items } = fields
    const now = clock.now()
    const row = { quotationOrderId: null, isSold: false, ...fields }
    // Sent together: what is refused rolls the rest back.
    const [, , made] = await Promise.all([
      refuseUnknownSkus(tx, items),
      locationId === null ? undefined : holdWorkLocation(tx, locationId, 'stock_location'),
      packageStore.insert(tx, row, { actorId, now, locationId }),
    ])
    const parcel = { ...row, ...made, status: 'created', shipmentId: null, createdAt: now, modifiedAt: now } as const
    await outbox.append(tx, [packageEvent(parcel)])
    return parcel
  }

/** Packages of different requests in one transaction: more would make the first of them wait for a long answer. */
const maxShared = 32

interface Creation {
  readonly fields: NewPackage
  readonly actorId: number
}

/**
 * Makes what creates a package in a transaction that it shares with those of requests that come while others are being
 * created: they take the round trips and the wait for the disk of one. Where one is refused, each is created alone.
 * @throws as `makeCreatePackage` does.
 */
export const makeCreateShared = ({ db, ...deps }: Pick<Dependencies, 'db' | 'clock' | 'outbox'>) => {
  const create = makeCreatePackage(deps)
  let keys = 0
  return shareRuns<Creation, Package>({
    run: (creations) =>
      inTransaction(db, async (tx) => {
        const creating = creations.map(({ fields, actorId }) => create(tx, fields, actorId))
        // Nothing may still be under way when the transaction ends.
        await Promise.allSettled(creating)
        return Promise.all(creating)
      }),
    // Any two can share one: what they make is new.
    keyOf: () => String(keys++),
    maxAtOnce: maxShared,
    isFaultOfOne: (error) => !(error instanceof DatabaseUnavailable),
  })
}
