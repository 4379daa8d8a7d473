import { useTranslation } from 'react-i18next'
import type { RowOf } from '#api/types.ts'
import type { BoardDefinition } from '#parts/board/board.ts'
import { packages, transfers } from '#parts/records.ts'
import { sinceColumn, statusColumn, timeColumn } from '#ui/list/columns.tsx'
import { choiceFilter } from '#ui/list/filters.ts'
import type { Column } from '#ui/list/list-table.tsx'
import type { Outcome } from '#ui/status.tsx'

export type Shipment = RowOf<'/api/v1/shipments'>

const outcomes: Readonly<Record<Shipment['status'], Outcome>> = {
  created: 'idle',
  ready: 'wait',
  in_transit: 'wait',
  out_for_delivery: 'wait',
  delivered: 'ok',
  failed: 'bad',
  returned: 'bad',
  cancelled: 'idle',
}

/** What it carries: a package or a transfer, by its id. */
export const Carried = ({ shipment }: { readonly shipment: Pick<Shipment, 'package' | 'transfer'> }) => {
  const { t } = useTranslation('shipments')
  return shipment.package === null
    ? t('of_transfer', { id: shipment.transfer })
    : t('of_package', { id: shipment.package })
}

const columns: readonly Column<Shipment>[] = [
  { name: 'id', title: 'field.id', ordering: 'id', render: ({ id }) => `#${id}` },
  statusColumn(outcomes),
  sinceColumn('modified_date', 'field.modified_date'),
  { name: 'carrier', title: 'field.carrier', ordering: 'carrier', render: ({ carrier }) => carrier },
  {
    name: 'awb',
    title: 'field.awb_number',
    isWide: true,
    render: ({ awb_number: number }) => <code>{number ?? '–'}</code>,
  },
  { name: 'carried', title: 'field.carried', isWide: true, render: (shipment) => <Carried shipment={shipment} /> },
  timeColumn('created_date'),
]

export const shipmentBoard: BoardDefinition<'/api/v1/shipments'> = {
  list: {
    path: '/api/v1/shipments',
    texts: 'shipments',
    filters: [
      choiceFilter('status', Object.keys(outcomes)),
      { name: 'carrier', label: 'field.carrier', kind: 'text' },
      { name: 'awb_number', label: 'field.awb_number', kind: 'text' },
      { name: 'package', label: 'field.package', kind: 'record', records: packages },
      { name: 'transfer', label: 'field.transfer', kind: 'record', records: transfers },
      { name: 'created_date', label: 'field.created_date', kind: 'time' },
      { name: 'modified_date', label: 'field.modified_date', kind: 'time' },
    ],
  },
  outcomes,
  counts: '/api/v1/shipments/counts',
  columns,
  rowTo: ({ id }) => `/shipments/${id}`,
  createTo: '/shipments/new',
  card: (row) => ({
    number: `#${row.id}`,
    about: row.carrier,
    what: <Carried shipment={row} />,
    where: row.awb_number,
    since: row.modified_date,
  }),
}
