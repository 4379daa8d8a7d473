import { sql, type ExpressionBuilder } from 'kysely'
import type { TransferStatus } from '#events/order-management.ts'
import type { Db, Tables } from '#platform/db/database.ts'
import { offsetOf, type Page, type Rows } from '#platform/http/pagination.ts'
import type { CreatedBetween } from '../request-fields.ts'
import { withParts } from './store.ts'
import type { Transfer } from './transfer.ts'

export interface TransferFilters extends CreatedBetween {
  readonly status: readonly TransferStatus[] | undefined
  readonly number: string | undefined
  readonly fromLocationId: number | undefined
  readonly toLocationId: number | undefined
  readonly packageId: number | undefined
  readonly sku: string | undefined
}

const orderColumns: Record<string, string> = {
  id: 'id',
  number: 'number',
  status: 'status',
  created_date: 'created_at',
  modified_date: 'modified_at',
}
/** Fields that the list can be ordered by. */
export const transferOrderings = Object.keys(orderColumns)

/** One page of the transfers that fit, ordered by a field of `transferOrderings` and then by id. */
export const listTransfers = async (
  db: Db,
  filters: TransferFilters,
  page: Page,
  { field, direction }: { field: string; direction: 'asc' | 'desc' },
): Promise<Rows<Transfer>> => {
  const matching = db.selectFrom('transfers').where((eb) => matches(eb, filters))
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

const matches = (eb: ExpressionBuilder<Tables, 'transfers'>, filters: TransferFilters) => {
  const { status, sku, createdFrom, createdBefore } = filters
  const holding = eb.selectFrom('transferItems').select('transferId')
  const equal = (['number', 'fromLocationId', 'toLocationId', 'packageId'] as const).flatMap((column) => {
    const wanted = filters[column]
    return wanted === undefined ? [] : [eb(column, '=', wanted)]
  })
  return eb.and([
    ...equal,
    ...(status === undefined ? [] : [eb('status', 'in', status)]),
    ...(sku === undefined ? [] : [eb('id', 'in', holding.where('sku', '=', sku))]),
    ...(createdFrom === undefined ? [] : [eb('createdAt', '>=', createdFrom)]),
    ...(createdBefore === undefined ? [] : [eb('createdAt', '<', createdBefore)]),
  ])
}
