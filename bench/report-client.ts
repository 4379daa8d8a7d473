import { once } from 'node:events'
import { Pool } from 'undici'
import { contentTypes } from '#events/content-types.ts'

/** What the client is told to do: create reports, `concurrency` of them at a time. */
export interface ReportOrder {
  readonly origin: string
  readonly authorization: string
  readonly path: string
  readonly concurrency: number
  readonly requests: number
  /** Number of the first report: every report of a run has a body of its own. */
  readonly first: number
}

const [order] = (await once(process, 'message')) as [ReportOrder]
const { origin, authorization, path, concurrency, requests, first } = order
const pool = new Pool(origin, { connections: concurrency })
const headers = { authorization, 'content-type': 'application/json' }
/** Written down before the clock starts; all fall into one group. */
const bodies = Array.from({ length: requests }, (_, index) =>
  JSON.stringify({
    action_content_type: contentTypes.product,
    action_object_id: first + index,
    obj_modified_date: '2026-11-21 09:30:00',
    error_code: `${first + index}-Channel-InsertProducts-1763717400.${first + index}`,
    error_desc: 'InsertProducts',
    raw_request: `POST-https://shop.example/api/products/-{"sku": "CHAIR-OAK", "stock": ${index}}`,
    raw_response: `{"errors": [${'{"field": "category", "message": "There is no such category."}, '.repeat(8)}{}]}`,
  }),
)
const loop = async (): Promise<void> => {
  for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
    const answer = await pool.request({ path, method: 'POST', headers, body })
    const text = await answer.body.text()
    if (answer.statusCode !== 201) throw new Error(`${answer.statusCode}: ${text}`)
  }
}
const start = performance.now()
await Promise.all(Array.from({ length: concurrency }, loop))
const seconds = (performance.now() - start) / 1_000
await pool.close()
process.send?.({ seconds })
process.disconnect()
