import type { RowOf } from '#api/types.ts'
import type { BoardDefinition, BoardStatus } from '#parts/board/board.ts'
import { itemsText } from '#parts/fulfilment/items.ts'
import { LocationCode } from '#parts/fulfilment/locations.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import { Since } from '#ui/since.tsx'
import { Status, type Outcome } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'

export type Package = RowOf<'/api/v1/packages'>

export const outcomes: Readonly<Record<Package['status'], Outcome>> = {
  created: 'idle',
  transitioned: 'wait',
  packed: 'wait',
  shipped: 'ok',
  packed_for_refund: 'bad',
  cancelled: 'idle',
}

const statuses: readonly BoardStatus[] = Object.entries(outcomes).map(([value, outcome]) => ({ value, outcome }))

export const packageBoard: BoardDefinition<'/api/v1/packages'> = {
  list: {
    path: '/api/v1/packages',
    texts: 'packages',
    filters: [
      {
        name: 'status',
        label: 'field.status',
        kind: 'choice',
        isRepeatable: true,
        choices: statuses.map(({ value }) => ({ value, label: `status.${value}` })),
      },
      { name: 'number', label: 'field.number', kind: 'text' },
      { name: 'order_number', label: 'field.order_number', kind: 'text' },
      { name: 'sku', label: 'field.sku', kind: 'text' },
      { name: 'stock_location', label: 'field.stock_location_id', kind: 'number' },
      { name: 'quotation_order', label: 'field.quotation_order', kind: 'number' },
      { name: 'created_date', label: 'field.created_date', kind: 'time' },
      { name: 'modified_date', label: 'field.modified_date', kind: 'time' },
    ],
  },
  statuses,
  counts: '/api/v1/packages/counts',
  rowTo: ({ id }) => `/packages/${id}`,
  card: (row) => ({
    number: row.number,
    about: row.order_number,
    what: itemsText(row.items),
    where: <LocationCode id={row.stock_location} />,
    since: row.modified_date,
  }),
}

export const columns: readonly Column<Package>[] = [
  { name: 'number', title: 'field.number', ordering: 'number', render: ({ number }) => number },
  {
    name: 'status',
    title: 'field.status',
    ordering: 'status',
    render: ({ status }, t) => <Status outcome={outcomes[status]}>{t(`status.${status}`)}</Status>,
  },
  {
    name: 'since',
    title: 'field.since',
    ordering: 'modified_date',
    isNumber: true,
    render: ({ modified_date: at }) => <Since at={at} />,
  },
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
  {
    name: 'created',
    title: 'field.created_date',
    ordering: 'created_date',
    isWide: true,
    render: ({ created_date: at }) => <Time at={at} />,
  },
]
