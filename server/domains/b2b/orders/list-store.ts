import { sql } from 'kysely'
import { Type } from 'typebox'
import { orderStatuses } from '#events/quotations.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { IdOf, OneOf } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { equals, oneOf, time } from '#platform/lists/filters.ts'
import { mapRows, maxCounted, type Page, type Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import type { ListedOrder } from './order.ts'
import { quotationNumber, toOrder, type OrderRow } from './store.ts'

/** Orders of all quotations. */
export const allOrderList = defineList({
  filters: {
    status: oneOf('status', OneOf(orderStatuses), 'One of these statuses; may be repeated.'),
    division: equals('division_id', IdOf('For this division.')),
    quotation: equals('quotation_id', IdOf('Of this quotation.')),
    number: equals('number', Type.String({ examples: ['Q-2026-000007-1'] })),
    created_at: time('created_at', 'Made', { dates: 'days' }),
    modified_at: time('modified_at', 'Changed', { dates: 'days' }),
  },
  orderings: { id: 'id', created_at: 'created_at', modified_at: 'modified_at' },
  defaultOrdering: '-id',
  kept: { table: 'quotation_orders', by: { status: 'status', division: 'division_id' } },
})

/** Filters of the list, as a query has them. */
export type OrderFilters = Readonly<Record<string, unknown>>

type Row = OrderRow & Pick<ListedOrder, 'quotationName'>
export const toListed = ({ quotationName, ...row }: Row): ListedOrder => ({ ...toOrder(row), quotationName })

/** Orders of any quotations, with what these are called. */
export const listedOrders = (db: Db | Tx) =>
  db
    .selectFrom('quotationOrders as o')
    .selectAll()
    .select(quotationNumber.as('quotationNumber'))
    .select(sql<string>`(select name from quotations where quotations.id = o.quotation_id)`.as('quotationName'))

/** A page of the orders that fit a query. @throws AppError 400 for a filter. */
export const listOrders = async (db: Db | Tx, query: Page): Promise<Rows<ListedOrder>> =>
  mapRows(await readList(db, allOrderList, query, listedOrders(db)), toListed)

export const findListedOrder = async (db: Db | Tx, id: number): Promise<ListedOrder | undefined> => {
  const row = await listedOrders(db).where('o.id', '=', id).executeTakeFirst()
  return row && toListed(row)
}

/** How many of the orders that fit have failed, and the newest of these; 0 where there is none. @throws AppError 400 for a filter. */
export const countFailed = async (db: Db | Tx, filters: OrderFilters) =>
  db
    .selectFrom('quotationOrders')
    .select([sql<number>`count(*)`.as('count'), sql<number>`coalesce(max(id), 0)`.as('newestId')])
    .where('status', '=', 'failed')
    .where(allOrderList.where(filters))
    .executeTakeFirstOrThrow()

/** How many orders have failed and are tried again, and how many are not any more: among the first 10,001 that failed. */
export const countFailing = async (db: Db) => {
  const { rows } = await sql<{ failed: number; givenUp: number }>`
    select count(next_attempt_at) as failed, count(*) filter (where next_attempt_at is null) as given_up
    from (select next_attempt_at from quotation_orders where status = 'failed' limit ${maxCounted + 1}) failing`.execute(
    db,
  )
  return rows[0] ?? { failed: 0, givenUp: 0 }
}

/** Which failed orders a step has. */
export interface FailedRange {
  readonly afterId: number
  readonly upToId: number
  readonly limit: number
  /** Those that were changed later have been tried since. */
  readonly notTriedSince: Date
}

/** The first failed orders that fit, by id. */
export const failedIds = async (
  tx: Tx,
  filters: OrderFilters,
  { afterId, upToId, limit, notTriedSince }: FailedRange,
): Promise<number[]> => {
  const rows = await tx
    .selectFrom('quotationOrders')
    .select('id')
    .where('status', '=', 'failed')
    .where('id', '>', afterId)
    .where('id', '<=', upToId)
    .where('modifiedAt', '<=', notTriedSince)
    .where(allOrderList.where(filters))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
