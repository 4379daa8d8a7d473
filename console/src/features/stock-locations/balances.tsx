import { useTranslation } from 'react-i18next'
import type { RowOf } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { useList, type ListDefinition } from '#ui/list/use-list.ts'
import { Empty } from '#ui/states.tsx'
import { formatNumber } from '#ui/texts/format.ts'
import type { StockLocation } from './location-list.tsx'

type Balance = RowOf<'/api/v1/stock_locations/{id}/stock'>

export const balancesOf = (id: number): ListDefinition<'/api/v1/stock_locations/{id}/stock'> => ({
  path: '/api/v1/stock_locations/{id}/stock',
  texts: 'stock-locations',
  parameters: { id },
  filters: [
    { name: 'sku', label: 'field.sku', kind: 'text' },
    { name: 'on_hand', label: 'field.on_hand', kind: 'amount' },
    { name: 'allocated', label: 'field.allocated', kind: 'amount' },
    { name: 'available', label: 'field.available', kind: 'amount' },
  ],
})

const figure = (value: number) => <span className={value < 0 ? 'text-bad' : undefined}>{formatNumber(value)}</span>

const columnsFor = (adjust: (sku: string) => void): readonly Column<Balance>[] => [
  { name: 'sku', title: 'field.sku', ordering: 'sku', render: ({ sku }) => <code>{sku}</code> },
  {
    name: 'on_hand',
    title: 'field.on_hand',
    ordering: 'on_hand',
    isNumber: true,
    render: ({ on_hand: value }) => figure(value),
  },
  {
    name: 'allocated',
    title: 'field.allocated',
    ordering: 'allocated',
    isNumber: true,
    isWide: true,
    render: ({ allocated: value }) => figure(value),
  },
  {
    name: 'available',
    title: 'field.available',
    ordering: 'available',
    isNumber: true,
    render: ({ available: value }) => <b>{figure(value)}</b>,
  },
  {
    name: 'adjust',
    title: 'adjust.column',
    isNumber: true,
    isWide: true,
    render: ({ sku }, t) => (
      <Action variant="subtle" onClick={() => adjust(sku)}>
        {t('adjust.open')}
      </Action>
    ),
  },
]

interface BalancesProps {
  readonly location: StockLocation
  readonly adjust: (sku: string) => void
}

/** What a location has of each sku. */
export const Balances = ({ location, adjust }: BalancesProps) => {
  const { t } = useTranslation('stock-locations')
  const list = useList(balancesOf(location.id))
  return (
    <ListView
      list={list}
      columns={columnsFor(adjust)}
      idOf={({ sku }) => sku}
      empty={
        <Empty title={t('no_stock')} action={<Action onClick={() => adjust('')}>{t('adjust.open')}</Action>}>
          {t('no_stock_why')}
        </Empty>
      }
    />
  )
}
