import { Pool } from 'undici'
import { prepareReceiver, requestHeaders } from '#delivery/attempt/request-headers.ts'
import { webhookIdOf } from '#delivery/tables/webhook-id.ts'
import { benchSettings, userAgent } from './open-engine.ts'

const installation = '00000000-0000-0000-0000-000000000000'
const connections = 64

/**
 * The limit that deliveries are measured against: the same requests, with the same headers and signature
 * of their own, by nothing but the HTTP client. @returns requests per second.
 */
export const rawLoop = async (url: string, body: string, requests: number): Promise<number> => {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections })
  const receiver = prepareReceiver({ ...benchSettings, id: 1, version: 1, url })
  let next = 0
  const loop = async (): Promise<void> => {
    while (next < requests) {
      next += 1
      const webhookId = webhookIdOf(next * 4_096, installation)
      const outgoing = {
        webhookId,
        eventType: 'package.created',
        sequence: next,
        contentType: 'application/json',
        body,
      }
      const headers = requestHeaders(receiver, outgoing, new Date(), userAgent)
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
