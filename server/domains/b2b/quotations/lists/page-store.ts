import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Condition } from '#platform/lists/filters.ts'
import type { Quotation } from '../quotation.ts'
import { columns, toQuotation } from '../store.ts'

/** Rows of a list, as far as a page needs them. */
export interface Window {
  readonly column: RawBuilder<unknown>
  readonly direction: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

/** How many rows there are, and the condition that they lie between the first and the last of them. */
export interface Extent {
  readonly count: number
  readonly between: Condition
}

/** Counts what fits. A walk along the ids need not begin before the first row that fits. */
export const measure = async (db: Db, fits: Condition): Promise<Extent> => {
  const { rows } = await sql<{ count: number; first: number | null; last: number | null }>`
    select count(*) as count, min(id) as first, max(id) as last from quotations where ${fits}`.execute(db)
  const { count, first, last } = rows[0] ?? { count: 0, first: null, last: null }
  return { count, between: sql<boolean>`id >= ${first}::bigint and id <= ${last}::bigint` }
}

/** Bounds of the ids of these statuses, with one index look-up each: expired quotations lie behind all new ones. */
export const betweenStatuses = (statuses: readonly string[], within: Condition): Condition => {
  const end = (which: 'min' | 'max') => sql`(
    select ${sql.raw(which)}(id) from unnest(${statuses}::text[]) as one (status) cross join lateral (
      select ${sql.raw(which)}(id) as id from quotations where quotations.status = one.status and ${within}
    ) as found)`
  return sql<boolean>`id >= ${end('min')} and id <= ${end('max')}`
}

/** Fewer rows than these are rather sorted than met by chance while walking in order. */
const fewRows = 5_000

/** A page of what fits. */
export const readPage = async (
  db: Db,
  fits: Condition,
  { count, between }: Extent,
  { column, direction, offset, limit }: Window,
): Promise<Quotation[]> => {
  if (offset >= count) return []
  // What has an offset is worked out by itself: the rows are found by what they are filtered by, and then sorted.
  const fence = count <= fewRows ? sql`offset 0` : sql``
  const way = sql.raw(direction)
  const { rows } = await sql<Parameters<typeof toQuotation>[0]>`
    select ${sql.join(columns.map((name) => sql.ref(name)))}
    from (select * from quotations where ${fits} and ${between} ${fence}) as quotation
    order by ${column} ${way}, id ${way} limit ${limit} offset ${offset}`.execute(db)
  return rows.map(toQuotation)
}
