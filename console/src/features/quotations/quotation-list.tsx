import { recordOf } from '#api/queries.ts'
import type { RowOf, Schema } from '#api/types.ts'
import { divisions, users } from '#parts/records.ts'
import { sinceColumn, statusColumn } from '#ui/list/columns.tsx'
import { choiceFilter } from '#ui/list/filters.ts'
import type { Column } from '#ui/list/list-table.tsx'
import type { ListDefinition } from '#ui/list/use-list.ts'
import type { Outcome } from '#ui/status.tsx'
import { formatDay, formatMoney } from '#ui/texts/format.ts'

type Quotation = RowOf<'/api/v1/quotations'>
export type QuotationStatus = Quotation['status']

export const outcomes: Readonly<Record<QuotationStatus, Outcome>> = {
  pending: 'wait',
  draft: 'wait',
  request_approval: 'idle',
  sending_approval_request: 'idle',
  approved: 'ok',
  rejected: 'bad',
  cancelled: 'idle',
  expired: 'idle',
}
/** Where it is the turn of somebody, who has until it expires. */
const turns: ReadonlySet<QuotationStatus> = new Set(['pending', 'request_approval', 'sending_approval_request'])
export const statuses = Object.keys(outcomes) as QuotationStatus[]

export const orderOutcomes: Readonly<Record<Schema<'QuotationOrder'>['status'], Outcome>> = {
  pending: 'wait',
  created: 'ok',
  failed: 'bad',
}

export const quotations: ListDefinition<'/api/v1/quotations'> = {
  path: '/api/v1/quotations',
  texts: 'quotations',
  filters: [
    choiceFilter('status', statuses),
    choiceFilter('order_status', Object.keys(orderOutcomes)),
    { name: 'name', label: 'field.name', kind: 'text' },
    { name: 'number', label: 'field.number', kind: 'text' },
    { name: 'user', label: 'field.user', kind: 'record', records: users },
    { name: 'division', label: 'field.division', kind: 'record', records: divisions },
    { name: 'phone_number', label: 'field.phone_number', kind: 'text' },
    { name: 'total_amount', label: 'field.total_amount', kind: 'amount' },
    { name: 'created_at', label: 'field.created_at', kind: 'time' },
    { name: 'modified_at', label: 'field.modified_at', kind: 'time' },
  ],
}

/** How many there are in each status. @param matching the filters of the list as the API takes them */
export const countsOf = ({ status: _status, ...matching }: Readonly<Record<string, unknown>>) =>
  recordOf('/api/v1/quotations/counts', { query: matching })

export const columns: readonly Column<Quotation>[] = [
  { name: 'number', title: 'field.number', ordering: 'number', render: ({ number }) => number },
  statusColumn(outcomes),
  sinceColumn('created_at', 'field.age'),
  {
    name: 'net',
    title: 'field.net_amount',
    ordering: 'net_amount',
    isNumber: true,
    render: ({ net_amount: net, currency }) => formatMoney(net, currency),
  },
  {
    name: 'until',
    title: 'field.until',
    isWide: true,
    render: ({ status, expires_at: expires }) =>
      expires !== null && turns.has(status) ? formatDay(new Date(expires)) : <span className="muted">–</span>,
  },
  { name: 'name', title: 'field.name', ordering: 'name', isWide: true, render: ({ name }) => name },
  {
    name: 'user',
    title: 'field.user',
    isWide: true,
    render: ({ user }) => `${user.first_name} ${user.last_name}`.trim() || user.email,
  },
  { name: 'division', title: 'field.division', isWide: true, render: ({ user }) => user.division.name },
]
