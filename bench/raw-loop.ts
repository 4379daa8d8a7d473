import { Pool } from 'undici'
import { signingKeys, standardSignature } from '#delivery/signing.ts'
import { webhookIdOf } from '#delivery/webhook-id.ts'

/**
 * The limit that deliveries are measured against: the same signed POSTs by nothing but the HTTP client
 * and the HMAC, over as many connections. @returns requests per second.
 */
export const rawLoop = async (url: string, body: string, requests: number, connections: number): Promise<number> => {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections })
  const key = signingKeys('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw').standard
  let next = 0
  const loop = async (): Promise<void> => {
    while (next < requests) {
      next += 1
      const id = webhookIdOf(next * 4_096, '00000000-0000-0000-0000-000000000000')
      const timestamp = Math.floor(Date.now() / 1_000)
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': standardSignature(key, id, timestamp, body),
      }
      const response = await pool.request({ path: pathname, method: 'POST', headers, body })
      await response.body.dump()
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, loop))
  const seconds = (performance.now() - start) / 1_000
  await pool.close()
  return requests / seconds
}
