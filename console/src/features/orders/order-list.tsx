import type { RowOf } from '#api/types.ts'
import { divisions, quotations } from '#parts/records.ts'
import { sinceColumn, timeColumn } from '#ui/list/columns.tsx'
import { choiceFilter } from '#ui/list/filters.ts'
import type { Column } from '#ui/list/list-table.tsx'
import type { ListDefinition } from '#ui/list/use-list.ts'
import { Link } from '#ui/link.tsx'
import { Status, type Outcome } from '#ui/status.tsx'
import { formatMoney, formatNumber } from '#ui/texts/format.ts'

export type Order = RowOf<'/api/v1/orders'>

export const outcomes: Readonly<Record<Order['status'], Outcome>> = { pending: 'wait', created: 'ok', failed: 'bad' }

export const orders: ListDefinition<'/api/v1/orders'> = {
  path: '/api/v1/orders',
  texts: 'orders',
  filters: [
    choiceFilter('status', Object.keys(outcomes)),
    { name: 'number', label: 'field.number', kind: 'text' },
    { name: 'quotation', label: 'field.quotation', kind: 'record', records: quotations },
    { name: 'division', label: 'field.division', kind: 'record', records: divisions },
    { name: 'created_at', label: 'field.created_at', kind: 'time' },
    { name: 'modified_at', label: 'field.modified_at', kind: 'time' },
  ],
}

export const columns: readonly Column<Order>[] = [
  { name: 'number', title: 'field.number', render: ({ number }) => number },
  {
    name: 'status',
    title: 'field.status',
    render: ({ status }, t) => <Status outcome={outcomes[status]}>{t(`status.${status}`)}</Status>,
  },
  sinceColumn('created_at', 'field.age'),
  {
    name: 'amount',
    title: 'field.amount',
    isNumber: true,
    render: ({ amount, currency }) => formatMoney(amount, currency),
  },
  {
    name: 'quantity',
    title: 'field.quantity',
    isNumber: true,
    isWide: true,
    render: ({ quantity }) => formatNumber(quantity),
  },
  { name: 'division', title: 'field.division', isWide: true, render: ({ division }) => division.name },
  {
    name: 'quotation',
    title: 'field.quotation',
    isWide: true,
    render: ({ quotation: { id, number } }) => <Link to={`/quotations/${id}`}>{number}</Link>,
  },
  {
    name: 'attempts',
    title: 'field.attempts',
    isNumber: true,
    isWide: true,
    render: ({ attempts }) => formatNumber(attempts),
  },
  { name: 'remote', title: 'field.remote_number', isWide: true, render: ({ remote_number: remote }) => remote ?? '–' },
  timeColumn('modified_at'),
]
