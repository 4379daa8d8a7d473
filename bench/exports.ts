import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Database } from '#platform/db/database.ts'
import { migrate, readMigrations } from '#platform/db/migrate.ts'
import { openDatabase } from '#platform/db/open.ts'
import { startServer } from '#testing/processes/server-process.ts'
import { median, percentile, type Figure } from './figure.ts'
import { connectLeanClient, type LeanClient } from './lean-client.ts'
import { newDatabase, newDirectory } from './open-engine.ts'
import { scaled } from './scale.ts'
import { seedQuotations } from './seed-quotations.ts'

const login = { ADMIN_EMAIL: 'bench@waybill.test', ADMIN_PASSWORD: 'correct horse battery' }

interface Case {
  readonly format: 'csv' | 'xlsx' | 'xls'
  readonly rows: () => number
  readonly reach: string
  /** Most that the memory of the server may grow, in MB. */
  readonly mostMemory?: number
}
const cases: readonly Case[] = [
  { format: 'csv', rows: () => scaled(1_000_000, 1_000), reach: '≥ 100,000/s', mostMemory: 150 },
  { format: 'xlsx', rows: () => scaled(1_000_000, 1_000), reach: '≥ 25,000/s', mostMemory: 200 },
  { format: 'xls', rows: () => scaled(65_000, 1_000), reach: '≤ 5 s: ≥ 13,000/s' },
]
const runs = 3

/** What others ask for meanwhile: what a console shows all the time. */
const meanwhile = '/api/v1/quotations/?status=approved'
/** Between two of their requests, in milliseconds: 20 people who each look at a new page every second. */
const pauseMs = 50

/** Exports of 1,000,000 quotations by a whole server on PostgreSQL, and what others notice of them. */
export const exports = async (): Promise<Figure[]> => {
  const place = await newDirectory()
  const { location, remove } = await newDatabase()
  const database = await openDatabase({ ...location, poolSize: 2 })
  try {
    await migrate(database, await readMigrations())
    const environment = { ...login, LOG_LEVEL: 'warn', DATABASE_URL: location.url, SECRET_KEY: 'k'.repeat(32) }
    // The first administrator is made where there is nobody yet.
    await (await startServer(environment, place.location.directory)).stop()
    await seedQuotations(database, scaled(1_000_000, 1_000))
    const figures: Figure[] = []
    for (const one of cases) {
      const server = await startServer(environment, place.location.directory)
      try {
        figures.push(...(await figuresOf(one, { database, origin: server.origin, pid: server.pid })))
      } finally {
        await server.stop()
      }
    }
    return figures
  } finally {
    await database.close()
    await remove()
    await place.remove()
  }
}

interface Bench {
  readonly database: Database
  readonly origin: string
  readonly pid: number
}

const figuresOf = async ({ format, rows, reach, mostMemory }: Case, bench: Bench): Promise<Figure[]> => {
  const pool = new Pool(bench.origin, { connections: 1 })
  const authorization = await logIn(pool)
  const others = await connectLeanClient(bench.origin, authorization)
  try {
    await times(others, sleep(3_000))
    const alone = percentile(await times(others, sleep(10_000)), 0.99)
    const measured: Exported[] = []
    // Each asks for one row less than the one before: it would be the same export otherwise.
    for (let run = 0; run < runs; run++)
      measured.push(await exportOnce(bench, { pool, authorization, others }, `format=${format}&limit=${rows() - run}`))
    const written = median(measured.map(({ seconds }) => seconds))
    const grown = median(measured.map(({ grownMb }) => grownMb))
    return [
      {
        name: `rows exported as ${format}, ${rows()} of them`,
        unit: '/s',
        value: rows() / written,
        limit: await bareCopy(bench.database, rows()),
        reach: `${reach}; limit: the database copies the table into nothing`,
      },
      {
        name: `memory that the server takes more meanwhile, ${format}`,
        unit: 'MB',
        value: grown,
        reach: mostMemory === undefined ? 'none' : `≤ ${mostMemory} MB`,
      },
      {
        name: `p99 of a list of others meanwhile, ${format}`,
        unit: 'ms',
        // Of all runs: one has so few requests that its p99 is the slowest of them.
        value: percentile(
          measured.flatMap(({ taken }) => taken),
          0.99,
        ),
        limit: alone,
        reach: '≤ 2 ×; limit: the same alone',
      },
    ]
  } finally {
    others.close()
    await pool.close()
  }
}

interface Exported {
  readonly seconds: number
  readonly grownMb: number
  /** Milliseconds that each request of others took meanwhile. */
  readonly taken: readonly number[]
}

interface Clients {
  readonly pool: Pool
  readonly authorization: string
  readonly others: LeanClient
}

const exportOnce = async (
  { pid }: Bench,
  { pool, authorization, others }: Clients,
  query: string,
): Promise<Exported> => {
  const before = await residentMb(pid)
  let most = before
  const done = new AbortController()
  const watch = async (): Promise<void> => {
    while (!done.signal.aborted) {
      most = Math.max(most, await residentMb(pid))
      await sleep(100)
    }
  }
  const start = performance.now()
  const ask = async (path: string): Promise<unknown> => {
    const answer = await pool.request({ path, method: 'GET', headers: { authorization } })
    const body: unknown = await answer.body.json()
    if (answer.statusCode >= 300) throw new Error(JSON.stringify(body))
    return body
  }
  const work = async (): Promise<number> => {
    const { status_cache_key: key } = (await ask(`/api/v1/quotations/export/?${query}`)) as { status_cache_key: string }
    for (;;) {
      const state = (await ask(`/api/v1/quotations/export/?status_cache_key=${key}`)) as {
        status: string
        error: string
      }
      if (state.status === 'completed') return (performance.now() - start) / 1_000
      if (state.status === 'failed') throw new Error(state.error)
      await sleep(50)
    }
  }
  const working = work().finally(() => done.abort())
  const [seconds, taken] = await Promise.all([working, times(others, working), watch()])
  return { seconds, grownMb: most - before, taken }
}

/** How long requests of others take until something is over. */
const times = async (client: LeanClient, until: Promise<unknown>): Promise<number[]> => {
  const taken: number[] = []
  const stop = new AbortController()
  const over = until.finally(() => stop.abort())
  while (!stop.signal.aborted) {
    const { status, ms } = await client.get(meanwhile)
    if (status !== 200) throw new Error(`${meanwhile}: ${status}`)
    taken.push(ms)
    await sleep(pauseMs)
  }
  await over
  return taken
}

const logIn = async (pool: Pool): Promise<string> => {
  const answer = await pool.request({
    path: '/api/v1/auth/login/',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: login.ADMIN_EMAIL, password: login.ADMIN_PASSWORD }),
  })
  return `Token ${((await answer.body.json()) as { readonly key: string }).key}`
}

const residentMb = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024
}

/** Rows a second of the same columns as they are, copied and thrown away. */
const bareCopy = async (database: Database, rows: number): Promise<number> => {
  const statement = `copy (select id, number, total_amount, net_amount, name, user_id, created_at, modified_at, status
    from quotations order by id desc limit ${rows}) to stdout (format csv)`
  const seconds: number[] = []
  for (let run = 0; run < runs; run++) {
    const start = performance.now()
    let bytes = 0
    for await (const chunk of database.copyOut(statement, new AbortController().signal)) bytes += chunk.length
    if (bytes === 0) throw new Error('Nothing was copied.')
    seconds.push((performance.now() - start) / 1_000)
  }
  return rows / median(seconds)
}
