import type { OrderFailure, OrderFailures } from '#domains/b2b/index.ts'
import type { OwnFailure, OwnFailures } from '#domains/error-reports/index.ts'
import { contentTypes } from '#events/content-types.ts'

/** Orders that the commerce platform did not create as error reports, which link to them and are linked by them. */
export const makeOrderFailures = (reports: OwnFailures): OrderFailures => ({
  report: (tx, failure) => reports.report(tx, [ownFailureOf(failure)]),
  resolve: (tx, actionObjectId) => reports.resolve(tx, [orderObject(actionObjectId)]),
  takeTurn: (tx) => reports.takeTurn(tx),
  retried: (tx, orderIds, by) => reports.retried(tx, orderIds.map(orderObject), by),
  openReports: async (db, orderIds) => {
    const ids = await reports.openReports(db, 'order', orderIds)
    return new Map([...ids].map(([orderId, id]) => [orderId, `/api/v1/error_reports/${id}/`]))
  },
})

const orderObject = (actionObjectId: number) => ({ source: 'order', actionObjectId }) as const

const ownFailureOf = ({ orderId, orderNumber, quotationId, quotationNumber, ...told }: OrderFailure): OwnFailure => {
  const quotation = `/api/v1/quotations/${quotationId}/`
  return {
    ...told,
    source: 'order',
    actionObjectId: orderId,
    actionContentType: contentTypes.order,
    action: { label: `Order ${orderNumber}`, path: `${quotation}orders/` },
    targetContentType: contentTypes.quotation,
    targetObjectId: String(quotationId),
    target: { label: `Quotation ${quotationNumber}`, path: quotation },
  }
}
