import { useTranslation } from 'react-i18next'
import type { RowOf } from '#api/types.ts'
import { Person } from '#parts/fulfilment/person.tsx'
import { Link } from '#ui/link.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { useList, type ListDefinition } from '#ui/list/use-list.ts'
import { Empty } from '#ui/states.tsx'
import { formatNumber } from '#ui/texts/format.ts'
import { Time } from '#ui/time.tsx'
import type { StockLocation } from './location-list.tsx'

type Movement = RowOf<'/api/v1/stock_locations/{id}/movements'>

const kinds: readonly Movement['kind'][] = [
  'adjust',
  'allocate',
  'release',
  'sale',
  'restock',
  'transfer_out',
  'transfer_in',
  'write_off',
]

export const ledgerOf = (id: number): ListDefinition<'/api/v1/stock_locations/{id}/movements'> => ({
  path: '/api/v1/stock_locations/{id}/movements',
  texts: 'stock-locations',
  parameters: { id },
  filters: [
    { name: 'sku', label: 'field.sku', kind: 'text' },
    {
      name: 'kind',
      label: 'field.movement',
      kind: 'choice',
      isRepeatable: true,
      choices: kinds.map((value) => ({ value, label: `movement.${value}` })),
    },
    { name: 'created_date', label: 'field.time', kind: 'time' },
  ],
})

/** What it added, with its sign; nothing as a dash. */
const change = (value: number) =>
  value === 0 ? <span className="muted">–</span> : `${value > 0 ? '+' : '−'}${formatNumber(Math.abs(value))}`

const columns: readonly Column<Movement>[] = [
  {
    name: 'time',
    title: 'field.time',
    render: ({ created_date: at }) => (
      <span className="muted">
        <Time at={at} />
      </span>
    ),
  },
  { name: 'kind', title: 'field.movement', render: ({ kind }, t) => t(`movement.${kind}`) },
  { name: 'sku', title: 'field.sku', render: ({ sku }) => <code>{sku}</code> },
  { name: 'on_hand', title: 'field.on_hand', isNumber: true, render: ({ on_hand: value }) => change(value) },
  { name: 'allocated', title: 'field.allocated', isNumber: true, render: ({ allocated: value }) => change(value) },
  { name: 'cause', title: 'field.cause', isWide: true, render: (movement) => <Cause movement={movement} /> },
  {
    name: 'actor',
    title: 'field.actor',
    isWide: true,
    render: ({ actor }, t) => <Person id={actor} fallback={t('user', { id: actor })} />,
  },
]

/** The package or transfer that it was booked for, or the reason somebody gave. */
const Cause = ({ movement: { cause, reason } }: { readonly movement: Movement }) => {
  if (cause.type === 'adjustment' || cause.id === null) return <span title={reason ?? undefined}>{reason ?? '–'}</span>
  return (
    <span title={reason ?? undefined}>
      <Link to={`/${cause.type}s/${cause.id}`}>{cause.number}</Link>
      {reason !== null && ` · ${reason}`}
    </span>
  )
}

/** Every movement of a location, the newest first. */
export const Ledger = ({ location }: { readonly location: StockLocation }) => {
  const { t } = useTranslation('stock-locations')
  const list = useList(ledgerOf(location.id))
  return <ListView list={list} columns={columns} empty={<Empty title={t('no_movements')}>{t('no_stock_why')}</Empty>} />
}
