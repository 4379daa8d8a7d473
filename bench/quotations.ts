import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Database } from '#platform/db/database.ts'
import { migrate, readMigrations } from '#platform/db/migrate.ts'
import { openDatabase } from '#platform/db/open.ts'
import { startServer } from '#testing/processes/server-process.ts'
import { median, percentile, type Figure } from './figure.ts'
import { connectLeanClient, timesOf } from './lean-client.ts'
import { newDatabase, newDirectory } from './open-engine.ts'
import { scaled } from './scale.ts'
import { productsSeeded, seedQuotations } from './seed-quotations.ts'

const login = { ADMIN_EMAIL: 'bench@waybill.test', ADMIN_PASSWORD: 'correct horse battery' }
const buyer = { email: 'orders@waybill.test', password: 'correct horse battery', division: 1 }
const dayMs = 86_400_000
const daysAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString()

/** Filters that are answered from kept counts, with what the design asks of them. */
const frequent: Readonly<Record<string, string>> = {
  nothing: '',
  status: 'status=approved',
  'status, rare': 'status=draft',
  'two statuses': 'status=pending&status=rejected',
  division: 'division=2',
  user: 'user=7',
}
const others: Readonly<Record<string, string>> = {
  'name, one in eight': 'name=spring',
  'name, all': 'name=o',
  'name, one of all': `name=${encodeURIComponent('order 777 ')}`,
  'name, none': 'name=there%20is%20none',
  number: 'number=Q-2026-000777',
  'phone_number, few': 'phone_number=%2B49%2030',
  'phone_number, most': 'phone_number=44',
  total_amount: 'total_amount=1234.50',
  'total_amount__gte, most': 'total_amount__gte=1000',
  'total_amount__gte, few': 'total_amount__gte=49900',
  total_amount__lte: 'total_amount__lte=500',
  'created_at, a day': `created_at=${daysAgo(45).slice(0, 10)}`,
  'created_at__gte, a third': `created_at__gte=${daysAgo(30)}`,
  'created_at__lte, half': `created_at__lte=${daysAgo(45)}`,
  'modified_at, a day': `modified_at=${daysAgo(45).slice(0, 10)}`,
  'modified_at__lte, half': `modified_at__lte=${daysAgo(45)}`,
}
const requestsOfEach = 300
const maxMsOfEach = 3_000

interface Bench {
  readonly database: Database
  readonly origin: string
  readonly call: (method: 'GET' | 'POST', path: string, authorization: string, body?: unknown) => Promise<Answered>
}
interface Answered {
  readonly ms: number
  readonly body: unknown
}

/** Creation, approval and lists of quotations among 1,000,000 of them, by a whole server on PostgreSQL. */
export const quotations = async (): Promise<Figure[]> => {
  const place = await newDirectory()
  const { location, remove } = await newDatabase()
  const database = await openDatabase({ ...location, poolSize: 2 })
  try {
    await migrate(database, await readMigrations())
    const environment = { ...login, LOG_LEVEL: 'warn', DATABASE_URL: location.url, SECRET_KEY: 'k'.repeat(32) }
    // The first administrator is made where there is nobody yet.
    await (await startServer(environment, place.location.directory)).stop()
    const began = performance.now()
    await seedQuotations(database, scaled(1_000_000, 1_000))
    const value = (performance.now() - began) / 1_000
    const seeded = { name: 'quotations seeded in the database itself', unit: 's', value, reach: '≤ 60 s' }
    const server = await startServer(environment, place.location.directory)
    const pool = new Pool(server.origin, { connections: 1 })
    try {
      const bench = { database, origin: server.origin, call: callerOf(pool) }
      const admin = await logIn(bench, login.ADMIN_EMAIL, login.ADMIN_PASSWORD)
      const figures = [seeded, ...(await lists(bench, admin))]
      return [...figures, ...(await creations(bench, admin)), await approvals(bench, admin)]
    } finally {
      await pool.close()
      await server.stop()
    }
  } finally {
    await database.close()
    await remove()
    await place.remove()
  }
}

