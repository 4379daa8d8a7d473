import { useTranslation } from 'react-i18next'
import type { RowOf } from '#api/types.ts'
import type { BoardDefinition } from '#parts/board/board.ts'
import { itemsText, piecesOf } from '#parts/fulfilment/items.ts'
import { LocationCode } from '#parts/fulfilment/locations.tsx'
import { packages, stockLocations } from '#parts/records.ts'
import { sinceColumn, statusColumn, timeColumn } from '#ui/list/columns.tsx'
import { choiceFilter } from '#ui/list/filters.ts'
import type { Column } from '#ui/list/list-table.tsx'
import type { Outcome } from '#ui/status.tsx'

export type Transfer = RowOf<'/api/v1/transfers'>

const outcomes: Readonly<Record<Transfer['status'], Outcome>> = {
  created: 'idle',
  transitioned: 'wait',
  ready_to_shipment: 'wait',
  in_transit: 'wait',
  transferred: 'ok',
  cancelled: 'idle',
}

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

const columns: readonly Column<Transfer>[] = [
  { name: 'number', title: 'field.number', ordering: 'number', render: ({ number }) => number },
  statusColumn(outcomes),
  sinceColumn('modified_date', 'field.since'),
  { name: 'way', title: 'field.way', isWide: true, render: (transfer) => <Way transfer={transfer} /> },
  { name: 'items', title: 'field.items', isWide: true, render: ({ items }) => itemsText(items) },
  timeColumn('created_date'),
]

export const transferBoard: BoardDefinition<'/api/v1/transfers'> = {
  list: {
    path: '/api/v1/transfers',
    texts: 'transfers',
    filters: [
      choiceFilter('status', Object.keys(outcomes)),
      { name: 'number', label: 'field.number', kind: 'text' },
      { name: 'sku', label: 'field.sku', kind: 'text' },
      { name: 'from_location', label: 'field.from_location', kind: 'record', records: stockLocations },
      { name: 'to_location', label: 'field.to_location', kind: 'record', records: stockLocations },
      { name: 'package', label: 'field.package', kind: 'record', records: packages },
      { name: 'created_date', label: 'field.created_date', kind: 'time' },
      { name: 'modified_date', label: 'field.modified_date', kind: 'time' },
    ],
  },
  outcomes,
  counts: '/api/v1/transfers/counts',
  columns,
  rowTo: ({ id }) => `/transfers/${id}`,
  createTo: '/transfers/new',
  card: (row) => ({
    number: row.number,
    about: <Pieces count={piecesOf(row.items)} />,
    what: itemsText(row.items),
    where: <Way transfer={row} />,
    since: row.modified_date,
  }),
}
