import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { contentTypes } from '#events/content-types.ts'
import { connectLeanClient, requestOf, type LeanClient } from './lean-client.ts'
import { eventOf } from './open-engine.ts'

/** What the client is told to do: requests over so many connections, one after the other on each. */
export interface LoadOrder {
  readonly origin: string
  readonly authorization: string
  readonly path: string
  /** What is POSTed; without it the path is read again and again. */
  readonly body?: keyof typeof bodies
  /** Number of the first request: every request of a run has a body of its own. */
  readonly first?: number
  /** At most; of those with a body it has to be said. */
  readonly requests?: number
  /** At most. */
  readonly seconds?: number
  readonly concurrency: number
  /** A steady pace; without it as fast as answers come. */
  readonly perSecond?: number
}

export interface LoadResult {
  readonly seconds: number
  /** Processor time of the client itself. */
  readonly processorSeconds: number
  /** When each request was sent, or was to be sent when no connection was free, in milliseconds since 1970. */
  readonly sentAt: readonly number[]
}

const event = (number: number, object: number) => {
  const { type, data } = eventOf(number)
  return { id: `wms-${number}`, type, data: { ...data, id: object } }
}
const bodies = {
  event: (number: number) => event(number, number),
  'event of one object': (number: number) => event(number, 1),
  /** A batch of 100. */
  events: (number: number) =>
    Array.from({ length: 100 }, (_, index) => event(number * 100 + index, number * 100 + index)),
  report: (number: number) => ({
    action_content_type: contentTypes.product,
    action_object_id: number,
    obj_modified_date: '2026-11-21 09:30:00',
    error_code: `${number}-Channel-InsertProducts-1763717400.${number}`,
    error_desc: 'InsertProducts',
    raw_request: `POST-https://shop.example/api/products/-{"sku": "CHAIR-OAK", "stock": ${number}}`,
    raw_response: `{"errors": [${'{"field": "category", "message": "There is no such category."}, '.repeat(8)}{}]}`,
  }),
  package: (number: number) => ({ order_number: `O-${number}`, items: [{ sku: 'CHAIR-OAK', quantity: 2 }] }),
}

const now = (): number => performance.timeOrigin + performance.now()

const [order] = (await once(process, 'message')) as [LoadOrder]
const { origin, authorization, path, body, first = 1, concurrency, perSecond } = order
const { requests = Infinity, seconds = Infinity } = order
/** Written down before the clock starts, so that the client takes as little as it can of what is shared. */
const written = Array.from({ length: body === undefined ? 0 : requests }, (_, index) =>
  requestOf(origin, authorization, `POST ${path}`, JSON.stringify(bodies[body ?? 'event'](first + index))),
)
const reading = requestOf(origin, authorization, `GET ${path}`)
const clients = await Promise.all(Array.from({ length: concurrency }, () => connectLeanClient(origin, authorization)))
const sentAt: number[] = []
const startedAt = now()
const processorAtStart = process.cpuUsage()

const loop = async (client: LeanClient): Promise<void> => {
  while (sentAt.length < requests && now() < startedAt + seconds * 1_000) {
    const index = sentAt.length
    const dueAt = perSecond === undefined ? now() : startedAt + (index * 1_000) / perSecond
    sentAt.push(dueAt)
    const wait = dueAt - now()
    if (wait > 0) {
      await sleep(wait)
      sentAt[index] = now()
    }
    const { status } = await client.send(written[index] ?? reading)
    if (status >= 300) throw new Error(`${path} answered ${status}.`)
  }
}
await Promise.all(clients.map(loop))
const { user, system } = process.cpuUsage(processorAtStart)
for (const client of clients) client.close()
const result: LoadResult = {
  seconds: (now() - startedAt) / 1_000,
  processorSeconds: (user + system) / 1_000_000,
  sentAt,
}
process.send?.(result, () => process.disconnect())
