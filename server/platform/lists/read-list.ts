import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import { isDataError } from '../db/sql-errors.ts'
import { invalidField } from '../errors.ts'
import { follows, notACursor, readCursor, writeCursor } from './cursor.ts'
import type { List } from './define-list.ts'
import { offsetOf, type Page, type Rows } from './page.ts'

/** Rows up to which a bounded count is exact, and up to which there are pages (contract, section 1). */
const maxCounted = 10_000

type Query = Page & { readonly ordering?: string }
type Readable = Pick<List, 'key' | 'count' | 'where' | 'order'>

/**
 * One page of the rows of `base` that fit the filters of the query, in its order, and how many fit. It is one statement, so
 * that the count is of the same moment as the rows; where a page behind the last was asked for, a second one counts.
 * @param base selects what a row has, and whose rows they are; it neither groups nor orders.
 * @param known how many rows fit, where that is known without counting them.
 * @throws AppError 400 that names a filter, the cursor, or a page too far behind in a list whose counts are bounded.
 */
export const readList = async <DB, TB extends keyof DB, O>(
  list: Readable,
  query: Query,
  base: SelectQueryBuilder<DB, TB, O>,
  known?: number,
): Promise<Rows<O>> => {
  const matching = base.where(list.where(query))
  const { column, direction } = list.order(query)
  const ordered = matching.orderBy(column, direction).orderBy(list.key, direction)
  if (list.count === 'bounded') return readBounded(list, query, matching, ordered)
  const page = ordered.limit(query.limit).offset(offsetOf(query))
  const count = known === undefined ? countOf(matching) : sql<number>`${known}::bigint`
  const found = await withCount(page, query.page > 1 ? matching : undefined, count)
  return { rows: found.rows.map(withoutMarks<O>), count: found.count }
}

type Select<DB, TB extends keyof DB, O> = SelectQueryBuilder<DB, TB, O>

const countOf = <DB, TB extends keyof DB, O>(rows: Select<DB, TB, O>): RawBuilder<number> =>
  sql<number>`(select count(*) from (${rows.clearSelect().select(sql<number>`1`.as('one'))}) as fitting)`

/** What the statement says beside each row. */
interface Marks {
  readonly listCount: number
  readonly listValue?: string
  readonly listKey?: string
}

const withoutMarks = <O>(row: O & Marks): O => {
  const { listCount: _, listValue: __, listKey: ___, ...rest } = row
  return rest as O
}

/** The rows of a page, each of which brings the count along; where there are none, one of all the matching rows does. */
const withCount = async <DB, TB extends keyof DB, O>(
  page: Select<DB, TB, O>,
  matching: Select<DB, TB, unknown> | undefined,
  count: RawBuilder<number>,
): Promise<Rows<O & Marks>> => {
  const rows = (await page.select(count.as('listCount')).execute()) as (O & Marks)[]
  if (rows[0] !== undefined || matching === undefined) return { rows, count: rows[0]?.listCount ?? 0 }
  const other = matching.clearSelect().select(count.as('listCount')).limit(1)
  const [row] = (await other.execute()) as readonly object[] as readonly Marks[]
  return { rows, count: row?.listCount ?? 0 }
}

/** One row more than asked for tells whether there is a next page, which begins behind the last row in the order. */
const readBounded = async <DB, TB extends keyof DB, O>(
  { key, order: orderOf }: Readable,
  query: Query,
  matching: Select<DB, TB, O>,
  ordered: Select<DB, TB, O>,
): Promise<Rows<O>> => {
  const { cursor, limit } = query
  const order = orderOf(query)
  const ordering = order.direction === 'asc' ? order.field : `-${order.field}`
  const position = cursor === undefined ? undefined : readCursor(ordering, cursor)
  if (position === undefined && offsetOf(query) >= maxCounted)
    throw invalidField('page', `There are pages up to row ${maxCounted}. Follow the \`next\` of \`Link\`.`)

  const marked = ordered
    .select([sql<string>`${order.column}::text`.as('listValue'), sql<string>`${key}::text`.as('listKey')])
    .limit(limit + 1)
  const page = position === undefined ? marked.offset(offsetOf(query)) : marked.where(follows(order, key, position))
  const counted = countOf(matching.limit(maxCounted + 1))
  const found = await withCount(page, position !== undefined || query.page > 1 ? matching : undefined, counted).catch(
    (error: unknown) => {
      throw position !== undefined && isDataError(error) ? notACursor() : error
    },
  )
  const last = found.rows.length > limit ? found.rows[limit - 1] : undefined
  return {
    rows: found.rows.slice(0, limit).map(withoutMarks<O>),
    count: Math.min(found.count, maxCounted),
    bounded: {
      isMore: found.count > maxCounted,
      next: last && writeCursor(ordering, { value: last.listValue ?? '', key: last.listKey ?? '' }),
    },
  }
}
