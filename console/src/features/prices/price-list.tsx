import { recordOf } from '#api/queries.ts'
import type { RowOf } from '#api/types.ts'
import { divisions, products } from '#parts/records.ts'
import type { Column } from '#ui/list/list-table.tsx'
import type { ListDefinition } from '#ui/list/use-list.ts'
import { Status } from '#ui/status.tsx'
import { formatMoney } from '#ui/texts/format.ts'
import { formatPeriod, heldAt } from './period.ts'

export type Price = RowOf<'/api/v1/prices'>

export const priceOf = (id: number) => recordOf('/api/v1/prices/{id}', { path: { id } })

export const coverages: readonly Price['covers'][] = ['division', 'tree']

export const prices: ListDefinition<'/api/v1/prices'> = {
  path: '/api/v1/prices',
  texts: 'prices',
  filters: [
    { name: 'division', label: 'field.division', kind: 'record', records: divisions },
    { name: 'product', label: 'field.product', kind: 'record', records: products },
    { name: 'holds_at', label: 'field.holds_at', kind: 'choice', choices: [{ value: '-0m', label: 'holds_now' }] },
    { name: 'name', label: 'field.name', kind: 'text' },
    {
      name: 'covers',
      label: 'field.covers',
      kind: 'choice',
      choices: coverages.map((value) => ({ value, label: `covers.${value}` })),
    },
    { name: 'product_remote_id', label: 'field.product_remote_id', kind: 'text' },
    { name: 'valid_from', label: 'field.valid_from', kind: 'time' },
    { name: 'valid_to', label: 'field.valid_to', kind: 'time' },
    { name: 'created_date', label: 'field.created_date', kind: 'time' },
    { name: 'modified_date', label: 'field.modified_date', kind: 'time' },
  ],
}

const outcomes = { now: 'ok', later: 'wait', over: 'idle', other_currency: 'bad' } as const

export const columns: readonly Column<Price>[] = [
  { name: 'product', title: 'field.product', render: ({ product_name: name }) => name },
  {
    name: 'price',
    title: 'field.price',
    isNumber: true,
    render: ({ price, currency }) => formatMoney(price, currency),
  },
  {
    name: 'list_price',
    title: 'field.list_price',
    isNumber: true,
    isWide: true,
    render: ({ list_price: price, list_currency: currency }) => (
      <span className="muted">{formatMoney(price, currency)}</span>
    ),
  },
  { name: 'division', title: 'field.division', render: ({ division_name: name }) => name },
  {
    name: 'state',
    title: 'field.state',
    isWide: true,
    render: (price, t) => {
      const state = heldAt(price, new Date())
      return <Status outcome={outcomes[state]}>{t(`state.${state}`)}</Status>
    },
  },
  {
    name: 'valid',
    title: 'field.valid',
    ordering: 'valid_from',
    isWide: true,
    render: (price, t) => formatPeriod(price, t),
  },
  { name: 'covers', title: 'field.covers', isWide: true, render: ({ covers }, t) => t(`covers.${covers}`) },
  { name: 'name', title: 'field.name', ordering: 'name', isWide: true, render: ({ name }) => name },
]
