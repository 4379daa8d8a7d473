import { sql, type ExpressionBuilder } from 'kysely'
import type { PackageStatus } from '#events/order-management.ts'
import type { Db, Tables } from '#platform/db/database.ts'
import { offsetOf, type Page, type Rows } from '#platform/http/pagination.ts'
import type { CreatedBetween } from '../request-fields.ts'
import type { Package } from './package.ts'
import { withParts } from './store.ts'

export interface PackageFilters extends CreatedBetween {
  readonly status: readonly PackageStatus[] | undefined
  readonly number: string | undefined
  readonly orderNumber: string | undefined
  readonly quotationOrderId: number | undefined
  readonly locationId: number | undefined
  readonly sku: string | undefined
}

const orderColumns: Record<string, string> = {
  id: 'id',
  number: 'number',
  order_number: 'order_number',
  status: 'status',
  created_date: 'created_at',
  modified_date: 'modified_at',
}
/** Fields that the list can be ordered by. */
export const packageOrderings = Object.keys(orderColumns)

/** One page of the packages that fit, ordered by a field of `packageOrderings` and then by id. */
export const listPackages = async (
  db: Db,
  filters: PackageFilters,
  page: Page,
  { field, direction }: { field: string; direction: 'asc' | 'desc' },
): Promise<Rows<Package>> => {
  const matching = db.selectFrom('packages').where((eb) => matches(eb, filters))
  const { count } = await matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await matching
    .select(withParts)
    .orderBy(sql.ref(orderColumns[field] ?? 'id'), direction)
    .orderBy('id', direction)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  return { rows, count }
}

const matches = (eb: ExpressionBuilder<Tables, 'packages'>, filters: PackageFilters) => {
  const { status, number, orderNumber, quotationOrderId, locationId, sku, createdFrom, createdBefore } = filters
  const holding = eb.selectFrom('packageItems').select('packageId')
  return eb.and([
    ...(status === undefined ? [] : [eb('status', 'in', status)]),
    ...(number === undefined ? [] : [eb('number', '=', number)]),
    ...(orderNumber === undefined ? [] : [eb('orderNumber', '=', orderNumber)]),
    ...(quotationOrderId === undefined ? [] : [eb('quotationOrderId', '=', quotationOrderId)]),
    ...(locationId === undefined ? [] : [eb('locationId', '=', locationId)]),
    ...(sku === undefined ? [] : [eb('id', 'in', holding.where('sku', '=', sku))]),
    ...(createdFrom === undefined ? [] : [eb('createdAt', '>=', createdFrom)]),
    ...(createdBefore === undefined ? [] : [eb('createdAt', '<', createdBefore)]),
  ])
}
