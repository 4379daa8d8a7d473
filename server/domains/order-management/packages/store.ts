import { sql, type ExpressionBuilder, type Generated } from 'kysely'
import type { PackageStatus } from '#events/order-management.ts'
import type { Db, Tables, Tx } from '#platform/db/database.ts'
import type { Item, Package } from './package.ts'

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
declare module '#platform/db/database.ts' {
  interface Tables {
    packages: PackagesTable
    packageItems: PackageItemsTable
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
export const withParts = (eb: ExpressionBuilder<Tables, 'packages'>) =>
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

/** Adds a package in status created. `numberOf` makes its number of the next in the sequence; a rollback leaves a gap. */
export const insertPackage = async (
  tx: Tx,
  { orderNumber, locationId, items, quotationOrderId = null }: NewPackage,
  now: Date,
  numberOf: (sequence: number) => string,
): Promise<number> => {
  const { rows } = await sql<{ next: number }>`select nextval('package_numbers') as next`.execute(tx)
  const { id } = await tx
    .insertInto('packages')
    .values({
      number: numberOf(rows[0]?.next ?? 0),
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
  return id
}

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

/** Moves the package if it is still in `from`, which a caller that locked it can rely on. Throws otherwise. */
export const movePackage = async (
  tx: Tx,
  { id, status: from }: Package,
  to: Pick<Package, 'status' | 'locationId' | 'isSold'>,
  now: Date,
): Promise<Package> => {
  await tx
    .updateTable('packages')
    .set({ status: to.status, locationId: to.locationId, isSold: to.isSold, modifiedAt: now })
    .where('id', '=', id)
    .where('status', '=', from)
    .returning('id')
    .executeTakeFirstOrThrow()
  return readPackage(tx, id)
}

/** A package that is known to exist. */
export const readPackage = (tx: Tx, id: number): Promise<Package> =>
  tx.selectFrom('packages').select(withParts).where('id', '=', id).executeTakeFirstOrThrow()
