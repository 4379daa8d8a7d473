import type { Tx } from '#platform/db/database.ts'
import { invalidFields } from '#platform/errors.ts'
import type { Dependencies } from '../dependencies.ts'
import { refuseBlank } from '../request-fields.ts'
import { unknownSkus } from '../stock/index.ts'
import { recordChange } from './history-store.ts'
import { packageEvent, packageNumber, type Item, type Package } from './package.ts'
import { insertPackage, readPackage, type NewPackage } from './store.ts'
import { holdWorkLocation } from './work-location.ts'

/**
 * Plans a package (fulfilment: new → created). Nothing is allocated before it is handed to a location.
 * @throws AppError 400 for an unknown or inactive location, for unknown skus and for a sku that is there twice.
 */
export const makeCreatePackage =
  ({ clock, outbox }: Pick<Dependencies, 'clock' | 'outbox'>) =>
  async (tx: Tx, fields: NewPackage, actorId: number): Promise<Package> => {
    refuseBlank({ order_number: fields.orderNumber })
    refuseDoubles(fields.items)
    await refuseUnknown(tx, fields.items)
    if (fields.locationId !== null) await holdWorkLocation(tx, fields.locationId)

    const now = clock.now()
    const packageId = await insertPackage(tx, fields, now, (sequence) => packageNumber(now.getUTCFullYear(), sequence))
    const parcel = await readPackage(tx, packageId)
    const { status: toStatus, locationId } = parcel
    await recordChange(tx, {
      packageId,
      action: 'create',
      fromStatus: null,
      toStatus,
      locationId,
      actorId,
      createdAt: now,
    })
    await outbox.append(tx, [packageEvent(parcel)])
    return parcel
  }

const refuseDoubles = (items: readonly Item[]): void => {
  const first = new Map<string, number>()
  const doubles = items.flatMap(({ sku }, position) => {
    if (first.has(sku))
      return [[`items.${position}.sku`, ['This sku is in the list already; add up the quantities.']] as const]
    first.set(sku, position)
    return []
  })
  if (doubles.length > 0) throw invalidFields(Object.fromEntries(doubles))
}

const refuseUnknown = async (tx: Tx, items: readonly Item[]): Promise<void> => {
  const skus = items.map(({ sku }) => sku)
  const unknown = await unknownSkus(tx, skus)
  if (unknown.size === 0) return
  const messages = skus.flatMap((sku, position) =>
    unknown.has(sku) ? [[`items.${position}.sku`, ['No stock location has ever had this sku.']] as const] : [],
  )
  throw invalidFields(Object.fromEntries(messages))
}
