import { withoutSecrets } from '#delivery/attempt/kept-answer.ts'
import { signingKeys, standardSignature } from '#delivery/attempt/signing.ts'
import type { HttpResult, Sender } from '#delivery/outbound/sender.ts'
import type { Clock } from '#platform/clock.ts'
import { textProblem } from '#platform/http/json-body.ts'
import { orderToJson, type CommercePlatform, type Created } from './commerce-platform.ts'

export interface HttpPlatformDeps {
  readonly clock: Clock
  /** Makes the exchange, with the guard and the timeouts of deliveries. */
  readonly send: Sender['send']
  /** Two installations that order at one platform must not take each other's orders for their own. */
  readonly installationId: string
  readonly url: string
  /** Signs the requests (Standard Webhooks). */
  readonly secret: string
}

/**
 * POSTs each order to another system, signed, with its key as `Idempotency-Key`. The order is created when that answers 2xx with
 * JSON that has its `number`; everything else is an error, half an answer too. Redirects are not followed.
 */
export const makeHttpPlatform = (deps: HttpPlatformDeps): CommercePlatform => {
  const { clock, send, installationId, url, secret } = deps
  const { standard } = signingKeys(secret)
  return {
    async createOrder(order, key) {
      const body = orderToJson(order)
      const id = `${installationId}-${key}`
      const timestamp = Math.floor(clock.now().getTime() / 1_000)
      const signature = standardSignature(standard, id, timestamp, body)
      const headers = {
        accept: 'application/json',
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'idempotency-key': id,
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature,
      }
      return outcomeOf(await send({ url, headers, body }), [signature, secret])
    },
  }
}

/** @param secrets which a platform may repeat, and nobody may read in an error. */
const outcomeOf = (result: HttpResult, secrets: readonly string[]): Created => {
  const { status, headers } = result
  const { body } = withoutSecrets({ headers, body: result.body }, secrets)
  if (result.reason !== 'response') return { error: { reason: result.reason, detail: result.detail, status, body } }
  const isOk = status !== null && status >= 200 && status < 300
  const number = isOk ? numberIn(result.body) : undefined
  if (number !== undefined) return { number }
  const detail = isOk
    ? `The platform answered ${status} without a number for the order.`
    : `The platform answered ${status}.`
  return { error: { reason: 'refused', detail, status, body } }
}

const longestNumber = 255

/** The `number` of an answer: a text, or an integer. undefined when there is none that can be kept. */
const numberIn = (body: string | null): string | undefined => {
  const number = numberField(body)
  if (typeof number === 'number') return Number.isSafeInteger(number) ? String(number) : undefined
  if (typeof number !== 'string' || number.length > longestNumber || textProblem(number) !== undefined) return undefined
  return number.trim() === '' ? undefined : number.trim()
}

const numberField = (body: string | null): unknown => {
  try {
    return (JSON.parse(body ?? '') as { number?: unknown } | null)?.number
  } catch {
    return undefined
  }
}
