import { createHmac } from 'node:crypto'

/** A secret as the two schemes use it. Made once for each subscription, not for each delivery. */
export interface SigningKeys {
  /** Standard Webhooks: decoded when the secret is `whsec_…`, else its UTF-8 bytes. */
  readonly standard: Buffer
  /** The original hook service: the secret's text as given. */
  readonly whisperer: Buffer
}

const standardPrefix = 'whsec_'

export const signingKeys = (secret: string): SigningKeys => ({
  standard: secret.startsWith(standardPrefix)
    ? Buffer.from(secret.slice(standardPrefix.length), 'base64')
    : Buffer.from(secret, 'utf8'),
  whisperer: Buffer.from(secret, 'utf8'),
})

/**
 * Value of `webhook-signature`: HMAC-SHA256 over `id.timestamp.body` (Standard Webhooks 1.0).
 * @param timestamp Unix seconds of this attempt, as sent in `webhook-timestamp`.
 */
export const standardSignature = (key: Buffer, id: string, timestamp: number, body: string): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`, 'utf8').digest('base64')}`

/** Value of `x-whisperer-signature`: HMAC-SHA256 over the body alone (contract, section 5). */
export const whispererSignature = (key: Buffer, body: string): string =>
  `sha256=${createHmac('sha256', key).update(body, 'utf8').digest('hex')}`
