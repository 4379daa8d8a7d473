import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { SubscriptionSettings } from '#delivery/subscriber/subscription.ts'
import type { Database, Engine as EngineName } from '#platform/db/database.ts'
import { migrate, readMigrations } from '#platform/db/migrate.ts'
import { openDatabase } from '#platform/db/open.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { settings } from '#testing/make-deliveries.ts'
import { makeTestEngine, type TestEngine } from '#testing/make-test-engine.ts'

export interface BenchEngine {
  readonly engine: TestEngine
  readonly database: Database
  /** Subscribes an address, to `package.created` where nothing else is said. @returns the subscription's id. */
  subscribe(url: string, settings?: Partial<SubscriptionSettings>): Promise<number>
  /** Commits events of one kind, `count` of them, in transactions of 500. */
  append(count: number): Promise<void>
  close(): Promise<void>
}

const server = (): string => process.env['BENCH_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** The delivery engine on a new database of either kind, with nothing else of the server around it. Not started. */
export const openBenchEngine = async (name: EngineName): Promise<BenchEngine> => {
  const { location, remove } = name === 'postgres' ? await newDatabase() : await newDirectory()
  const database = await openDatabase(location)
  await migrate(database, await readMigrations())
  const capacity = Number(process.env['DELIVERY_CONCURRENCY'] ?? 512)
  const engine = await makeTestEngine(database, { capacity, userAgent, drainMs: 0 })
  const { outbox, subscriptions } = engine
  return {
    engine,
    database,
    subscribe: (url, differing) =>
      inTransaction(database.db, (tx) => subscriptions.create(tx, { ...benchSettings, ...differing, url })),
    async append(count) {
      for (let done = 0; done < count; done += 500) {
        const events = Array.from({ length: Math.min(500, count - done) }, (_, index) => eventOf(done + index + 1))
        await inTransaction(database.db, (tx) => outbox.append(tx, events))
      }
    },
    async close() {
      await engine.stop()
      await database.close()
      await remove()
    },
  }
}

export const userAgent = 'Waybill/bench'

/** One signature, by Standard Webhooks alone. */
export const benchSettings: SubscriptionSettings = {
  ...settings,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  retry: { choice: 'exponential', kwargs: { base: 2, factor: 15, limit: 21_600 } },
}

const date = '2026-11-21T09:30:00.000Z'

/** A package event of the usual size. */
export const eventOf = (id: number) => ({
  type: 'package.created' as const,
  scope: 'back-office',
  object: { type: 'package' as const, id },
  data: {
    id,
    number: `P-2026-${String(id).padStart(6, '0')}`,
    order_number: `O-${id}`,
    stock_location: 1,
    status: 'created' as const,
    items: [{ sku: 'CHAIR-OAK', quantity: 2 }],
    shipment: null,
    created_date: date,
    modified_date: date,
  },
})

export const newDirectory = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'waybill-bench-'))
  return { location: { directory, poolSize: 1 }, remove: () => rm(directory, { recursive: true }) }
}

export const newDatabase = async () => {
  const name = `waybill_bench_${randomBytes(4).toString('hex')}`
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server() })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await run(`create database ${name}`)
  const url = new URL(server())
  url.pathname = `/${name}`
  return {
    location: { url: url.href, directory: '', poolSize: 10 },
    remove: () => run(`drop database ${name} with (force)`),
  }
}
