import { sql, type ExpressionBuilder, type Generated } from 'kysely'
import { Type } from 'typebox'
import { packageStatuses, type PackageStatus } from '#events/order-management.ts'
import type { Db, Tables, Tx } from '#platform/db/database.ts'
import { Id, OneOf } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { custom, equals, oneOf, time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import type { ShippedPackages } from '../shipments/index.ts'
import { canTakeShipment, type PackageAction } from './lifecycle.ts'
import { packageNumber, toData, type Item, type Package } from './package.ts'

interface PackagesTable {
  id: Generated<number>
  number: string
  orderNumber: string
  quotationOrderId: number | null
  locationId: number | null
  status: PackageStatus
  isSold: boolean
  createdAt: Date
  modifiedAt: Date
}
interface PackageItemsTable extends Item {
  packageId: number
  position: number
}
/** One change of a package: who did what, and where it led. */
export interface HistoryEntry {
  readonly action: PackageAction | 'create'
  /** Null for the creation. */
  readonly fromStatus: PackageStatus | null
  readonly toStatus: PackageStatus
  readonly locationId: number | null
  readonly actorId: number
  readonly createdAt: Date
}
interface PackageHistoryTable extends HistoryEntry {
  id: Generated<number>
  packageId: number
}
declare module '#platform/db/database.ts' {
  interface Tables {
    packages: PackagesTable
    packageItems: PackageItemsTable
    packageHistory: PackageHistoryTable
  }
}

const columns = [
  'id',
  'number',
  'orderNumber',
  'quotationOrderId',
  'locationId',
  'status',
  'isSold',
  'createdAt',
  'modifiedAt',
] as const

/** Columns of a package with its items and its shipment. */
const withParts = (eb: ExpressionBuilder<Tables, 'packages'>) =>
  [
    ...columns,
    sql<Item[]>`(
      select json_agg(json_build_object('sku', sku, 'quantity', quantity) order by position)
      from package_items where package_id = packages.id
    )`.as('items'),
    eb
      .selectFrom('shipments')
      .select('shipments.id')
      .whereRef('shipments.packageId', '=', 'packages.id')
      .where('shipments.status', '!=', 'cancelled')
      .as('shipmentId'),
  ] as const

export type NewPackage = Pick<Package, 'orderNumber' | 'locationId' | 'items'> &
  Partial<Pick<Package, 'quotationOrderId'>>

/** Adds a package in status created, and the first entry of its history. A rollback leaves a gap in the numbers. */
export const insertPackage = async (
  tx: Tx,
  { orderNumber, locationId, items, quotationOrderId = null }: NewPackage,
  { actorId, now }: { readonly actorId: number; readonly now: Date },
): Promise<Package> => {
  const { rows } = await sql<{ next: number }>`select nextval('package_numbers') as next`.execute(tx)
  const { id } = await tx
    .insertInto('packages')
    .values({
      number: packageNumber(now.getUTCFullYear(), rows[0]?.next ?? 0),
      orderNumber,
      quotationOrderId,
      locationId,
      status: 'created',
      isSold: false,
      createdAt: now,
      modifiedAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('packageItems')
    .values(items.map(({ sku, quantity }, position) => ({ packageId: id, sku, quantity, position })))
    .execute()
  const toStatus = 'created'
  await recordChange(tx, id, { action: 'create', fromStatus: null, toStatus, locationId, actorId, createdAt: now })
  return readPackage(tx, id)
}

const recordChange = (tx: Tx, packageId: number, entry: HistoryEntry): Promise<unknown> =>
  tx
    .insertInto('packageHistory')
    .values({ packageId, ...entry })
    .execute()

export const findPackage = (db: Db | Tx, id: number): Promise<Package | undefined> =>
  db.selectFrom('packages').select(withParts).where('id', '=', id).executeTakeFirst()

/**
 * Keeps others from changing the package, its shipment included, until the transaction ends.
 * Locked first and read after: what one statement sees of other tables is from before it waited.
 */
export const lockPackage = async (tx: Tx, id: number): Promise<Package | undefined> => {
  const held = await tx.selectFrom('packages').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return held === undefined ? undefined : findPackage(tx, id)
}

/**
 * Moves the package if it is still in the status it was seen in, which a caller that locked it can rely on, and adds to its
 * history. Throws otherwise.
 */
export const movePackage = async (
  tx: Tx,
  { id, status: fromStatus }: Package,
  isSold: boolean,
  change: Omit<HistoryEntry, 'fromStatus'>,
): Promise<Package> => {
  const { toStatus: status, locationId, createdAt: modifiedAt } = change
  await tx
    .updateTable('packages')
    .set({ status, locationId, isSold, modifiedAt })
    .where('id', '=', id)
    .where('status', '=', fromStatus)
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordChange(tx, id, { fromStatus, ...change })
  return readPackage(tx, id)
}

/** A package that is known to exist. */
export const readPackage = (tx: Tx, id: number): Promise<Package> =>
  tx.selectFrom('packages').select(withParts).where('id', '=', id).executeTakeFirstOrThrow()

/** Packages as their shipments need them. */
export const shippedPackages: ShippedPackages = {
  async lock(tx, id) {
    const parcel = await lockPackage(tx, id)
    return parcel && { status: parcel.status, takesShipment: canTakeShipment(parcel.status) }
  },
  describe: async (tx, id) => toData(await readPackage(tx, id)),
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
  filters: {
    created_date: time('created_at', 'Created'),
    status: oneOf('status', OneOf(packageStatuses)),
    number: equals('number', Type.String()),
    order_number: equals('order_number', Type.String()),
    quotation_order: equals('quotation_order_id', Id),
    stock_location: equals('location_id', Id),
    sku: custom(Type.String(), (sku) => sql`id in (select package_id from package_items where sku = ${sku})`),
  },
})

export const listPackages = (db: Db, query: Page): Promise<Rows<Package>> =>
  readList(packageList, query, db.selectFrom('packages').select(withParts))

const historyList = defineList({})

/** One page of a package's changes, oldest first. Its own table, because events are dropped after their retention. */
export const listHistory = (db: Db, packageId: number, page: Page): Promise<Rows<HistoryEntry>> =>
  readList(
    historyList,
    page,
    db
      .selectFrom('packageHistory')
      .select(['action', 'fromStatus', 'toStatus', 'locationId', 'actorId', 'createdAt'])
      .where('packageId', '=', packageId),
  )
