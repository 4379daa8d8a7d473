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

const seconds = 1_000
const minutes = 60 * seconds

/** Waits after a try that failed, in milliseconds: after the first one, the second, and so on; the last one from then on. */
const waitsMs = [30 * seconds, 1 * minutes, 2 * minutes, 5 * minutes, 15 * minutes, 30 * minutes, 60 * minutes] as const

/** After so many tries an order is tried again only when somebody asks for it. They take about 14 hours. */
export const maxAttempts = 20

/** When an order is tried again by itself; null: never. @param attempts tries so far, at least 1. */
export const nextAttempt = (attempts: number, now: Date): Date | null =>
  attempts >= maxAttempts ? null : new Date(now.getTime() + (waitsMs[attempts - 1] ?? waitsMs[waitsMs.length - 1] ?? 0))
