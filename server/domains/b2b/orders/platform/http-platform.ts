import { withoutSecrets } from '#delivery/attempt/kept-answer.ts'
import { signingKeys, standardSignature } from '#delivery/attempt/signing.ts'
import { urlSecrets } from '#delivery/attempt/url-secrets.ts'
import type { SendResult, Sender } from '#delivery/outbound/sender.ts'
import type { Clock } from '#platform/clock.ts'
import { answeredNumber } from './answered-number.ts'
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

/** POSTs signed orders, with their key as `Idempotency-Key`. Only 2xx with JSON that has a `number` creates one; no redirects. */
export const makeHttpPlatform = (deps: HttpPlatformDeps): CommercePlatform => {
  const { clock, send, installationId, url, secret } = deps
  const { standard } = signingKeys(secret)
  const sentKey = (key: string): string => `${installationId}-${key}`
  return {
    sentKey,
    async createOrder(order, key) {
      const body = orderToJson(order)
      const id = sentKey(key)
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
      return outcomeOf(await send({ url, headers, body }), [signature, secret, ...urlSecrets(url)])
    },
  }
}

/** @param secrets which a platform may repeat, and nobody may read in an error. */
const outcomeOf = (result: SendResult, secrets: readonly string[]): Created => {
  const { status, headers } = result
  const { body } = withoutSecrets({ headers, body: result.body }, secrets)
  if (result.reason !== 'response') return { error: { reason: result.reason, detail: result.detail, status, body } }
  const isOk = status !== null && status >= 200 && status < 300
  if (!isOk) return { error: { reason: 'refused', detail: `The platform answered ${status}.`, status, body } }
  const { number, isCut } = answeredNumber(result.body ?? '')
  if (number !== undefined) return { number }
  const detail = isCut
    ? `The platform answered ${status} with more than 64 KiB.`
    : `The platform answered ${status} without a number for the order.`
  return { error: { reason: isCut ? 'answer_too_large' : 'refused', detail, status, body } }
}
