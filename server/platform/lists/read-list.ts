import { sql, type QueryExecutorProvider, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import { select } from '../db/driver/shared-selects.ts'
import { isDataError } from '../db/sql-errors.ts'
import { follows, notACursor, readCursor, writeCursor } from './cursor.ts'
import type { Order, ReadableList } from './define-list.ts'
import { everything } from './filters.ts'
import { boundedCount, maxCounted, offsetOf, refuseFarPage, type Page, type Rows } from './page.ts'

type Query = Page & { readonly ordering?: string }

/**
 * One page of the rows of `base` that fit the filters of the query, in its order, and how many fit. It is one statement, so
 * that the count is of the same moment as the rows.
 * @param base selects what a row has, and whose rows they are; it neither groups nor orders.
 * @throws AppError 400 that names a filter, the cursor, or a page too far behind in a list whose counts are bounded.
 */
export const readList = async <DB, TB extends keyof DB, O>(
  db: QueryExecutorProvider,
  list: ReadableList,
  query: Query,
  base: SelectQueryBuilder<DB, TB, O>,
): Promise<Rows<O>> => {
  const fits = list.where(query)
  const order = list.order(query)
  const matching = base.where(fits)
  if (list.isBounded(query)) return readBounded(list, query, matching)
  const known = list.known(query)
  const keys = matching.clearSelect().select(list.key.as('key'))
  // A walk along the keys begins where the first of the rows is, however far back that is.
  const isMeasured = known === undefined && fits !== everything && order.column === list.key
  const measured = isMeasured ? sql`, min(key) as first, max(key) as last` : sql``
  const between = sql<boolean>`${list.key} between (select first from counted) and (select last from counted)`
  const ids = pageOfKeys(isMeasured ? keys.where(between) : keys, list.key, order, query)
  const position = sql<number>`row_number() over (${orderBy(list.key, order)})`
  const rows = base.where(sql<boolean>`${list.key} = any(${ids})`).select(position.as('listPosition'))
  const found = await select(
    db,
    sql<O & Marks>`
    with counted as materialized (
      select ${known ?? sql`count(*)`} as rows ${measured} ${known === undefined ? sql`from (${keys}) as fitting` : sql``})
    select counted.rows as list_count, page.* from counted left join (${rows}) as page on true
    order by list_position`,
  )
  return {
    rows: found.filter(({ listPosition }) => listPosition !== null),
    count: found[0]?.listCount ?? 0,
  }
}

type Select<DB, TB extends keyof DB, O> = SelectQueryBuilder<DB, TB, O>

const orderBy = (key: RawBuilder<unknown>, { column, direction }: Order) => {
  const way = sql.raw(direction)
  return column === key ? sql`order by ${key} ${way}` : sql`order by ${column} ${way}, ${key} ${way}`
}

/**
 * The keys of a page as an array, so that whole rows are read only of the page. A page nearer to the end is walked to from
 * there. What has no parameters keeps its plan, so the numbers are none.
 */
const pageOfKeys = <DB, TB extends keyof DB, O>(
  keys: Select<DB, TB, O>,
  key: RawBuilder<unknown>,
  order: Order,
  query: Query,
): RawBuilder<unknown> => {
  const limit = sql.lit(query.limit)
  if (query.page === 1) return sql`array(${keys} ${orderBy(key, order)} limit ${limit})`
  const offset = sql.lit(offsetOf(query))
  const back: Order = { ...order, direction: order.direction === 'asc' ? 'desc' : 'asc' }
  const rest = sql`((select rows from counted) - ${offset})`
  const isNear = sql<boolean>`${rest} >= ${offset} + ${limit}`
  const near = sql`${keys.where(isNear)} ${orderBy(key, order)} limit ${limit} offset ${offset}`
  const far = sql`${keys.where(sql<boolean>`not (${isNear})`)} ${orderBy(key, back)}
    limit greatest(least(${limit}, ${rest}), 0) offset greatest(${rest} - ${limit}, 0)`
  return sql`array(${near}) || array(${far})`
}

/** How many rows there are up to the bound, and the first key of those; or what is known without counting. */
const countOf = <DB, TB extends keyof DB, O>(
  rows: Select<DB, TB, O>,
  key: RawBuilder<unknown>,
  known: RawBuilder<number> | undefined,
): RawBuilder<Counted> =>
  known === undefined
    ? sql<Counted>`(select json_build_array(count(*), min(key))
      from (${rows
        .clearSelect()
        .select(key.as('key'))
        .limit(maxCounted + 1)}) as fitting)`
    : sql<Counted>`json_build_array(${known}, null)`
type Counted = readonly [count: number, firstKey: number | null]

/** What the statement says beside each row. It stays there: to copy rows without it takes a tenth of a small list. */
interface Marks<Count = number> {
  readonly listCount: Count
  /** Null where the page has no rows. */
  readonly listPosition?: number | null
  readonly listValue?: string
  readonly listKey?: string
}

/** The rows of a page, each of which brings the count along; where there are none, one of all the matching rows does. */
const withCount = async <DB, TB extends keyof DB, O>(
  page: Select<DB, TB, O>,
  matching: Select<DB, TB, unknown> | undefined,
  count: RawBuilder<Counted>,
): Promise<{ readonly rows: readonly (O & Marks<Counted>)[]; readonly counted: Counted }> => {
  const rows = (await page.select(count.as('listCount')).execute()) as (O & Marks<Counted>)[]
  if (rows[0] !== undefined || matching === undefined) return { rows, counted: rows[0]?.listCount ?? [0, null] }
  const other = matching.clearSelect().select(count.as('listCount')).limit(1)
  const [row] = (await other.execute()) as readonly object[] as readonly Marks<Counted>[]
  return { rows, counted: row?.listCount ?? [0, null] }
}

/** One row more than asked for tells whether there is a next page, which begins behind the last row in the order. */
const readBounded = async <DB, TB extends keyof DB, O>(
  { key, count: kind, order: orderOf, known }: ReadableList,
  query: Query,
  matching: Select<DB, TB, O>,
): Promise<Rows<O>> => {
  const { cursor, limit } = query
  const order = orderOf(query)
  const ordered = matching.orderBy(order.column, order.direction).orderBy(key, order.direction)
  const ordering = order.direction === 'asc' ? order.field : `-${order.field}`
  const position = cursor === undefined ? undefined : readCursor(ordering, cursor)
  if (position === undefined) refuseFarPage(query)

  const marked = ordered
    .select([sql<string>`${order.column}::text`.as('listValue'), sql<string>`${key}::text`.as('listKey')])
    .limit(limit + 1)
  const page = position === undefined ? marked.offset(offsetOf(query)) : marked.where(follows(order, key, position))
  const others = position !== undefined || query.page > 1 ? matching : undefined
  const found = await withCount(page, others, countOf(matching, key, known(query))).catch((error: unknown) => {
    throw position !== undefined && isDataError(error) ? notACursor() : error
  })
  const [count, firstKey] = found.counted
  const rows = found.rows.slice(0, limit)
  if (kind === 'exact') return { rows, ...boundedCount(count) }
  const last = found.rows.length > limit ? found.rows[limit - 1] : undefined
  return {
    rows,
    count: Math.min(count, maxCounted),
    bounded: {
      isMore: count > maxCounted,
      firstKey,
      next: last && writeCursor(ordering, { value: last.listValue ?? '', key: last.listKey ?? '' }),
    },
  }
}
