import type { RowOf } from '#api/types.ts'
import type { BoardDefinition } from '#parts/board/board.ts'
import { itemsText } from '#parts/fulfilment/items.ts'
import { LocationCode } from '#parts/fulfilment/locations.tsx'
import { orders, stockLocations } from '#parts/records.ts'
import { sinceColumn, statusColumn, timeColumn } from '#ui/list/columns.tsx'
import { choiceFilter } from '#ui/list/filters.ts'
import type { Column } from '#ui/list/list-table.tsx'
import type { Outcome } from '#ui/status.tsx'

export type Package = RowOf<'/api/v1/packages'>

const outcomes: Readonly<Record<Package['status'], Outcome>> = {
  created: 'idle',
  transitioned: 'wait',
  packed: 'wait',
  shipped: 'ok',
  packed_for_refund: 'bad',
  cancelled: 'idle',
}

const columns: readonly Column<Package>[] = [
  { name: 'number', title: 'field.number', ordering: 'number', render: ({ number }) => number },
  statusColumn(outcomes),
  sinceColumn('modified_date', 'field.since'),
  {
    name: 'order',
    title: 'field.order_number',
    ordering: 'order_number',
    isWide: true,
    render: ({ order_number: number }) => number,
  },
  { name: 'items', title: 'field.items', isWide: true, render: ({ items }) => itemsText(items) },
  {
    name: 'where',
    title: 'field.stock_location',
    isWide: true,
    render: ({ stock_location: id }) => <LocationCode id={id} />,
  },
  timeColumn('created_date'),
]

export const packageBoard: BoardDefinition<'/api/v1/packages'> = {
  list: {
    path: '/api/v1/packages',
    texts: 'packages',
    filters: [
      choiceFilter('status', Object.keys(outcomes)),
      { name: 'number', label: 'field.number', kind: 'text' },
      { name: 'order_number', label: 'field.order_number', kind: 'text' },
      { name: 'sku', label: 'field.sku', kind: 'text' },
      { name: 'stock_location', label: 'field.stock_location', kind: 'record', records: stockLocations },
      { name: 'quotation_order', label: 'field.quotation_order', kind: 'record', records: orders },
      { name: 'created_date', label: 'field.created_date', kind: 'time' },
      { name: 'modified_date', label: 'field.modified_date', kind: 'time' },
    ],
  },
  outcomes,
  counts: '/api/v1/packages/counts',
  columns,
  rowTo: ({ id }) => `/packages/${id}`,
  createTo: '/packages/new',
  card: (row) => ({
    number: row.number,
    about: row.order_number,
    what: itemsText(row.items),
    where: <LocationCode id={row.stock_location} />,
    since: row.modified_date,
  }),
}
