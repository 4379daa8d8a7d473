import type { RowOf } from '#api/types.ts'
import { timeColumn } from '#ui/list/columns.tsx'
import { choiceFilter } from '#ui/list/filters.ts'
import type { Column } from '#ui/list/list-table.tsx'
import type { ListDefinition } from '#ui/list/use-list.ts'
import { Status } from '#ui/status.tsx'

export type StockLocation = RowOf<'/api/v1/stock_locations'>

export const kinds: readonly StockLocation['kind'][] = ['warehouse', 'store', 'virtual']

export const locations: ListDefinition<'/api/v1/stock_locations'> = {
  path: '/api/v1/stock_locations',
  texts: 'stock-locations',
  filters: [
    choiceFilter('kind', kinds),
    { name: 'is_active', label: 'field.is_active', kind: 'yesno' },
    { name: 'code', label: 'field.code', kind: 'text' },
    { name: 'name', label: 'field.name', kind: 'text' },
    { name: 'created_date', label: 'field.created_date', kind: 'time' },
  ],
}

export const columns: readonly Column<StockLocation>[] = [
  { name: 'code', title: 'field.code', ordering: 'code', render: ({ code }) => code },
  { name: 'name', title: 'field.name', ordering: 'name', isWide: true, render: ({ name }) => name },
  {
    name: 'state',
    title: 'field.state',
    render: ({ is_active: isActive }, t) => (
      <Status outcome={isActive ? 'ok' : 'idle'}>{t(isActive ? 'state.active' : 'state.inactive')}</Status>
    ),
  },
  { name: 'kind', title: 'field.kind', isWide: true, render: ({ kind }, t) => t(`kind.${kind}`) },
  {
    name: 'backorder',
    title: 'field.allow_backorder',
    isWide: true,
    render: ({ allow_backorder: may }, t) => t(may ? 'texts:yes' : 'texts:no'),
  },
  timeColumn('modified_date'),
]
