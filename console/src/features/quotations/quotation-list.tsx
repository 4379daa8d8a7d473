import { recordOf } from '#api/queries.ts'
import type { RowOf } from '#api/types.ts'
import { outcomes, type QuotationStatus } from '#parts/quotation-filters.ts'
import { sinceColumn, statusColumn } from '#ui/list/columns.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import { formatDay, formatMoney } from '#ui/texts/format.ts'

type Quotation = RowOf<'/api/v1/quotations'>

/** Where it is the turn of somebody, who has until it expires. */
const turns: ReadonlySet<QuotationStatus> = new Set([
  'pending',
  'draft',
  'request_approval',
  'sending_approval_request',
])

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
