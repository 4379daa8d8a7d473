import { setTimeout as sleep } from 'node:timers/promises'
import { standardBody } from '#delivery/tables/envelope.ts'
import type { Db, Engine } from '#platform/db/database.ts'
import { median, percentile, type Figure } from './figure.ts'
import { eventOf, openBenchEngine } from './open-engine.ts'
import { rawLoop } from './raw-loop.ts'
import { scaled } from './scale.ts'
import { startReceiver, type BenchReceiver } from './start-receiver.ts'
import { measureWaits } from './waits.ts'

interface Run {
  readonly raw: number
  readonly engine: number
}

const runs = 3
const deliveries = (): number => scaled(30_000, 500)

const reach: Record<Engine, string> = {
  postgres: '≥ 0.45',
  pglite: '≥ 0.35',
}

/** Deliveries per second: a backlog to one receiver, drained by one process, beside the bare client of the same run. */
export const deliveryThroughput = async (name: Engine): Promise<Figure> => {
  // The first warms up code, disk and receiver, and does not count.
  await oneRun(name)
  const results: Run[] = []
  for (let run = 0; run < runs; run++) results.push(await oneRun(name))
  for (const { raw, engine } of results)
    console.log(
      `  ${name}: raw ${Math.round(raw)}/s, engine ${Math.round(engine)}/s, ratio ${(engine / raw).toFixed(2)}`,
    )
  return {
    name: `deliveries, ${name}`,
    unit: '/s',
    value: median(results.map(({ engine }) => engine)),
    limit: median(results.map(({ raw }) => raw)),
    reach: reach[name],
  }
}

/** The bare client, then the engine, against the same receiver. */
const oneRun = async (name: Engine): Promise<Run> => {
  const receiver = await startReceiver()
  const body = standardBody('package.created', new Date(), eventOf(1).data)
  await rawLoop(receiver.url('hook'), body, scaled(5_000))
  const raw = await rawLoop(receiver.url('hook'), body, deliveries())
  const engine = await drain(name, receiver, { hooks: 1, others: 0 })
  receiver.stop()
  return { raw, engine }
}

/**
 * The same to ten hooks among 990 that hear nothing of these events, half by their pattern and half by their filter, beside
 * the ten alone.
 */
export const deliveryAmongOthers = async (name: Engine): Promise<Figure> => {
  const receiver = await startReceiver()
  const alone: number[] = []
  const amongOthers: number[] = []
  for (let run = 0; run < runs; run++) {
    alone.push(await drain(name, receiver, { hooks: 10, others: 0 }))
    amongOthers.push(await drain(name, receiver, { hooks: 10, others: 990 }))
  }
  receiver.stop()
  return {
    name: `deliveries to 10 of 1,000 hooks, ${name}`,
    unit: '/s',
    value: median(amongOthers),
    limit: median(alone),
    reach: 'as 10 hooks alone, nothing lost',
  }
}

/**
 * Deliveries a second of a backlog to so many hooks, until the result of each is durable.
 *
 * @throws when more or fewer requests arrive than the hooks are to get.
 */
const drain = async (
  name: Engine,
  receiver: BenchReceiver,
  { hooks, others }: { readonly hooks: number; readonly others: number },
): Promise<number> => {
  const bench = await openBenchEngine(name)
  for (let hook = 0; hook < hooks; hook++) await bench.subscribe(receiver.url('hook', hook))
  for (let other = 0; other < others; other++)
    await bench.subscribe(
      receiver.url('hook', hooks + other),
      other % 2 === 0
        ? { eventTypes: ['shipment.*', 'package.status.*'] }
        : { eventTypes: ['package.*'], filter: { order_number: `other-${other}`, status: 'created' } },
    )
  await bench.append(deliveries() / hooks)
  const wanted = (await receiver.look()).count + deliveries()
  const start = performance.now()
  await bench.engine.start()
  while ((await receiver.look()).count < wanted) await sleep(20)
  await allWritten(bench.database.db)
  const perSecond = deliveries() / ((performance.now() - start) / 1_000)
  const { count } = await receiver.look()
  await bench.close()
  if (count !== wanted) throw new Error(`${count - wanted} requests more than deliveries arrived.`)
  return perSecond
}

/** Not done before every end is durable. */
const allWritten = async (db: Db): Promise<void> => {
  for (;;) {
    const row = await db
      .selectFrom('deliveries')
      .select('id')
      .where('status', '=', 'pending')
      .limit(1)
      .executeTakeFirst()
    if (row === undefined) return
    await sleep(5)
  }
}

/** Milliseconds from commit to the arrival of the request at a steady 200 events/s; the median of each run's figure. */
export const deliveryLatency = async (name: Engine): Promise<Figure[]> => {
  const receiver = await startReceiver()
  const bench = await openBenchEngine(name)
  await bench.subscribe(receiver.url('timed'))
  await bench.engine.start()
  const measure = () => measureWaits({ bench, receiver, endpoints: 1, seconds: scaled(10), perSecond: 200 })
  await measure()
  const results: number[][] = []
  for (let run = 0; run < runs; run++) results.push(await measure())
  await bench.close()
  receiver.stop()
  const figureOf = (share: number, aim: string): Figure => ({
    name: `commit → arrival, ${name}, p${share * 100}`,
    unit: 'ms',
    value: median(results.map((waits) => percentile(waits, share))),
    reach: aim,
  })
  return [figureOf(0.5, '≤ 3 ms'), figureOf(0.99, name === 'postgres' ? '≤ 10 ms' : '≤ 20 ms')]
}
