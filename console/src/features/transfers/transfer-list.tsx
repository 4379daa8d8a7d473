import { useTranslation } from 'react-i18next'
import type { RowOf } from '#api/types.ts'
import type { BoardDefinition, BoardStatus } from '#parts/board/board.ts'
import { itemsText, piecesOf } from '#parts/fulfilment/items.ts'
import { LocationCode } from '#parts/fulfilment/locations.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import { Since } from '#ui/since.tsx'
import { Status, type Outcome } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'

export type Transfer = RowOf<'/api/v1/transfers'>

export const outcomes: Readonly<Record<Transfer['status'], Outcome>> = {
  created: 'idle',
  transitioned: 'wait',
  ready_to_shipment: 'wait',
  in_transit: 'wait',
  transferred: 'ok',
  cancelled: 'idle',
}

const statuses: readonly BoardStatus[] = Object.entries(outcomes).map(([value, outcome]) => ({ value, outcome }))

/** From where to where. */
export const Way = ({ transfer }: { readonly transfer: Transfer }) => (
  <span>
    <LocationCode id={transfer.from_location} /> → <LocationCode id={transfer.to_location} />
  </span>
)

const Pieces = ({ count }: { readonly count: number }) => {
  const { t } = useTranslation('transfers')
  return t('pieces', { count })
}

export const transferBoard: BoardDefinition<'/api/v1/transfers'> = {
  list: {
    path: '/api/v1/transfers',
    texts: 'transfers',
    filters: [
      {
        name: 'status',
        label: 'field.status',
        kind: 'choice',
        isRepeatable: true,
        choices: statuses.map(({ value }) => ({ value, label: `status.${value}` })),
      },
      { name: 'number', label: 'field.number', kind: 'text' },
      { name: 'sku', label: 'field.sku', kind: 'text' },
      { name: 'from_location', label: 'field.from_location_id', kind: 'number' },
      { name: 'to_location', label: 'field.to_location_id', kind: 'number' },
      { name: 'package', label: 'field.package_id', kind: 'number' },
      { name: 'created_date', label: 'field.created_date', kind: 'time' },
      { name: 'modified_date', label: 'field.modified_date', kind: 'time' },
    ],
  },
  statuses,
  counts: '/api/v1/transfers/counts',
  rowTo: ({ id }) => `/transfers/${id}`,
  card: (row) => ({
    number: row.number,
    about: <Pieces count={piecesOf(row.items)} />,
    what: itemsText(row.items),
    where: <Way transfer={row} />,
    since: row.modified_date,
  }),
}

export const columns: readonly Column<Transfer>[] = [
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
  { name: 'way', title: 'field.way', isWide: true, render: (transfer) => <Way transfer={transfer} /> },
  { name: 'items', title: 'field.items', isWide: true, render: ({ items }) => itemsText(items) },
  {
    name: 'created',
    title: 'field.created_date',
    ordering: 'created_date',
    isWide: true,
    render: ({ created_date: at }) => <Time at={at} />,
  },
]
