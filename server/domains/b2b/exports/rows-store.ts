import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { inlined } from '#platform/db/inlined.ts'
import type { CellType } from '#platform/spreadsheets/table-file.ts'
import { selectionOf } from '../quotations/index.ts'
import type { ItemExportField } from '../settings/index.ts'
import { copiedValue, itemColumns, listColumns, type Column, type ListExportField } from './columns-store.ts'
import type { ExportQuery, ExportRequest } from './export.ts'

type Rows = Pick<ExportRequest, 'quotationId' | 'query'>

const columnOf = (isOfItems: boolean, field: string): Column =>
  isOfItems ? itemColumns[field as ItemExportField] : listColumns[field as ListExportField]

/** What the columns of an export hold. */
export const columnTypes = ({ quotationId, fields }: ExportRequest): { name: string; type: CellType }[] =>
  fields.map((name) => ({ name, type: columnOf(quotationId !== null, name).type }))

/** How many rows there are. @throws AppError 400 for a filter. */
export const countRows = async (db: Db, rows: Rows): Promise<number> => {
  const { from } = sourceOf(rows, 'count')
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
  const { from, order } = sourceOf(request, 'read')
  const columns = fields.map((name) => ({ name, column: columnOf(quotationId !== null, name) }))
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

const sourceOf = ({ quotationId, query }: Rows, purpose: 'count' | 'read'): Source =>
  quotationId === null ? quotationsOf(query, purpose) : itemsOf(quotationId, query)

const limitOf = ({ limit }: ExportQuery) => (limit === undefined ? sql`` : sql`limit ${limit}`)

/** One row for each order of a quotation; one for a quotation that has none. */
const quotationsOf = (query: ExportQuery, purpose: 'count' | 'read'): Source => {
  const { fits, key, direction } = selectionOf(query)
  // To be counted they need no order unless they are limited, and their owners make no difference.
  const order = query.limit === undefined ? sql`` : sql`order by ${key} ${direction}, id ${direction}`
  const quotations = sql`(select *, ${key} as order_key from quotations where ${fits} ${order} ${limitOf(query)}) as quotation`
  const withOrders = sql`${quotations} left join quotation_orders orders on orders.quotation_id = quotation.id`
  return {
    from: purpose === 'count' ? withOrders : sql`${withOrders} join users owner on owner.id = quotation.user_id`,
    order: sql`quotation.order_key ${direction}, quotation.id ${direction}, orders.id`,
  }
}

const itemsOf = (quotationId: number, query: ExportQuery): Source => ({
  from: sql`(select * from quotation_items where quotation_id = ${quotationId} order by id ${limitOf(query)}) as item
    join quotations quotation on quotation.id = item.quotation_id`,
  order: sql`item.id`,
})
