import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '#platform/db/database.ts'
import { bodyOf } from '#delivery/outbox.ts'
import { median, percentile, type Figure } from './figure.ts'
import { eventOf, openBenchEngine } from './open-engine.ts'
import { rawLoop } from './raw-loop.ts'
import { startReceiver, type BenchReceiver } from './start-receiver.ts'

const connections = 64

interface Run {
  readonly raw: number
  readonly engine: number
}

/** Deliveries per second: a backlog to one receiver, drained by one process, beside the bare client of the same run. */
export const deliveryThroughput = async (name: Engine, { runs = 3, deliveries = 30_000 } = {}): Promise<Figure> => {
  const results: Run[] = []
  for (let run = 0; run < runs; run++) results.push(await oneRun(name, deliveries))
  for (const { raw, engine } of results)
    console.log(
      `  ${name}: raw ${Math.round(raw)}/s, engine ${Math.round(engine)}/s, ratio ${(engine / raw).toFixed(2)}`,
    )
  return {
    name: `deliveries, ${name}`,
    unit: '/s',
    value: median(results.map(({ engine }) => engine)),
    limit: median(results.map(({ raw }) => raw)),
    reach: name === 'postgres' ? '≥ 0.65 and ≥ 6,500/s' : '≥ 0.45 and ≥ 4,500/s',
  }
}

const oneRun = async (name: Engine, deliveries: number): Promise<Run> => {
  const receiver = await startReceiver()
  const body = bodyOf('package.created', new Date(), eventOf(1).data)
  await rawLoop(receiver.url, body, 5_000, connections)
  const raw = await rawLoop(receiver.url, body, deliveries, connections)

  const bench = await openBenchEngine(name)
  await bench.subscribe(receiver.url)
  await bench.append(deliveries)
  const before = await receiver.count()
  const start = performance.now()
  await bench.startServices()
  await untilCount(receiver, before + deliveries)
  await allWritten(bench.database.db)
  const engine = deliveries / ((performance.now() - start) / 1_000)
  await bench.close()
  receiver.stop()
  return { raw, engine }
}

const untilCount = async (receiver: BenchReceiver, count: number): Promise<void> => {
  while ((await receiver.count()) < count) await sleep(20)
}

/** Not done before every end is durable. */
const allWritten = async (db: Awaited<ReturnType<typeof openBenchEngine>>['database']['db']): Promise<void> => {
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

/** Milliseconds from commit to the arrival of the request at a steady 200 events/s. */
export const deliveryLatency = async (name: Engine, { seconds = 10, perSecond = 200 } = {}): Promise<Figure[]> => {
  const arrivals = new Map<string, number>()
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => {
    const at = performance.now()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { order_number: string } }
      arrivals.set(data.order_number, at)
      response.writeHead(200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0

  const bench = await openBenchEngine(name)
  await bench.subscribe(`http://127.0.0.1:${port}/hook`)
  await bench.startServices()
  const { inTransaction } = await import('#platform/db/transaction.ts')
  const committed = new Map<string, number>()
  const start = performance.now()
  const pending: Promise<void>[] = []
  for (let index = 1; index <= seconds * perSecond; index++) {
    const wait = start + (index * 1_000) / perSecond - performance.now()
    if (wait > 1) await sleep(wait)
    const event = eventOf(index)
    pending.push(
      (async () => {
        await inTransaction(bench.database.db, (tx) => bench.engine.outbox.append(tx, [event]))
        committed.set(event.data.order_number, performance.now())
      })(),
    )
  }
  await Promise.all(pending)
  while (arrivals.size < committed.size) await sleep(20)
  const waits = [...committed].map(([order, at]) => Math.max(0, (arrivals.get(order) ?? Number.NaN) - at))
  await bench.close()
  server.close()
  return [
    { name: `commit → arrival, ${name}, p50`, unit: 'ms', value: percentile(waits, 0.5), reach: '≤ 5 ms' },
    { name: `commit → arrival, ${name}, p99`, unit: 'ms', value: percentile(waits, 0.99), reach: '≤ 30 ms' },
  ]
}
