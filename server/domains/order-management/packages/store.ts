import { sql, type Generated } from 'kysely'
import { Type } from 'typebox'
import { packageStatuses } from '#events/order-management.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { Id, OneOf } from '#platform/http/schemas.ts'
import { countBy } from '#platform/lists/count-by.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { keptCount } from '#platform/lists/kept-counts.ts'
import { custom, equals, oneOf, recordTimes } from '#platform/lists/filters.ts'
import type { ShippedPackages } from '../shipments/index.ts'
import {
  makeDocumentStore,
  type DocumentChange,
  type DocumentItem,
  type DocumentRow,
} from '../stock-documents/index.ts'
import { canTakeShipment } from './lifecycle.ts'
import { toData, type Package } from './package.ts'

export interface PackageChange extends DocumentChange {
  readonly locationId: number | null
}
declare module '#platform/db/database.ts' {
  interface Tables {
    packages: DocumentRow<Package>
    packageItems: DocumentItem & { readonly packageId: number; readonly position: number }
    packageHistory: PackageChange & { readonly id: Generated<number>; readonly packageId: number }
  }
}

export const packageList = defineList({
  orderings: {
    id: 'id',
    number: 'number',
    order_number: 'order_number',
    status: 'status',
    created_date: 'created_at',
    modified_date: 'modified_at',
  },
  defaultOrdering: '-id',
  kept: { table: 'packages', by: { status: 'status', stock_location: 'location_id' } },
  filters: {
    ...recordTimes,
    status: oneOf('status', OneOf(packageStatuses)),
    number: equals('number', Type.String()),
    order_number: equals('order_number', Type.String()),
    quotation_order: equals('quotation_order_id', Id),
    stock_location: equals('location_id', Id),
    sku: custom(
      Type.String({ description: 'Only with items of this sku.' }),
      (sku) => sql`id in (select package_id from package_items where sku = ${sku})`,
    ),
  },
})

export const packageStore = makeDocumentStore<Package, PackageChange>({
  name: 'package',
  own: ['orderNumber', 'quotationOrderId', 'locationId', 'isSold'],
  ownOfHistory: ['locationId'],
  list: packageList,
})

/** How many packages have to be packed, and how many to be shipped. */
export const countPackages = async (db: Db) => {
  const { rows } = await sql<{ toPack: number; toShip: number }>`
    select ${keptCount('packages', 'status', ['created', 'transitioned'])} as to_pack,
      ${keptCount('packages', 'status', ['packed'])} as to_ship`.execute(db)
  return rows[0] ?? { toPack: 0, toShip: 0 }
}

/** How many packages each status has, by the other filters of the list. */
export const countPackagesByStatus = (db: Db, query: object) =>
  countBy(db, { list: packageList, by: 'status', values: packageStatuses }, query, db.selectFrom('packages'))

/** Packages as their shipments need them. */
export const shippedPackages: ShippedPackages = {
  async lock(tx, id) {
    const parcel = await packageStore.lock(tx, id)
    return parcel && { status: parcel.status, takesShipment: canTakeShipment(parcel.status) }
  },
  describe: async (tx, id) => toData(await packageStore.read(tx, id)),
}

/** How many pieces of each sku are in packages of an order of a quotation that are not cancelled. The caller holds the order. */
export const packedOfOrder = async (tx: Tx, quotationOrderId: number): Promise<ReadonlyMap<string, number>> => {
  const rows = await tx
    .selectFrom('packages')
    .innerJoin('packageItems', 'packageItems.packageId', 'packages.id')
    .select(({ fn }) => ['packageItems.sku', fn.sum<string>('packageItems.quantity').as('quantity')])
    .where('packages.quotationOrderId', '=', quotationOrderId)
    .where('packages.status', '<>', 'cancelled')
    .groupBy('packageItems.sku')
    .execute()
  return new Map(rows.map(({ sku, quantity }) => [sku, Number(quantity)]))
}
