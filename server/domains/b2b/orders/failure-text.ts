import { keyOf, toPlatform, type Order } from './order.ts'
import type { OrderFailure } from './order-failures.ts'
import { orderToJson, type PlatformError } from './platform/commerce-platform.ts'

/** Characters that are kept of the error of an order: its report has more. */
const longestError = 1_000

/** What an order shows of the last try that failed. @param mask masks the credentials in a text. */
export const errorText = ({ detail, body }: PlatformError, mask: (text: string) => string): string => {
  const text = mask(body === null || body.trim() === '' ? detail : `${detail} ${body.trim()}`)
  return text.length <= longestError ? text : `${text.slice(0, longestError - 1)}…`
}

/** What the error report of an order says. */
export const failureOf = (order: Order, error: PlatformError, at: Date): OrderFailure => ({
  orderId: order.id,
  orderNumber: order.number,
  quotationId: order.quotationId,
  quotationNumber: order.quotationNumber,
  at,
  errorCode: error.reason === 'refused' && error.status !== null ? `http_${error.status}` : error.reason,
  errorDesc: `The commerce platform did not create the order. ${error.detail}`,
  rawRequest: `Key of the order: ${keyOf(order)}\n\n${orderToJson(toPlatform(order))}`,
  rawResponse: answerText(error),
})

const answerText = ({ status, body, reason, detail }: PlatformError): string =>
  status === null ? `${reason}: ${detail}` : `HTTP ${status}\n\n${body ?? ''}`
