import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import type { Delivered, WebhookEvent } from './events.ts'

/** As Node.js has them (`request.headers`), or as `fetch` does. Names may be in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** How far `webhook-timestamp` may be from now, in either direction; 300 unless given. */
  readonly toleranceSeconds?: number
}

/** A delivery that must not be believed. Answer 401, and look at `reason`. */
export class WebhookVerificationError extends Error {
  /** What is wrong: a header is missing, the time is too far from now, nothing of the secrets signed it, or it is no event. */
  readonly reason: 'headers' | 'timestamp' | 'signature' | 'body'

  constructor(reason: WebhookVerificationError['reason'], message: string) {
    super(message)
    this.name = 'WebhookVerificationError'
    this.reason = reason
  }
}

/**
 * Checks that a delivery comes from Waybill, and returns its event.
 * @param rawBody the bytes as they came, before any JSON parser.
 * @param secret `whsec_…`, another text, or the public key `whpk_…`; while it is being changed, the old and the new one.
 * @throws WebhookVerificationError when it does not.
 */
// oxlint-disable-next-line no-unnecessary-type-parameters -- callers name what events of their own carry
export function verifyWebhook<Event extends Delivered<string, unknown> = WebhookEvent>(
  headers: WebhookHeaders,
  rawBody: Uint8Array | string,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Event {
  const { id } = verifySignature(headers, rawBody, secret, options)
  return { id, ...readEnvelope(rawBody) } as Event
}

/** The same for what is no event, such as data of a flow. @returns the id of the delivery, the same on every attempt. */
export function verifySignature(
  headers: WebhookHeaders,
  rawBody: Uint8Array | string,
  secret: string | readonly string[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): { readonly id: string } {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  )
  if (!id || !timestamp || !signatures)
    throw new WebhookVerificationError('headers', 'webhook-id, webhook-timestamp or webhook-signature is missing.')
  const isInTime = /^\d+$/.test(timestamp) && Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceSeconds
  if (!isInTime)
    throw new WebhookVerificationError('timestamp', `webhook-timestamp is not within ${toleranceSeconds} s of now.`)
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(rawBody as Uint8Array)])
  const given = signatures.split(' ')
  if (![secret].flat().some((one) => isSignedWith(one, signed, given)))
    throw new WebhookVerificationError('signature', 'No signature was made with the secret.')
  return { id }
}

const headerOf = (headers: WebhookHeaders, name: string): string | undefined => {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}

const isSignedWith = (secret: string, signed: Buffer, signatures: readonly string[]): boolean => {
  if (secret === '') throw new TypeError('The secret of a webhook cannot be empty.')
  return secret.startsWith('whpk_') ? isSignedByOwner(secret, signed, signatures) : isMac(secret, signed, signatures)
}

/** Standard Webhooks `v1`: HMAC-SHA256. */
const isMac = (secret: string, signed: Buffer, signatures: readonly string[]): boolean => {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
  const expected = createHmac('sha256', key).update(signed).digest()
  return signaturesOf('v1', signatures).some((one) => one.length === expected.length && timingSafeEqual(one, expected))
}

/** Standard Webhooks `v1a`: Ed25519. */
const isSignedByOwner = (publicKey: string, signed: Buffer, signatures: readonly string[]): boolean => {
  const x = Buffer.from(publicKey.slice(5), 'base64').toString('base64url')
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
  return signaturesOf('v1a', signatures).some((one) => verify(null, signed, key, one))
}

const signaturesOf = (version: string, signatures: readonly string[]): Buffer[] =>
  signatures
    .filter((one) => one.startsWith(`${version},`))
    .map((one) => Buffer.from(one.slice(version.length + 1), 'base64'))

/** Both envelopes: `{event, payload}` of hooks, `{type, timestamp, data}` of Standard Webhooks. */
const readEnvelope = (rawBody: Uint8Array | string): Omit<Delivered<string, unknown>, 'id'> => {
  const body = parsed(rawBody) as { event?: { type?: unknown }; payload?: unknown } & Partial<
    Delivered<string, unknown>
  >
  const type = body?.type ?? body?.event?.type
  if (typeof type !== 'string')
    throw new WebhookVerificationError('body', 'The delivery is genuine, but it is no event.')
  return body.event === undefined
    ? { type, timestamp: body.timestamp, data: body.data }
    : { type, timestamp: undefined, data: body.payload }
}

const parsed = (rawBody: Uint8Array | string): unknown => {
  try {
    return JSON.parse(typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString('utf8'))
  } catch {
    return undefined
  }
}
