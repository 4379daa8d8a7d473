import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { inlined } from '#platform/db/inlined.ts'
import type { CellType } from '#platform/spreadsheets/table-file.ts'
import { selectionOf } from '../quotations/index.ts'
import type { ItemExportField } from '../settings/index.ts'
import { copiedValue, divisionLabel, itemColumns, listColumns, type Column, type Joined } from './columns-store.ts'
import type { ExportQuery, ExportRequest } from './export.ts'
import type { ListExportField } from './fields.ts'

type Rows = Pick<ExportRequest, 'quotationId' | 'query'>

const columnOf = (isOfItems: boolean, field: string): Column =>
  isOfItems ? itemColumns[field as ItemExportField] : listColumns[field as ListExportField]

/** What the columns of an export hold. */
export const columnTypes = ({ quotationId, fields }: ExportRequest): { name: string; type: CellType }[] =>
  fields.map((name) => ({ name, type: columnOf(quotationId !== null, name).type }))

/** How many rows there are. @throws AppError 400 for a filter. */
export const countRows = async (db: Db, rows: Rows): Promise<number> => {
  // To be counted nothing is needed of what makes no difference to how many there are.
  const { from } = sourceOf(rows, [])
  return db.transaction().execute(async (tx) => {
    // By several processes it would be done sooner, and others would wait for all of them.
    await sql`set local max_parallel_workers_per_gather = 0`.execute(tx)
    const { rows: counted } = await sql<{ count: number }>`select count(*) as count from ${from}`.execute(tx)
    return counted[0]?.count ?? 0
  })
}

/** The statement that copies the rows, in the columns and for the format that were asked for. @throws AppError 400 for a filter. */
export const copyStatement = (db: Db, request: ExportRequest): string => {
  const { quotationId, fields, format } = request
  const columns = fields.map((name) => ({ name, column: columnOf(quotationId !== null, name) }))
  const { from, order } = sourceOf(request, [...new Set(columns.flatMap(({ column }) => column.of ?? []))])
  const values = columns.map(({ name, column }) => sql`${copiedValue(column, format)} as ${sql.id(name)}`)
  const texts = format === 'csv' ? columns.filter(({ column }) => column.type === 'text') : []
  // What parts cells elsewhere, a semicolon or a tab, has to be in quotes, which the database knows of commas alone.
  const quoted = texts.length === 0 ? sql`` : sql`, force_quote (${sql.join(texts.map(({ name }) => sql.id(name)))})`
  const query = sql`copy (select ${sql.join(values)} from ${from} order by ${order}) to stdout (format csv${quoted})`
  return inlined(query.compile(db))
}

interface Source {
  readonly from: RawBuilder<unknown>
  readonly order: RawBuilder<unknown>
}

const sourceOf = ({ quotationId, query }: Rows, needed: readonly Joined[]): Source =>
  quotationId === null ? quotationsOf(query, needed) : itemsOf(quotationId, query, needed)

const limitOf = ({ limit }: ExportQuery) => (limit === undefined ? sql`` : sql`limit ${limit}`)

/** One row for each order of a quotation, and one for a quotation that has none; or one row for each quotation. */
const quotationsOf = (query: ExportQuery, needed: readonly Joined[]): Source => {
  const { fits, key, direction } = selectionOf(query)
  const isOfOrders = query.rows !== 'quotations'
  // Unless they are limited, the order in which they are found makes no difference.
  const order = query.limit === undefined ? sql`` : sql`order by ${key} ${direction}, id ${direction}`
  const quotations = sql`(select *, ${key} as order_key from quotations where ${fits} ${order} ${limitOf(query)}) as quotation`
  const by = sql`quotation.order_key ${direction}, quotation.id ${direction}`
  if (!isOfOrders) return { from: sql`${quotations}${joined(needed)}`, order: by }
  const others = needed.filter((name) => name !== 'orders')
  return {
    from: sql`${quotations} left join quotation_orders orders on orders.quotation_id = quotation.id${joined(others)}`,
    order: sql`${by}, orders.id`,
  }
}

const itemsOf = (quotationId: number, query: ExportQuery, needed: readonly Joined[]): Source => ({
  from: sql`(select * from quotation_items where quotation_id = ${quotationId} order by id ${limitOf(query)}) as item
    join quotations quotation on quotation.id = item.quotation_id${joined(needed)}`,
  order: sql`item.id`,
})

/** Each of them adds no row and takes none away. */
const joins: readonly (readonly [Joined, RawBuilder<unknown>])[] = [
  ['owner', sql` join users owner on owner.id = quotation.user_id`],
  ['division', sql` join divisions division on division.id = quotation.division_id`],
  // All orders of a quotation as if they were one, with the status that somebody should look at first.
  [
    'orders',
    sql` cross join lateral (
      select min(id) as id, sum(amount) as amount, string_agg(number, ', ' order by id) as number,
        string_agg(remote_number, ', ' order by id) as remote_number,
        case when bool_or(status = 'failed') then 'failed' when bool_or(status = 'pending') then 'pending'
          else min(status) end as status
      from quotation_orders where quotation_id = quotation.id
    ) as orders`,
  ],
  // What each division gets of an item, in sequence.
  [
    'shares',
    sql` cross join lateral (
      select string_agg(${divisionLabel} || ': ' || (share.value ->> 'quantity'), ', ' order by share.position) as label
      from json_array_elements(item.divisions::json) with ordinality as share (value, position)
      join divisions division on division.id = (share.value ->> 'id')::bigint
    ) as shares`,
  ],
]

const joined = (needed: readonly Joined[]): RawBuilder<unknown> => {
  const parts = joins.filter(([name]) => needed.includes(name)).map(([, join]) => join)
  return parts.length === 0 ? sql`` : sql.join(parts, sql``)
}
