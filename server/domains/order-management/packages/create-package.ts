import type { Tx } from '#platform/db/database.ts'
import type { Dependencies } from '../dependencies.ts'
import { holdWorkLocation } from '../stock-locations/index.ts'
import { refuseDoubles } from '../request-fields.ts'
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
    refuseDoubles(fields.items)
    const { locationId } = fields
    const now = clock.now()
    const row = { quotationOrderId: null, isSold: false, ...fields }
    if (locationId !== null) await holdWorkLocation(tx, locationId, 'stock_location')
    const made = await packageStore.insert(tx, row, { actorId, now, locationId })
    const parcel = { ...row, ...made, status: 'created', shipmentId: null, createdAt: now, modifiedAt: now } as const
    await outbox.append(tx, [packageEvent(parcel)])
    return parcel
  }
