import { recordOf } from '#api/queries.ts'
import type { RowOf } from '#api/types.ts'
import { timeColumn } from '#ui/list/columns.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import type { ListDefinition } from '#ui/list/use-list.ts'
import { Status } from '#ui/status.tsx'
import { formatMoney } from '#ui/texts/format.ts'

export type Product = RowOf<'/api/v1/products'>

export const productOf = (id: number) => recordOf('/api/v1/products/{id}', { path: { id } })

export const products: ListDefinition<'/api/v1/products'> = {
  path: '/api/v1/products',
  texts: 'products',
  filters: [
    { name: 'q', label: 'field.q', kind: 'text' },
    { name: 'is_active', label: 'field.is_active', kind: 'yesno' },
    { name: 'category', label: 'field.category', kind: 'text' },
    { name: 'sku', label: 'field.sku', kind: 'text' },
    { name: 'remote_id', label: 'field.remote_id', kind: 'text' },
    { name: 'name', label: 'field.name', kind: 'text' },
    { name: 'currency', label: 'field.currency', kind: 'text' },
    { name: 'created_date', label: 'field.created_date', kind: 'time' },
    { name: 'modified_date', label: 'field.modified_date', kind: 'time' },
  ],
}

export const columns: readonly Column<Product>[] = [
  { name: 'name', title: 'field.name', ordering: 'name', render: ({ name }) => name },
  { name: 'sku', title: 'field.sku', ordering: 'sku', isWide: true, render: ({ sku }) => <code>{sku}</code> },
  {
    name: 'price',
    title: 'field.price',
    isNumber: true,
    render: ({ price, currency }) => formatMoney(price, currency),
  },
  {
    name: 'state',
    title: 'field.state',
    isWide: true,
    render: ({ is_active: isActive }, t) => (
      <Status outcome={isActive ? 'ok' : 'idle'}>{t(isActive ? 'state.active' : 'state.inactive')}</Status>
    ),
  },
  {
    name: 'category',
    title: 'field.category',
    ordering: 'category',
    isWide: true,
    render: ({ category }) => category || '–',
  },
  {
    name: 'remote_id',
    title: 'field.remote_id',
    ordering: 'remote_id',
    isWide: true,
    render: ({ remote_id: remote }) => <code>{remote}</code>,
  },
  timeColumn('modified_date'),
]
