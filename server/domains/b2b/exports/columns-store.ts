import { sql, type RawBuilder } from 'kysely'
import { digitsOf } from '#platform/money.ts'
import { cellStarts, formulaStarts, type CellType, type TableFormat } from '#platform/spreadsheets/table-file.ts'
import type { ItemExportField } from '../settings/index.ts'
import type { ListExportField } from './fields.ts'

/** What a field is made of, and what its cells are. */
export interface Column {
  readonly type: CellType
  readonly value: RawBuilder<unknown>
  /** A text that this server made, of words that it knows: it is no formula. */
  readonly isOurs?: boolean
  /** What it is read of besides the quotation or the item; nothing else is joined. */
  readonly of?: Joined
}
export type Joined = 'owner' | 'division' | 'orders' | 'shares'

const text = (value: RawBuilder<unknown>, of?: Joined): Column => ({ type: 'text', value, ...(of && { of }) })
const ourText = (column: string, of?: Joined): Column => ({ ...text(sql.ref(column), of), isOurs: true })
const number = (value: RawBuilder<unknown>): Column => ({ type: 'number', value })
const time = (column: string): Column => ({
  type: 'time',
  value: sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
})

/** Currencies by their digits, without those that have two, as nearly all do. */
const unusual = Object.entries(
  Object.groupBy(
    Intl.supportedValuesOf('currency').filter((currency) => digitsOf(currency) !== 2),
    (currency) => String(digitsOf(currency)),
  ),
).map(([digits, currencies = []]) => ({ digits: Number(digits), currencies }))

/** An amount with all digits of its currency, as the API shows it: 123450 is 1234.50. */
const amount = (column: RawBuilder<unknown>, currency: string): Column => {
  const decimal = (digits: number) =>
    digits === 0
      ? sql`${column}::numeric`
      : sql`round(${column} / ${sql.lit(10 ** digits)}::numeric, ${sql.lit(digits)})`
  const cases = unusual.map(
    ({ digits, currencies }) =>
      sql`when ${sql.ref(currency)} in (${sql.join(currencies.map((one) => sql.lit(one)))}) then ${decimal(digits)}`,
  )
  return number(sql`case ${sql.join(cases, sql` `)} else ${decimal(2)} end`)
}

/** What people call a division: the name, and the ERP code where there is one. */
export const divisionLabel = sql`division.name || case when division.erp_code is null then '' else ' (' || division.erp_code || ')' end`

export const listColumns: Readonly<Record<ListExportField, Column>> = {
  id: number(sql`quotation.id`),
  number: ourText('quotation.number'),
  total_amount: amount(sql`quotation.total_amount`, 'quotation.currency'),
  net_amount: amount(sql`quotation.net_amount`, 'quotation.currency'),
  name: text(sql`quotation.name`),
  user: text(sql`owner.email`, 'owner'),
  created_at: time('quotation.created_at'),
  modified_at: time('quotation.modified_at'),
  status: ourText('quotation.status'),
  order_remote_number: text(sql`orders.remote_number`, 'orders'),
  order_status: ourText('orders.status', 'orders'),
  currency: ourText('quotation.currency'),
  division: text(divisionLabel, 'division'),
  order_number: ourText('orders.number', 'orders'),
  order_amount: { ...amount(sql`orders.amount`, 'quotation.currency'), of: 'orders' },
  // A look-up for each row. To number the rows they would have to be sorted once more.
  is_first_row: {
    ...number(sql`case when exists (
      select from quotation_orders earlier where earlier.quotation_id = quotation.id and earlier.id < orders.id
    ) then 0 else 1 end`),
    of: 'orders',
  },
}

export const itemColumns: Readonly<Record<ItemExportField, Column>> = {
  product_remote_id: text(sql`item.product_remote_id`),
  sku: text(sql`coalesce(item.sku, item.product_remote_id)`),
  quantity: number(sql`item.quantity`),
  price: amount(sql`coalesce(item.price_override, item.division_price, item.list_price)`, 'quotation.currency'),
  total_amount: amount(sql`item.total_amount`, 'quotation.currency'),
  product: text(sql`item.product_name`),
  divisions: text(sql`shares.label`, 'shares'),
  net_amount: amount(sql`item.net_amount`, 'quotation.currency'),
  currency: ourText('quotation.currency'),
  division: text(divisionLabel, 'division'),
}

/** The value as it is copied. In csv, texts that a spreadsheet could take for a formula get a `'` (contract, section 11). */
export const copiedValue = ({ type, value, isOurs = false }: Column, format: TableFormat): RawBuilder<unknown> =>
  format === 'csv' && type === 'text' && !isOurs
    ? sql`case when left(${value}, 1) in (${sql.join(formulaStarts.map((start) => sql.lit(start)))})
        then '''' else '' end || case when ${hasCellStart(value)}
        then regexp_replace(${value}, ${sql.lit(inner)}, ${sql.lit(String.raw`\1'`)}, 'g') else ${value} end`
    : value

/** Looked for one by one: that takes half as long as a pattern, and there is none in nearly all texts. */
const hasCellStart = (value: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql.join(
    cellStarts.map((start) => sql`strpos(${value}, ${sql.lit(start)}) > 0`),
    sql` or `,
  )

/** A formula within a text: behind what begins a cell, and quotes. Blanks that begin a cell are in there as well. */
const inner = `([${cellStarts.join('')}]"*)(?=[${formulaStarts
  .filter((start) => start.trim() !== '')
  .map((start) => `\\${start}`)
  .join('')}])`
