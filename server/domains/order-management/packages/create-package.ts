import { DatabaseUnavailable } from '#platform/db/database-unavailable.ts'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { AppError } from '#platform/errors.ts'
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
 * created: they take the round trips and the wait for the disk of one. Where some are refused, the others share another one.
 * @throws as `makeCreatePackage` does.
 */
export const makeCreateShared = ({ db, ...deps }: Pick<Dependencies, 'db' | 'clock' | 'outbox'>) => {
  const create = makeCreatePackage(deps)
  let keys = 0
  /** A refusal is final: it comes from a check of its own creation alone. The others go again, without what was refused. */
  const run = async (creations: readonly Creation[]): Promise<PromiseSettledResult<Package>[]> => {
    let ends: PromiseSettledResult<Package>[] = []
    try {
      return await inTransaction(db, async (tx) => {
        // Nothing may still be under way when the transaction ends.
        ends = await Promise.allSettled(creations.map(({ fields, actorId }) => create(tx, fields, actorId)))
        const failed = ends.find((end) => end.status === 'rejected')
        if (failed !== undefined) throw failed.reason
        return ends
      })
    } catch (error) {
      if (!ends.some(isRefused)) throw error
      const left = creations.filter((_, index) => !isRefused(ends[index]))
      const others = (left.length === 0 ? [] : await run(left)).values()
      return ends.map((end) => (isRefused(end) ? end : (others.next().value as PromiseSettledResult<Package>)))
    }
  }
  const shared = shareRuns({
    run,
    // Any two can share one: what they make is new.
    keyOf: () => String(keys++),
    maxAtOnce: maxShared,
    isFaultOfOne: (error) => !(error instanceof DatabaseUnavailable),
  })
  return async (creation: Creation): Promise<Package> => {
    const end = await shared(creation)
    if (end.status === 'rejected') throw end.reason
    return end.value
  }
}

const isRefused = (end: PromiseSettledResult<unknown> | undefined): boolean =>
  end?.status === 'rejected' && end.reason instanceof AppError
