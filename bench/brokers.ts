import { prepareReceiver, requestHeaders } from '#delivery/attempt/request-headers.ts'
import { makeGuard } from '#delivery/outbound/guard/guard.ts'
import { makeSender } from '#delivery/outbound/sender.ts'
import { standardBody } from '#delivery/tables/envelope.ts'
import { brokerKinds } from '#testing/brokers/broker-kinds.ts'
import { account } from '#testing/brokers/nats-server.ts'
import type { Figure } from './figure.ts'
import { benchSettings, eventOf, userAgent } from './open-engine.ts'
import { scaled } from './scale.ts'
import { startReceiver } from './start-receiver.ts'

/** Messages under way at once, as DELIVERY_CONCURRENCY is by default. */
const underWay = 512
const eventType = 'package.created'
const authorization = `Basic ${Buffer.from(`${account.user}:${account.password}`).toString('base64')}`

/**
 * Signed messages a second that one process hands to each kind of receiver until that has confirmed them, without the database, and
 * the processor time that each takes in this process, beside HTTP in the same run.
 */
export const brokers = async (): Promise<Figure[]> => {
  const receiver = await startReceiver()
  const http = await measure('HTTP', receiver.url('hook'))
  receiver.stop()
  const figures: Figure[] = [...figuresOf('HTTP', http, http)]
  for (const kind of brokerKinds) {
    const server = await kind.start()
    try {
      await kind.prepare(server.port)
      const found = await measure(kind.name, `${kind.scheme}://127.0.0.1:${server.port}${kind.place}`)
      figures.push(...figuresOf(kind.name, found, http))
    } finally {
      await server.stop()
    }
  }
  return figures
}

interface Measured {
  readonly perSecond: number
  readonly cpuMs: number
}

const figuresOf = (name: string, { perSecond, cpuMs }: Measured, http: Measured): Figure[] => [
  { name: `messages to ${name}`, unit: '/s', value: perSecond, limit: http.perSecond, reach: 'beside HTTP' },
  { name: `processor time of one to ${name}`, unit: 'ms', value: cpuMs, limit: http.cpuMs, reach: 'beside HTTP' },
]

/** The first part warms up and does not count. */
const measure = async (name: string, url: string): Promise<Measured> => {
  const sender = makeSender({ guard: makeGuard({ allowedNetworks: [], allowLoopback: true }) })
  const receiver = prepareReceiver({ ...benchSettings, id: 1, version: 1, url })
  const body = standardBody(eventType, new Date(), eventOf(1).data)
  let next = 0
  const loopUntil = async (end: number): Promise<void> => {
    while (next < end) {
      const webhookId = `msg_${(next += 1)}`
      const outgoing = { webhookId, eventType, sequence: next, contentType: 'application/json', body }
      const headers = { authorization, ...requestHeaders(receiver, outgoing, new Date(), userAgent) }
      const { reason, status, detail } = await sender.send({ url, headers, body, eventType })
      if (reason !== 'accepted' && status !== 200) throw new Error(`${name}: ${reason}, ${detail}`)
    }
  }
  const all = (end: number) => Promise.all(Array.from({ length: underWay }, () => loopUntil(end)))
  const warm = scaled(5_000, 1_000)
  const counted = scaled(40_000, 1_000)
  await all(warm)
  const [startedAt, before] = [performance.now(), process.cpuUsage()]
  await all(warm + counted)
  const seconds = (performance.now() - startedAt) / 1_000
  const { user, system } = process.cpuUsage(before)
  await sender.close()
  return { perSecond: counted / seconds, cpuMs: (user + system) / 1_000 / counted }
}
