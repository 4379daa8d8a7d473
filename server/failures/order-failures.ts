import { contentTypes } from '#events/content-types.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { OwnFailure, OwnFailures } from './own-failure.ts'

/** A try to create an order that failed. Credentials are not masked yet. */
export interface OrderFailure extends Pick<OwnFailure, 'at' | 'errorCode' | 'errorDesc'> {
  readonly orderId: number
  readonly orderNumber: string
  readonly quotationId: number
  readonly quotationNumber: string
  /** What the commerce platform was sent, and what it answered. */
  readonly rawRequest: string
  readonly rawResponse: string
}

/** Orders that the commerce platform did not create as error reports: of each order one at most is open. */
export const makeOrderFailures = (reports: OwnFailures) => ({
  /** Opens the report of an order, or renews the open one. Takes the lock of all who change reports, so it comes first in `tx`. */
  report: (tx: Tx, failure: OrderFailure): Promise<void> => reports.report(tx, [ownFailureOf(failure)]),
  /** Resolves the open report of an order, if there is one. It comes first in `tx` too. */
  resolve: (tx: Tx, orderId: number): Promise<void> => reports.resolve(tx, [orderObject(orderId)]),
  /** Keeps other changes of reports waiting until `tx` ends. It comes before the locks of quotations and orders. */
  lockReports: (tx: Tx): Promise<void> => reports.lockReports(tx),
  /** Writes down in the open reports of these orders who had them tried again, after `lockReports`. */
  retried: (tx: Tx, orderIds: readonly number[], by: number): Promise<void> =>
    reports.retried(tx, orderIds.map(orderObject), by),
  /** Paths of the open reports, from the root of this server, by the id of the order. */
  openReports: async (db: Db | Tx, orderIds: readonly number[]): Promise<ReadonlyMap<number, string>> => {
    const ids = await reports.openReports(db, 'order', orderIds)
    return new Map([...ids].map(([orderId, id]) => [orderId, `/api/v1/error_reports/${id}/`]))
  },
})
export type OrderFailures = ReturnType<typeof makeOrderFailures>

const orderObject = (orderId: number) => ({ source: 'order', actionObjectId: orderId }) as const

const ownFailureOf = ({
  orderId,
  orderNumber,
  quotationId,
  quotationNumber,
  ...reported
}: OrderFailure): OwnFailure => {
  const quotation = `/api/v1/quotations/${quotationId}/`
  return {
    ...reported,
    ...orderObject(orderId),
    actionContentType: contentTypes.order,
    action: { label: `Order ${orderNumber}`, path: `${quotation}orders/` },
    targetContentType: contentTypes.quotation,
    targetObjectId: String(quotationId),
    target: { label: `Quotation ${quotationNumber}`, path: quotation },
  }
}
