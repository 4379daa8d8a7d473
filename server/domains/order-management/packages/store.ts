import { sql, type Generated } from 'kysely'
import { Type } from 'typebox'
import { packageStatuses, type PackageStatus } from '#events/order-management.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { Id, OneOf } from '#platform/http/schemas.ts'
import { countBy } from '#platform/lists/count-by.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { keptCount } from '#platform/lists/kept-counts.ts'
import { custom, equals, oneOf, recordTimes } from '#platform/lists/filters.ts'
import type { Shipment, ShippedPackages } from '../shipments/index.ts'
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

/** A package as the order of a quotation shows it that it was made of. */
interface PackageOfOrder {
  readonly quotationOrderId: number
  readonly id: number
  readonly number: string
  readonly status: PackageStatus
  /** How it travels. */
  readonly shipment: Pick<Shipment, 'id' | 'carrier' | 'awbNumber' | 'trackingUrl' | 'status'> | null
}

/** The packages of these orders of quotations that are not cancelled, each with its shipment, by order; the oldest first. */
export const packagesOfOrders = async (
  db: Db | Tx,
  orderIds: readonly number[],
): Promise<ReadonlyMap<number, readonly PackageOfOrder[]>> => {
  if (orderIds.length === 0) return new Map()
  const { rows } = await sql<PackageOfOrder>`
    select packages.quotation_order_id, packages.id, packages.number, packages.status,
      case when shipments.id is not null then json_build_object('id', shipments.id, 'carrier', shipments.carrier,
        'awbNumber', shipments.awb_number, 'trackingUrl', shipments.tracking_url, 'status', shipments.status) end as shipment
    from packages left join shipments on shipments.package_id = packages.id and shipments.status <> 'cancelled'
    where packages.quotation_order_id = any(${orderIds}::bigint[]) and packages.status <> 'cancelled'
    order by packages.id`.execute(db)
  return Map.groupBy(rows, ({ quotationOrderId }) => quotationOrderId)
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
