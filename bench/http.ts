import { setTimeout as sleep } from 'node:timers/promises'
import { contentTypes } from '#events/content-types.ts'
import type { Engine } from '#platform/db/database.ts'
import { bareInserts } from './bare-inserts.ts'
import { percentile, type Figure } from './figure.ts'
import { measureReads } from './http-reads.ts'
import { openServer, type BenchServer } from './open-server.ts'
import { meterProcessorTime } from './processor-time.ts'
import { raiseEvents, type Load, type Raised } from './raise-events.ts'
import { scaled } from './scale.ts'
import { seedQuotations } from './seed-quotations.ts'
import { megabyte, residentBytes } from './start.ts'
import { startReceiver } from './start-receiver.ts'

const events = (): number => scaled(20_000, 200)
const warmUps = (): number => scaled(2_000, 200)
const byBare = 'limit: bare inserts over 10 connections'

/** What a client sees of a whole server: events that are raised one by one until they arrive, packages, and what is read. */
export const http = async (name: Engine): Promise<Figure[]> => {
  const connections = 10
  const bare = await bareInserts(name, { batch: 1, connections, requests: events(), warmUps: warmUps() })
  const server = await openServer(name, { seed: (database) => seedQuotations(database, 1_000) })
  const receiver = await startReceiver()
  try {
    const load = { server, receiver, processorSeconds: await meterProcessorTime(server) }
    await warmUp(load)
    const figures = [...(await oneByOne(load, name, bare)), ...(await toMany(load, name, 0))]
    figures.push(...(await packages(load, name, bare)))
    await reportErrors(server)
    const remove = await subscribe(load, 10)
    figures.push(...(await measureReads(server, name)))
    await remove()
    figures.push(...(await toMany(load, name, 990)))
    return figures
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

/** To ten endpoints, among others whose patterns or filters do not match. */
const toMany = async (load: Load, name: Engine, others: number): Promise<Figure[]> => {
  const endpoints = 10
  await subscribeInVain(load, others)
  const remove = await subscribe(load, endpoints)
  const raised = await raiseEvents(load, { body: 'event', events: scaled(2_000, 100), endpoints, concurrency: 32 })
  await remove()
  const all = `one event to ${endpoints} endpoints${others === 0 ? '' : ` of ${endpoints + others}`}, 32 at a time, ${name}`
  return [{ name: all, unit: 'deliveries/s', value: raised.arrivedPerSecond, reach: '' }, ...waitsAndCosts(all, raised)]
}

/** Adds hooks that hear nothing of packages that are made: half by their pattern, half by a filter. They stay. */
const subscribeInVain = async ({ server, receiver }: Load, hooks: number): Promise<void> => {
  for (let index = 0; index < hooks; index++) {
    const heard =
      index % 2 === 0
        ? { event_type: ['shipment.*', 'package.status.*'] }
        : { event_type: 'package.*', config: { filter: { order_number: `other-${index}`, status: 'created' } } }
    await server.call('POST', '/whisperer/hooks/', { ...heard, target_url: receiver.url('timed', 1_000 + index) })
  }
}

/** Packages of what a stock location has, with their events and deliveries. */
const packages = async (load: Load, name: Engine, limit: number): Promise<Figure[]> => {
  const { server } = load
  const { id } = await server.call<{ id: number }>('POST', '/api/v1/stock_locations/', { code: 'MAIN', name: 'Main' })
  const stock = { sku: 'CHAIR-OAK', quantity: 1_000_000, reason: 'First count' }
  await server.call('POST', `/api/v1/stock_locations/${id}/stock/`, stock)
  const remove = await subscribe(load, 1)
  const create = (count: number) => raiseEvents(load, { body: 'package', events: count, concurrency: 16 })
  await create(scaled(500, 50))
  const { answeredPerSecond } = await create(scaled(5_000, 100))
  await remove()
  return [
    { name: `packages created, 16 at a time, ${name}`, unit: '/s', value: answeredPerSecond, limit, reach: byBare },
  ]
}

const reportErrors = async (server: BenchServer): Promise<void> => {
  for (let index = 1; index <= 20; index++)
    await server.call('POST', '/api/v1/error_reports/', {
      action_content_type: contentTypes.product,
      action_object_id: index,
      obj_modified_date: '2026-11-21 09:30:00',
      error_code: `${index}-Channel-InsertProducts`,
      error_desc: 'InsertProducts',
    })
}

/**
 * 200 events a second for so long: what the server takes of memory and processors meanwhile, and how long they are on their
 * way. Memory that still grows in the second half is a leak.
 */
export const steadyLoad = async (name: Engine, seconds: number): Promise<Figure[]> => {
  const perSecond = 200
  const server = await openServer(name)
  const receiver = await startReceiver()
  try {
    const load = { server, receiver, processorSeconds: await meterProcessorTime(server) }
    await subscribe(load, 1)
    const middle = sleep(seconds * 500).then(() => residentBytes(server))
    const raised = await raiseEvents(load, { body: 'event', events: perSecond * seconds, concurrency: 64, perSecond })
    const all = `${perSecond} events a second for ${seconds} s, ${name}`
    const memory = { 'in the middle': await middle, 'at the end': residentBytes(server) }
    return [
      ...Object.entries(memory).map(([when, bytes]) => {
        const title = `${all}: resident memory ${when}`
        return { name: title, unit: 'MB', value: bytes / megabyte, reach: '' }
      }),
      { name: `${all}: to arrival, p99`, unit: 'ms', value: percentile(raised.waits, 0.99), reach: '' },
      { name: `${all}: cores`, unit: '', value: (raised.processorMs * perSecond) / 1_000, reach: '' },
    ]
  } finally {
    receiver.stop()
    await server.close()
  }
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
