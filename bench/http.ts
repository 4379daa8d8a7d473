import type { Engine } from '#platform/db/database.ts'
import { bareInserts } from './bare-inserts.ts'
import { percentile, type Figure } from './figure.ts'
import { openServer } from './open-server.ts'
import { meterProcessorTime } from './processor-time.ts'
import { raiseEvents, type Load, type Raised } from './raise-events.ts'
import { scaled } from './scale.ts'
import { startReceiver } from './start-receiver.ts'

const events = (): number => scaled(20_000, 200)
const warmUps = (): number => scaled(2_000, 200)
const byBare = 'limit: bare inserts over 10 connections'

/** What a client sees of a whole server: events that are raised one by one until they arrive. */
export const http = async (name: Engine): Promise<Figure[]> => {
  const connections = 10
  const bare = await bareInserts(name, { batch: 1, connections, requests: events(), warmUps: warmUps() })
  const server = await openServer(name)
  const receiver = await startReceiver()
  try {
    const load = { server, receiver, processorSeconds: await meterProcessorTime(server) }
    await warmUp(load)
    return [...(await oneByOne(load, name, bare)), ...(await toMany(load, name))]
  } finally {
    receiver.stop()
    await server.close()
  }
}

/** With a hook that is deleted before anything is measured: what is left of it must not slow others down. */
const warmUp = async (load: Load): Promise<void> => {
  const remove = await subscribe(load, 1)
  await raiseEvents(load, { body: 'event', events: warmUps(), concurrency: 64 })
  await remove()
}

const oneByOne = async (load: Load, name: Engine, bare: number): Promise<Figure[]> => {
  const remove = await subscribe(load, 1)
  const about = { '': 'event', ', all about one object': 'event of one object' } as const
  const figures: Figure[] = []
  for (const [title, body] of Object.entries(about)) {
    const raised = await raiseEvents(load, { body, events: events(), concurrency: 64 })
    const all = `one event a request, 64 at a time${title}, ${name}`
    figures.push({ name: all, unit: '/s', value: raised.arrivedPerSecond, limit: bare, reach: byBare })
    figures.push(...waitsAndCosts(all, raised))
  }
  const perSecond = 100
  const raised = await raiseEvents(load, {
    body: 'event',
    events: perSecond * scaled(15, 2),
    concurrency: 16,
    perSecond,
  })
  figures.push(...waitsAndCosts(`one event a request, ${perSecond} a second, ${name}`, raised))
  await remove()
  return figures
}

const toMany = async (load: Load, name: Engine): Promise<Figure[]> => {
  const endpoints = 10
  const remove = await subscribe(load, endpoints)
  const raised = await raiseEvents(load, { body: 'event', events: scaled(2_000, 100), endpoints, concurrency: 32 })
  await remove()
  const all = `one event to ${endpoints} endpoints, 32 at a time, ${name}`
  return [{ name: all, unit: 'deliveries/s', value: raised.arrivedPerSecond, reach: '' }, ...waitsAndCosts(all, raised)]
}

/** Adds hooks of packages. @returns what deletes them. */
const subscribe = async ({ server, receiver }: Load, endpoints: number): Promise<() => Promise<void>> => {
  const ids: number[] = []
  for (let endpoint = 1; endpoint <= endpoints; endpoint++) {
    const hook = { event_type: 'package.created', target_url: receiver.url('timed', endpoint) }
    ids.push((await server.call<{ id: number }>('POST', '/whisperer/hooks/', hook)).id)
  }
  return async () => {
    for (const id of ids) await server.call('DELETE', `/whisperer/hooks/${id}/`)
  }
}

const waitsAndCosts = (name: string, { waits, processorMs, loadMs }: Raised): Figure[] => [
  { name: `${name}: to arrival, p50`, unit: 'ms', value: percentile(waits, 0.5), reach: '' },
  { name: `${name}: to arrival, p99`, unit: 'ms', value: percentile(waits, 0.99), reach: '' },
  { name: `${name}: processor time each`, unit: 'ms', value: processorMs, reach: '' },
  { name: `${name}: … of the load itself`, unit: 'ms', value: loadMs, reach: '' },
]
