import { useTranslation } from 'react-i18next'
import type { RowOf } from '#api/types.ts'
import type { BoardDefinition, BoardStatus } from '#parts/board/board.ts'
import type { Column } from '#ui/list/list-table.tsx'
import { Since } from '#ui/since.tsx'
import { Status, type Outcome } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'

export type Shipment = RowOf<'/api/v1/shipments'>

export const outcomes: Readonly<Record<Shipment['status'], Outcome>> = {
  created: 'idle',
  ready: 'wait',
  in_transit: 'wait',
  out_for_delivery: 'wait',
  delivered: 'ok',
  failed: 'bad',
  returned: 'bad',
  cancelled: 'idle',
}

const statuses: readonly BoardStatus[] = Object.entries(outcomes).map(([value, outcome]) => ({ value, outcome }))

/** What it carries: a package or a transfer, by its id. */
export const Carried = ({ shipment }: { readonly shipment: Pick<Shipment, 'package' | 'transfer'> }) => {
  const { t } = useTranslation('shipments')
  return shipment.package === null
    ? t('of_transfer', { id: shipment.transfer })
    : t('of_package', { id: shipment.package })
}

export const shipmentBoard: BoardDefinition<'/api/v1/shipments'> = {
  list: {
    path: '/api/v1/shipments',
    texts: 'shipments',
    filters: [
      {
        name: 'status',
        label: 'field.status',
        kind: 'choice',
        isRepeatable: true,
        choices: statuses.map(({ value }) => ({ value, label: `status.${value}` })),
      },
      { name: 'carrier', label: 'field.carrier', kind: 'text' },
      { name: 'awb_number', label: 'field.awb_number', kind: 'text' },
      { name: 'package', label: 'field.package_id', kind: 'number' },
      { name: 'transfer', label: 'field.transfer_id', kind: 'number' },
      { name: 'created_date', label: 'field.created_date', kind: 'time' },
      { name: 'modified_date', label: 'field.modified_date', kind: 'time' },
    ],
  },
  statuses,
  counts: '/api/v1/shipments/counts',
  rowTo: ({ id }) => `/shipments/${id}`,
  card: (row) => ({
    number: `#${row.id}`,
    about: row.carrier,
    what: <Carried shipment={row} />,
    where: row.awb_number,
    since: row.modified_date,
  }),
}

export const columns: readonly Column<Shipment>[] = [
  { name: 'id', title: 'field.id', ordering: 'id', render: ({ id }) => `#${id}` },
  {
    name: 'status',
    title: 'field.status',
    ordering: 'status',
    render: ({ status }, t) => <Status outcome={outcomes[status]}>{t(`status.${status}`)}</Status>,
  },
  {
    name: 'since',
    title: 'field.modified_date',
    ordering: 'modified_date',
    isNumber: true,
    render: ({ modified_date: at }) => <Since at={at} />,
  },
  { name: 'carrier', title: 'field.carrier', ordering: 'carrier', render: ({ carrier }) => carrier },
  {
    name: 'awb',
    title: 'field.awb_number',
    isWide: true,
    render: ({ awb_number: number }) => <code>{number ?? '–'}</code>,
  },
  { name: 'carried', title: 'field.carried', isWide: true, render: (shipment) => <Carried shipment={shipment} /> },
  {
    name: 'created',
    title: 'field.created_date',
    ordering: 'created_date',
    isWide: true,
    render: ({ created_date: at }) => <Time at={at} />,
  },
]
