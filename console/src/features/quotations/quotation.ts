import type { TFunction } from 'i18next'
import { listOf, recordOf } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { formatDate } from '#ui/texts/format.ts'

export type Quotation = Schema<'QuotationDetail'>

export const quotationOf = (id: number) => recordOf('/api/v1/quotations/{id}', { path: { id } })
export const auditOf = (id: number) => listOf('/api/v1/quotations/{id}/audit', { path: { id }, query: { limit: 100 } })
export const commentsOf = (id: number) =>
  listOf('/api/v1/quotations/{id}/comments', { path: { id }, query: { limit: 100 } })

export type Step = Quotation['allowed_actions'][number]

/** What the seller decides about a quotation that is not approved yet. */
export const steps = ['approve', 'send-approval-request', 'set-as-draft', 'reject'] as const satisfies readonly Step[]

/** Whether deciding is the business of whoever reads this: allowed now, or at other times. */
export const mayDecide = ({ allowed_actions: allowed, blocked_actions: blocked }: Quotation): boolean =>
  steps.some((step) => allowed.includes(step) || step in blocked)

/** Whether some of what was approved is in no order yet. */
export const isOrderMissing = ({ items, orders }: Quotation): boolean => piecesOf(orders) < piecesOf(items)

const piecesOf = (all: readonly { readonly quantity: number }[]): number =>
  all.reduce((sum, { quantity }) => sum + quantity, 0)

/** Whose turn it is, and by when. */
export const sentenceOf = (quotation: Quotation, t: TFunction): string => {
  const { status, expires_at: expires, orders } = quotation
  if (status === 'approved') return approvedSentence(orders, t)
  if ((status === 'pending' || status === 'draft') && !mayDecide(quotation)) return t(`sentence.${status}_others`)
  const isOver = status === 'rejected' || status === 'cancelled'
  if (expires === null || isOver || status === 'draft') return t(`sentence.${status}`)
  return t(`sentence.${status}_by`, { day: formatDate(new Date(expires)) })
}

const approvedSentence = (orders: Quotation['orders'], t: TFunction): string => {
  const count = orders.length
  if (count === 0) return t('sentence.no_orders')
  const failed = orders.filter(({ status }) => status === 'failed').length
  const arrived = orders.filter(({ status }) => status === 'created').length
  if (failed > 0) return t('sentence.orders_failed', { failed, count })
  return t(arrived === count ? 'sentence.orders_arrived' : 'sentence.orders_on_way', { arrived, count })
}

/** The version that is on the screen, as its `ETag` says it. */
export const versionOf = ({ version }: Quotation): string => `"${version}"`
