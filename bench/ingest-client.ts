import { once } from 'node:events'
import { Pool } from 'undici'
import { eventOf } from './open-engine.ts'

/** What the client is told to do: requests of `batch` events each, `concurrency` of them at a time. */
export interface IngestOrder {
  readonly origin: string
  readonly authorization: string
  readonly batch: number
  readonly concurrency: number
  readonly requests: number
  /** Number of the first event: every event of a run has another id and another package. */
  readonly first: number
}

/** Requests that are written down before the clock starts, so that the client takes as little as it can of what is shared. */
const payloadsOf = ({ batch, requests, first }: IngestOrder): string[] =>
  Array.from({ length: requests }, (_, request) => {
    const events = Array.from({ length: batch }, (__, index) => {
      const number = first + request * batch + index
      const { type, data } = eventOf(number)
      return { id: `wms-${number}`, type, data }
    })
    return JSON.stringify(events)
  })

const [order] = (await once(process, 'message')) as [IngestOrder]
const { origin, authorization, concurrency, batch } = order
const pool = new Pool(origin, { connections: concurrency })
const headers = { authorization, 'content-type': 'application/json' }
const payloads = payloadsOf(order)

const loop = async (): Promise<void> => {
  for (let body = payloads.pop(); body !== undefined; body = payloads.pop()) {
    const answer = await pool.request({ path: '/api/v1/events/', method: 'POST', headers, body })
    const said = (await answer.body.json()) as { accepted?: number }
    if (said.accepted !== batch) throw new Error(`${answer.statusCode}: ${JSON.stringify(said)}`)
  }
}
const start = performance.now()
await Promise.all(Array.from({ length: concurrency }, loop))
const seconds = (performance.now() - start) / 1_000
await pool.close()
process.send?.({ seconds })
process.disconnect()
