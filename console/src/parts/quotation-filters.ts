import type { RowOf, Schema } from '#api/types.ts'
import { divisions, users } from '#parts/records.ts'
import { choiceFilter } from '#ui/list/filters.ts'
import type { ListDefinition } from '#ui/list/use-list.ts'
import type { Outcome } from '#ui/status.tsx'

export type QuotationStatus = RowOf<'/api/v1/quotations'>['status']

/** What each status means to the seller. */
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

export const statuses = Object.keys(outcomes) as QuotationStatus[]

export const orderOutcomes: Readonly<Record<Schema<'QuotationOrder'>['status'], Outcome>> = {
  pending: 'wait',
  created: 'ok',
  failed: 'bad',
}

/** Quotations as a list, and as what an export of them is narrowed by. */
export const quotations: ListDefinition<'/api/v1/quotations'> = {
  path: '/api/v1/quotations',
  texts: 'quotations',
  filters: [
    choiceFilter('status', statuses),
    choiceFilter('order_status', Object.keys(orderOutcomes)),
    { name: 'name', label: 'field.name', kind: 'text' },
    { name: 'number', label: 'field.number', kind: 'text', isRepeatable: true },
    { name: 'user', label: 'field.user', kind: 'record', records: users },
    { name: 'division', label: 'field.division', kind: 'record', records: divisions },
    { name: 'phone_number', label: 'field.phone_number', kind: 'text' },
    { name: 'total_amount', label: 'field.total_amount', kind: 'amount' },
    { name: 'created_at', label: 'field.created_at', kind: 'time' },
    { name: 'modified_at', label: 'field.modified_at', kind: 'time' },
  ],
}
