import { setTimeout as sleep } from 'node:timers/promises'
import { standardBody } from '#delivery/tables/envelope.ts'
import type { Db, Engine } from '#platform/db/database.ts'
import { median, percentile, type Figure } from './figure.ts'
import { eventOf, openBenchEngine } from './open-engine.ts'
import { rawLoop } from './raw-loop.ts'
import { scaled } from './scale.ts'
import { startReceiver } from './start-receiver.ts'
import { measureWaits } from './waits.ts'

interface Run {
  readonly raw: number
  readonly engine: number
}

const runs = 3
const deliveries = (): number => scaled(30_000, 500)

const reach: Record<Engine, string> = {
  postgres: '≥ 0.65 and ≥ 6,500/s',
  pglite: '≥ 0.45 and ≥ 4,500/s',
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

  const bench = await openBenchEngine(name)
  await bench.subscribe(receiver.url('hook'))
  await bench.append(deliveries())
  const wanted = (await receiver.look()).count + deliveries()
  const start = performance.now()
  await bench.engine.start()
  while ((await receiver.look()).count < wanted) await sleep(20)
  await allWritten(bench.database.db)
  const engine = deliveries() / ((performance.now() - start) / 1_000)
  await bench.close()
  receiver.stop()
  return { raw, engine }
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
  return [figureOf(0.5, '≤ 5 ms'), figureOf(0.99, '≤ 30 ms')]
}