const callerOf =
  (pool: Pool): Bench['call'] =>
  async (method, path, authorization, body) => {
    const headers = { ...(authorization && { authorization }), ...(body !== undefined && json) }
    const start = performance.now()
    const answer = await pool.request({ path, method, headers, body: body === undefined ? null : JSON.stringify(body) })
    const text = await answer.body.text()
    const ms = performance.now() - start
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${text}`)
    return { ms, body: JSON.parse(text) as unknown }
  }
const json = { 'content-type': 'application/json' }

const logIn = async ({ call }: Bench, username: string, password: string): Promise<string> => {
  const { body } = await call('POST', '/api/v1/auth/login/', '', { username, password })
  return `Token ${(body as { readonly key: string }).key}`
}

const lists = async ({ database, origin }: Bench, admin: string): Promise<Figure[]> => {
  const client = await connectLeanClient(origin, admin)
  const timesBy = (query: string) => timesOf(client, `/api/v1/quotations/?${query}`, requestsOfEach, maxMsOfEach)
  await timesBy('')
  const limit = await medianMs(5, () => run(database, 'select count(*) from quotations'))
  const figures: Figure[] = []
  for (const [name, query] of Object.entries({ ...frequent, ...others })) {
    const value = percentile(await timesBy(query), 0.99)
    const reach = `≤ ${name in frequent ? 20 : 100} ms; limit: a bare count(*)`
    figures.push({ name: `list of quotations by ${name}, p99`, unit: 'ms', value, limit, reach })
  }
  client.close()
  return figures
}

/** Makes quotations of baskets; the buyer is made first. */
const creations = async (bench: Bench, admin: string): Promise<Figure[]> => {
  await bench.call('POST', '/api/v1/users/', admin, { ...buyer, first_name: 'Ada', last_name: 'Orders' })
  const lines = scaled(1_000, 10)
  const create = await creatorOf(bench)
  await create(lines)
  const times: number[] = []
  let last = 0
  for (let made = 0; made < 20; made++) {
    const { ms, id } = await create(lines)
    times.push(ms)
    last = id
  }
  const bare = ['quotations', 'quotation_items', 'quotation_revisions']
  const limit = await bareInserts(bench.database, bare, last)
  const name = `quotation made of a basket of ${lines.toLocaleString('en')} lines`
  const reach = '≤ 200 ms; limit: its rows alone'
  return [
    { name: `${name}, p50`, unit: 'ms', value: median(times), limit, reach },
    { name: `${name}, p95`, unit: 'ms', value: percentile(times, 0.95), limit, reach },
  ]
}

const approvals = async (bench: Bench, admin: string): Promise<Figure> => {
  const lines = scaled(productsSeeded, 100)
  const create = await creatorOf(bench)
  const times: number[] = []
  let last = 0
  for (let approved = 0; approved <= 5; approved++) {
    const { id } = await create(lines)
    const { ms } = await bench.call('POST', `/api/v1/quotations/${id}/approve/`, admin, {})
    // The first one warms up.
    if (approved > 0) times.push(ms)
    last = id
    await pushed(bench.database)
  }
  return {
    name: `quotation of ${lines.toLocaleString('en')} lines approved, with its orders, p50`,
    unit: 'ms',
    value: median(times),
    limit: await bareInserts(bench.database, ['quotation_orders'], last),
    reach: '≤ 500 ms; limit: the rows of its orders alone',
  }
}

/** Fills the basket of the buyer in the database, and has a quotation made of it. */
const creatorOf = async (bench: Bench) => {
  const authorization = await logIn(bench, buyer.email, buyer.password)
  const user = `(select id from users where email = '${buyer.email}')`
  return async (lines: number): Promise<{ readonly ms: number; readonly id: number }> => {
    await run(bench.database, `insert into baskets (user_id) values (${user}) on conflict do nothing`)
    await run(
      bench.database,
      `insert into basket_items (basket_id, product_id, division_id, quantity)
       select (select id from baskets where user_id = ${user} and name is null), products.id, ${buyer.division}, 10
       from products order by products.id limit ${lines}`,
    )
    const { ms, body } = await bench.call('POST', '/api/v1/my-quotations/', authorization, { name: 'Bench' })
    return { ms, id: (body as { readonly id: number }).id }
  }
}

/** Waits until all orders are created, so that they are no load of the next figure. */
const pushed = async (database: Database): Promise<void> => {
  const open = `select id from quotation_orders where status <> 'created' limit 1`
  while ((await run(database, open)).length > 0) await sleep(100)
}

/** What it takes to insert the rows of a quotation again, into tables of the same form that refer to nothing. */
const bareInserts = async (database: Database, tables: readonly string[], id: number): Promise<number> => {
  for (const table of tables) {
    const key = table === 'quotations' ? 'id' : 'quotation_id'
    await run(database, `create table bare_${table} (like ${table} including indexes)`)
    await run(database, `create table kept_${table} as select * from ${table} where ${key} = ${id}`)
  }
  const emptied = tables.map((table) => `bare_${table}`).join(', ')
  const insertAll = (): Promise<void> =>
    database.scriptTransaction(async (statement) => {
      for (const table of tables) await statement(`insert into bare_${table} select * from kept_${table}`)
    })
  return medianMs(5, insertAll, () => run(database, `truncate ${emptied}`))
}

const run = (database: Database, statement: string) => database.scriptTransaction((script) => script(statement))

const medianMs = async (
  runs: number,
  work: () => Promise<unknown>,
  before: () => Promise<unknown> = async () => undefined,
): Promise<number> => {
  const times: number[] = []
  for (let done = 0; done < runs; done++) {
    await before()
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return median(times)
}
