import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const toleranceSeconds = 300

/**
 * Why a delivery cannot be trusted (Standard Webhooks 1.0, `v1`); undefined when it can.
 * @param body the bytes as they came: JSON that was parsed and written again may differ.
 */
export const problemWith = (secret: string, headers: IncomingHttpHeaders, body: Buffer): string | undefined => {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name] ?? ''),
  )
  if (!id || !timestamp || !signatures) return 'it has no signature: the hook has no secret_key'
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceSeconds))
    return 'the timestamp is too far from now'
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  const isSigned = signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.slice(3), 'base64')
    return signature.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected)
  })
  return isSigned ? undefined : 'the signature does not match'
}
