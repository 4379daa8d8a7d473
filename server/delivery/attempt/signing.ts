import { createHmac, createPrivateKey, createSecretKey, sign, type KeyObject } from 'node:crypto'
import { keyPairOf, type Secrets } from '../secrets/secrets.ts'
import type { Body } from './content.ts'

/**
 * A secret as the two schemes use it. Made once for each version of a subscription: an HMAC with a prepared key takes
 * 3.7 µs where one with the key's bytes takes 22 µs, an Ed25519 signature 27 µs (Node 24.21).
 */
export interface SigningKeys {
  /** Standard Webhooks: decoded when the secret is `whsec_…`, else its UTF-8 bytes. */
  readonly standard: KeyObject
  /** The original hook service: the secret's text as given. */
  readonly whisperer: KeyObject
}

const standardPrefix = 'whsec_'

export const signingKeys = (secret: string): SigningKeys => {
  const text = Buffer.from(secret, 'utf8')
  const decoded = secret.startsWith(standardPrefix) ? Buffer.from(secret.slice(standardPrefix.length), 'base64') : text
  return { standard: createSecretKey(decoded), whisperer: createSecretKey(text) }
}

/** A `whsk_…` key, ready to sign. */
export const privateSigningKey = (privateKey: string): KeyObject => {
  const { seed, publicKey } = keyPairOf(privateKey)
  const [d, x] = [seed.toString('base64url'), publicKey.toString('base64url')]
  return createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', d, x } })
}

/** Everything that signs the deliveries of one version of a subscription. */
export interface ReceiverKeys {
  /** Of `webhook-signature`, the newest first. */
  readonly standard: readonly { readonly key: KeyObject; readonly untilMs: number }[]
  /** Of `x-whisperer-signature`: one value, so always the newest secret; null when there is none. */
  readonly whisperer: KeyObject | null
}

/** @returns null when nothing signs. */
export const receiverKeys = ({ signature, secret, privateKey, previous }: Secrets): ReceiverKeys | null => {
  const prepared = secret === null ? null : signingKeys(secret)
  const newest = privateKey === null ? prepared?.standard : privateSigningKey(privateKey)
  if (newest === undefined) return null
  const prepare = (key: string): KeyObject => (signature === 'v1a' ? privateSigningKey(key) : signingKeys(key).standard)
  return {
    standard: [
      { key: newest, untilMs: Infinity },
      ...previous.map(({ key, untilMs }) => ({ key: prepare(key), untilMs })),
    ],
    whisperer: prepared?.whisperer ?? null,
  }
}

/**
 * Value of `webhook-signature`: one signature with each key whose time has not passed, separated by spaces.
 * @param at when the attempt starts; its second is what `webhook-timestamp` says.
 */
export const standardSignatures = (keys: ReceiverKeys['standard'], id: string, at: Date, body: Body): string =>
  keys
    .filter(({ untilMs }) => at.getTime() < untilMs)
    .map(({ key }) => standardSignature(key, id, Math.floor(at.getTime() / 1_000), body))
    .join(' ')

/**
 * One signature over `id.timestamp.body` (Standard Webhooks 1.0): HMAC-SHA256 (`v1`) with a secret, Ed25519 (`v1a`) with a private key.
 * @param timestamp Unix seconds of this attempt, as sent in `webhook-timestamp`.
 */
export const standardSignature = (key: KeyObject, id: string, timestamp: number, body: Body): string => {
  const head = `${id}.${timestamp}.`
  if (key.type === 'private') return `v1a,${sign(null, joined(head, body), key).toString('base64')}`
  const hmac = createHmac('sha256', key)
  if (typeof body === 'string') hmac.update(head + body, 'utf8')
  else hmac.update(head, 'utf8').update(body)
  return `v1,${hmac.digest('base64')}`
}

const joined = (head: string, body: Body): Buffer =>
  typeof body === 'string' ? Buffer.from(head + body, 'utf8') : Buffer.concat([Buffer.from(head, 'utf8'), body])

/** Value of `x-whisperer-signature`: HMAC-SHA256 over the body alone (contract, section 5). */
export const whispererSignature = (key: KeyObject, body: Body): string =>
  `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
