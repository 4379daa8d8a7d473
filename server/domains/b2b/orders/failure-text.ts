import { maskSecrets } from '#platform/masking/mask-secrets.ts'
import { toPlatform, type Order } from './order.ts'
import type { OrderFailure } from '#failures/order-failures.ts'
import { orderToJson, type PlatformError } from './platform/commerce-platform.ts'

/** Characters that are kept of the error of an order: its report has more. */
const longestError = 1_000

/** What an order shows of the last try that failed, without credentials. */
export const errorText = ({ detail, body }: PlatformError): string => {
  const text = maskSecrets(body === null || body.trim() === '' ? detail : `${detail} ${body.trim()}`)
  return text.length <= longestError ? text : `${text.slice(0, longestError - 1)}…`
}

/** What the error report of an order says. @param tried when that failed, and the key as the platform got it. */
export const failureOf = (
  order: Order,
  error: PlatformError,
  tried: { readonly at: Date; readonly key: string },
): OrderFailure => ({
  orderId: order.id,
  orderNumber: order.number,
  quotationId: order.quotationId,
  quotationNumber: order.quotationNumber,
  at: tried.at,
  errorCode: error.reason === 'refused' && error.status !== null ? `http_${error.status}` : error.reason,
  errorDesc: `The commerce platform did not create the order. ${error.detail}`,
  rawRequest: `Key of the order: ${tried.key}\n\n${orderToJson(toPlatform(order))}`,
  rawResponse: answerText(error),
})

const answerText = ({ status, body, reason, detail }: PlatformError): string =>
  status === null ? `${reason}: ${detail}` : `HTTP ${status}\n\n${body ?? ''}`
