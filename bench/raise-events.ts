import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadOrder } from './load-client.ts'
import type { BenchServer } from './open-server.ts'
import type { TimedArrival } from './receiver.ts'
import { sendLoad } from './send-load.ts'
import type { BenchReceiver } from './start-receiver.ts'

/** A server under load, and who receives what it sends. */
export interface Load {
  readonly server: BenchServer
  readonly receiver: BenchReceiver
  /** See `meterProcessorTime`. */
  readonly processorSeconds: () => number
}

interface Raising extends Pick<LoadOrder, 'concurrency' | 'perSecond'> {
  readonly body: NonNullable<LoadOrder['body']>
  readonly events: number
  readonly endpoints?: number
}

export interface Raised {
  /** Requests answered, and deliveries that arrived, both a second: until the last answer, and until the last arrival. */
  readonly answeredPerSecond: number
  readonly arrivedPerSecond: number
  /** Milliseconds from each request to each arrival. */
  readonly waits: readonly number[]
  /** Of server and database for a delivery, to its end. */
  readonly processorMs: number
  /** Of client and receiver for a delivery. */
  readonly loadMs: number
}

/** The results of the last attempts are written after they arrived; a second delivery would come then. */
const restMs = 1_000
const maxSilentMs = 30_000
let lastEvent = 0

/** Raises events, one in each request. @throws unless each arrives at each endpoint once. */
export const raiseEvents = async (load: Load, raising: Raising): Promise<Raised> => {
  const { body, events, endpoints = 1, concurrency, perSecond } = raising
  const { server, receiver, processorSeconds } = load
  const first = lastEvent + 1
  lastEvent += events
  const path = body === 'package' ? '/api/v1/packages/' : '/api/v1/events/'
  const receiverBefore = await receiver.look()
  const before = processorSeconds()
  const order = { origin: server.origin, authorization: server.key, path, body, first, requests: events, concurrency }
  const sent = await sendLoad({ ...order, ...(perSecond !== undefined && { perSecond }) })
  const deliveries = events * endpoints
  const arrivals = await arrivalsOf(receiver, deliveries)
  const processor = processorSeconds() - before
  const numbers = new Set(arrivals.map(({ number, endpoint }) => `${number} ${endpoint}`))
  if (arrivals.length !== deliveries || numbers.size !== deliveries)
    throw new Error(
      `Of ${deliveries} deliveries ${numbers.size} arrived, and ${arrivals.length - numbers.size} of them again.`,
    )
  const { processorSeconds: received } = await receiver.look()
  const lastArrival = arrivals.reduce((last, { at }) => Math.max(last, at), 0)
  return {
    answeredPerSecond: events / sent.seconds,
    arrivedPerSecond: (deliveries * 1_000) / (lastArrival - (sent.sentAt[0] ?? 0)),
    waits: arrivals.map(({ number, at }) => Math.max(0, at - (sent.sentAt[number - first] ?? Number.NaN))),
    processorMs: (processor * 1_000) / deliveries,
    loadMs: ((sent.processorSeconds + received - receiverBefore.processorSeconds) * 1_000) / deliveries,
  }
}

/** Waits for so many, and then a while for more. */
const arrivalsOf = async (receiver: BenchReceiver, wanted: number): Promise<TimedArrival[]> => {
  const arrivals: TimedArrival[] = []
  let heardAt = performance.now()
  while (arrivals.length < wanted && performance.now() < heardAt + maxSilentMs) {
    await sleep(100)
    const { timed } = await receiver.look()
    if (timed.length > 0) heardAt = performance.now()
    for (const arrival of timed) arrivals.push(arrival)
  }
  await sleep(restMs)
  const { timed } = await receiver.look()
  return [...arrivals, ...timed]
}
