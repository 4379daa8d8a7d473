import type { Database } from '#platform/db/database.ts'
import { migrate, readMigrations } from '#platform/db/migrate.ts'
import { openDatabase } from '#platform/db/open.ts'
import { startServer } from '#testing/processes/server-process.ts'
import { median, percentile, type Figure } from './figure.ts'
import { newDatabase, newDirectory } from './open-engine.ts'
import { connectLeanClient, timesOf } from './lean-client.ts'
import { scaled } from './scale.ts'
import { sendLoad } from './send-load.ts'
import { seedErrorReports } from './seed-error-reports.ts'

const login = { ADMIN_EMAIL: 'bench@waybill.test', ADMIN_PASSWORD: 'correct horse battery' }
/** Retention would take some of the reports away meanwhile. */
const kept = { ERROR_REPORT_OK_DAYS: '365', ERROR_REPORT_RESOLVED_DAYS: '365' }
const dayMs = 86_400_000
const daysAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString()

/** Filters that are answered from kept counts, with what the design asks of them. */
const frequent: Readonly<Record<string, string>> = {
  nothing: '',
  is_ok: 'is_ok=false',
  channel: 'channel=7',
  catalog: 'catalog=Catalogue%202',
  action_content_type: 'action_content_type=product',
  target_content_type: 'target_content_type=product',
}
const others: Readonly<Record<string, string>> = {
  target_object_id: 'target_object_id=7',
  action_object_id__in: 'action_object_id__in=5,99,1234',
  'error_code, one in ten': 'error_code=custom',
  'error_code, rare': 'error_code=77771-Channel-BatchRequest-1763795171',
  group: 'group=37',
  'q, one in four': 'q=timeout',
  'q, rare': 'q=12345',
  'created_date__gte, a third': `created_date__gte=${daysAgo(30)}`,
  'created_date__lt, half': `created_date__lt=${daysAgo(45.3)}`,
}
/** Pages in the middle are farthest from both ends. */
const deep = (): Readonly<Record<string, string>> => ({
  'nothing, the page in the middle': `page=${scaled(5_000, 5)}`,
  'nothing, the last page': `page=${scaled(10_000, 10)}`,
  'is_ok, the page in the middle': `is_ok=false&page=${scaled(150)}`,
})
const requestsOfEach = 300
const requestsOfPair = 5
const maxMsOfEach = 3_000

/** Lists of 1,000,000 reports with exact counts, and creations a second, by a whole server on PostgreSQL. */
export const errorReports = async (): Promise<Figure[]> => {
  const place = await newDirectory()
  const { location, remove } = await newDatabase()
  const database = await openDatabase({ ...location, poolSize: 2 })
  try {
    await migrate(database, await readMigrations())
    await seedErrorReports(database, scaled(1_000_000, 1_000))
    const environment = { ...login, ...kept, LOG_LEVEL: 'warn', DATABASE_URL: location.url, SECRET_KEY: 'k'.repeat(32) }
    const server = await startServer(environment, place.location.directory)
    try {
      const { origin } = server
      const authorization = await logIn(origin)
      return [...(await lists(database, origin, authorization)), await creations(database, origin, authorization)]
    } finally {
      await server.stop()
    }
  } finally {
    await database.close()
    await remove()
    await place.remove()
  }
}

const logIn = async (origin: string): Promise<string> => {
  const body = JSON.stringify({ username: login.ADMIN_EMAIL, password: login.ADMIN_PASSWORD })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${origin}/api/v1/auth/login/`, { method: 'POST', headers, body })
  return `Token ${((await answer.json()) as { key: string }).key}`
}

const lists = async (database: Database, origin: string, authorization: string): Promise<Figure[]> => {
  const client = await connectLeanClient(origin, authorization)
  const timesBy = (query: string, count: number) =>
    timesOf(client, `/api/v1/error_reports/?${query}`, count, maxMsOfEach)
  const limit = await bareCount(database)
  const figures: Figure[] = []
  await timesBy('', requestsOfEach)
  for (const [name, query] of Object.entries({ ...frequent, ...others, ...deep() })) {
    const value = percentile(await timesBy(query, requestsOfEach), 0.99)
    const reach = `${aimOf(name)}; limit: a bare count(*)`
    figures.push({ name: `list of reports by ${name}, p99`, unit: 'ms', value, limit, reach })
  }
  const pairs: { readonly name: string; readonly time: number }[] = []
  const all = Object.entries({ ...frequent, ...others })
  for (const [index, [one, query]] of all.entries())
    for (const [other, more] of all.slice(index + 1).filter(([, text]) => fieldOf(text) !== fieldOf(query)))
      pairs.push({ name: `${one} and ${other}`, time: median(await timesBy(`${query}&${more}`, requestsOfPair)) })
  const worst = pairs.toSorted((a, b) => b.time - a.time)[0]
  const name = `the slowest of ${pairs.length} pairs of filters (${worst?.name ?? ''}), p50`
  figures.push({ name, unit: 'ms', value: worst?.time ?? Number.NaN, limit, reach: '≤ 100 ms; limit: a bare count(*)' })
  client.close()
  return figures
}

const aimOf = (name: string): string => (name in frequent ? '≤ 20 ms' : '≤ 100 ms')

const fieldOf = (query: string): string => query.split('=')[0] ?? ''

/** What the database takes to count all rows once, in the smallest index. */
const bareCount = async (database: Database): Promise<number> => {
  const times: number[] = []
  for (let run = 0; run < 5; run++) {
    const start = performance.now()
    await database.scriptTransaction((statement) => statement('select count(*) from error_reports'))
    times.push(performance.now() - start)
  }
  return median(times)
}

const creations = async (database: Database, origin: string, authorization: string): Promise<Figure> => {
  const order = {
    origin,
    authorization,
    path: '/api/v1/channel/1/error_reports/',
    body: 'report',
    concurrency: 64,
  } as const
  const warmUps = scaled(2_000, 100)
  const requests = scaled(15_000, 200)
  await sendLoad({ ...order, requests: warmUps, first: 1 })
  const served: number[] = []
  for (let run = 0; run < 3; run++) {
    const { seconds } = await sendLoad({ ...order, requests, first: 1 + warmUps + run * requests })
    served.push(requests / seconds)
  }
  return {
    name: 'reports created one by one, 64 at a time, all in one group, PostgreSQL',
    unit: '/s',
    value: median(served),
    limit: await bareInserts(database, requests),
    reach: '≥ 1,500/s; limit: one by one into a table without an index',
  }
}

/** The same amount of text, one row in each transaction, over two connections. */
const bareInserts = async (database: Database, count: number): Promise<number> => {
  await database.scriptTransaction((run) => run('create table bare (body text not null)'))
  let next = 0
  const loop = async (): Promise<void> => {
    for (; next < count; next++)
      await database.scriptTransaction((run) => run('insert into bare (body) values ($1)', ['x'.repeat(1_000)]))
  }
  const start = performance.now()
  await Promise.all([loop(), loop()])
  return (count * 1_000) / (performance.now() - start)
}
