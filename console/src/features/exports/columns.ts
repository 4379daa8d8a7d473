import type { Query } from '#api/types.ts'

export type Format = NonNullable<Query<'get', '/api/v1/quotations/export'>['format']>
export type RowKind = NonNullable<Query<'get', '/api/v1/quotations/export'>['rows']>

export const formats: readonly Format[] = ['xlsx', 'csv', 'xls']
export const rowKinds: readonly RowKind[] = ['orders', 'quotations']

/** What an export of quotations has unless it is asked for others, and what it can have besides. */
const usual = [
  'id',
  'number',
  'total_amount',
  'net_amount',
  'name',
  'user',
  'created_at',
  'modified_at',
  'status',
  'order_remote_number',
  'order_status',
]
const more = ['currency', 'division', 'order_number', 'order_amount', 'is_first_row']
const ofItems = [
  'product_remote_id',
  'sku',
  'product',
  'quantity',
  'price',
  'total_amount',
  'net_amount',
  'currency',
  'division',
  'divisions',
]

export interface ColumnChoice {
  readonly all: readonly string[]
  /** What is chosen at first. */
  readonly first: readonly string[]
}

export const listColumns: ColumnChoice = { all: [...usual, ...more], first: [...usual, 'currency'] }
export const itemColumns: ColumnChoice = { all: ofItems, first: ofItems.filter((name) => name !== 'divisions') }
