import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Quotation } from '../quotation.ts'
import { columns, toQuotation } from '../store.ts'

type Condition = RawBuilder<boolean>

/** Rows of a list, as far as a page needs them. */
export interface Window {
  readonly order: RawBuilder<unknown>
  readonly direction: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

/** How many rows there are, and between which ids (inclusive); null where there are none. */
export interface Extent {
  readonly count: number
  readonly first: number | null
  readonly last: number | null
}

/** Counts what fits, by an index wherever one has all that is asked for. */
export const measure = async (db: Db, fits: Condition): Promise<Extent> => {
  const { rows } = await sql<Extent>`
    select count(*) as count, min(id) as first, max(id) as last from quotations where ${fits}`.execute(db)
  return rows[0] ?? { count: 0, first: null, last: null }
}

/** Counts what fits. Without the ends of it: where most rows fit, looking at their ids takes a fifth of the time. */
export const countFitting = async (db: Db, fits: Condition): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from quotations where ${fits}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Fewer than these are rather sorted than met by chance while walking in order. */
const fewRows = 5_000

/** A page of what fits, of which there are `count`. */
export const readPage = async (db: Db, fits: Condition, count: number, window: Window): Promise<Quotation[]> => {
  const { offset, limit } = window
  if (offset >= count) return []
  // What has an offset is worked out by itself: the rows are found by what they are filtered by, and then sorted.
  const fence = count <= fewRows ? sql`offset 0` : sql``
  return select(
    db,
    sql`(select * from quotations where ${fits} ${fence}) as quotation
      order by ${inOrder(window)} limit ${limit} offset ${offset}`,
  )
}

/**
 * Leaves the rows from the first one on, in the order of the ids, that has one of the values in a column, which has an index with the
 * ids: one look for each value. A walk along the ids then begins there. `within`: a column that comes before it in an index.
 */
export const beginningOf = (
  column: 'status' | 'user_id' | 'division_id',
  values: RawBuilder<unknown>,
  direction: Window['direction'],
  within: Condition = sql<boolean>`true`,
): Condition => {
  const end = sql.raw(direction === 'desc' ? 'max' : 'min')
  const compared = sql.raw(direction === 'desc' ? '<=' : '>=')
  return sql<boolean>`id ${compared} (
    select ${end}(id) from unnest(${values}) as one (value) cross join lateral (
      select ${end}(id) as id from quotations where ${sql.ref(column)} = one.value and ${within}
    ) as found)`
}

/** A page in the order of the ids of what lies in an extent. Walking begins where the first of them is. */
export const readPageWithin = (
  db: Db,
  fits: Condition,
  { count, first, last }: Extent,
  window: Window,
): Promise<Quotation[]> =>
  readPage(db, sql<boolean>`id >= ${first}::bigint and id <= ${last}::bigint and ${fits}`, count, window)

/**
 * Rows at the end where a list begins that are read before all of them are: so many for each row that is wanted. Where fewer fit,
 * all have to be read anyway.
 */
const nearEnd = { each: 200, least: 2_000, most: 20_000 }

/**
 * The rows of a page, in the order of the ids, when they are found near the end where the list begins; undefined when only reading
 * all rows tells.
 */
export const pageNearEnd = async (db: Db, fits: Condition, window: Window): Promise<Quotation[] | undefined> => {
  const { direction, limit, offset } = window
  const read = Math.min(Math.max((offset + limit) * nearEnd.each, nearEnd.least), nearEnd.most)
  const near =
    direction === 'desc'
      ? sql`id > (select max(id) from quotations) - ${read}`
      : sql`id < (select min(id) from quotations) + ${read}`
  const rows = await select(
    db,
    sql`(select * from quotations where ${near} and ${fits}) as quotation
      order by ${inOrder(window)} limit ${limit} offset ${offset}`,
  )
  return rows.length === limit ? rows : undefined
}

interface Blocks {
  readonly count: number
  /** Blocks of ids that a page lies in. */
  readonly blocks: readonly number[]
  /** Rows of these blocks that come before the page. */
  readonly before: number
}

/**
 * A page in the order of the ids, and the count, of what is found only by reading all rows: once, and in parallel. They are counted
 * by blocks of 2,048 ids, so that of the page only its blocks are read again, wherever it is. The statistics `quotations_blocks` say
 * that there are few of them.
 */
export const pageByBlocks = async (
  db: Db,
  fits: Condition,
  window: Window,
): Promise<{ readonly count: number; readonly rows: Quotation[] }> => {
  const { direction, limit, offset } = window
  const way = sql.raw(direction)
  const { rows: found } = await sql<Blocks>`
    with blocks as materialized (
      select id >> 11 as block, count(*) as count from quotations where ${fits} group by id >> 11
    ), running as (
      select block, count, (sum(count) over (order by block ${way}))::bigint as upto from blocks
    ), touched as (
      select block, upto - count as before from running where upto > ${offset} and upto - count < ${offset + limit}
    )
    select (select coalesce(sum(count), 0)::bigint from blocks) as count,
      (select coalesce(array_agg(block), '{}') from touched) as blocks,
      (select ${offset}::bigint - min(before) from touched) as before`.execute(db)
  const { count, blocks, before } = found[0] ?? { count: 0, blocks: [], before: 0 }
  if (blocks.length === 0) return { count, rows: [] }
  // What has an offset is worked out for each block by itself, instead of walking along all ids.
  const rows = await select(
    db,
    sql`unnest(${blocks}::bigint[]) as touched (block) cross join lateral (
        select * from quotations where id >= touched.block << 11 and id < (touched.block + 1) << 11 and ${fits} offset 0
      ) as quotation
      order by id ${way} limit ${limit} offset ${before}`,
  )
  return { count, rows }
}

const inOrder = ({ order, direction }: Window) => sql`${order} ${sql.raw(direction)}, id ${sql.raw(direction)}`

type Row = Parameters<typeof toQuotation>[0]

const select = async (db: Db, what: RawBuilder<unknown>): Promise<Quotation[]> => {
  const named = sql.join(columns.map((column) => sql.ref(column)))
  const { rows } = await sql<Row>`select ${named} from ${what}`.execute(db)
  return rows.map(toQuotation)
}
