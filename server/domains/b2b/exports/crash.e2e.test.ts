import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { request } from 'undici'
import { afterAll, expect, test, vi } from 'vitest'
import type { Database } from '#platform/db/database.ts'
import { openPglite } from '#platform/db/open-pglite.ts'
import { openPostgres } from '#platform/db/open-postgres.ts'
import { serverEnvironment } from '#testing/chaos/prepare-server.ts'
import { makeApprovedQuotations } from '#testing/data/make-approved-quotations.ts'
import { createDatabase } from '#testing/open-test-database.ts'
import { isEverythingWanted } from '#testing/is-everything-wanted.ts'
import { installDatabase } from '#testing/processes/install-database.ts'
import { startServer } from '#testing/processes/server-process.ts'

const directory = mkdtempSync(join(tmpdir(), 'waybill-exports-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const { url, remove } = await createDatabase()
afterAll(remove)

interface Setting {
  readonly engine: string
  readonly rows: number
  readonly environment: Readonly<Record<string, string>>
  readonly open: () => Promise<Database>
}
const dataDir = (engine: string): string => join(directory, engine, 'data')
/** That what is committed stays, on either database, is shown by the crashes of the engine; here one of them will do. */
const settings: readonly Setting[] = [
  {
    engine: 'embedded',
    rows: 10_000,
    environment: { DATA_DIR: dataDir('embedded') },
    open: () => openPglite({ directory: join(dataDir('embedded'), 'database') }),
  },
  {
    engine: 'postgres',
    rows: 40_000,
    environment: { DATA_DIR: dataDir('postgres'), DATABASE_URL: url },
    open: () => openPostgres({ url, poolSize: 2 }),
  },
]

const seed = async (open: Setting['open'], rows: number): Promise<void> => {
  const database = await open()
  const { db } = database
  const { id } = await makeApprovedQuotations(db).quotation()
  await sql`
    insert into quotations (number, name, user_id, division_id, root_division_id, status, currency, total_amount, total_units,
      net_amount, created_at, modified_at)
    select 'N-' || n, 'Order ' || n, user_id, division_id, root_division_id, status, currency, 0, 0, 0, now(), now()
    from quotations cross join generate_series(2, ${rows}::integer) as n where id = ${id}`.execute(db)
  await database.close()
}

/** What a job whose process died waits for until another may have it: its last sign of life gets old, and the last look for such jobs. */
const timePasses = async (open: Setting['open']): Promise<void> => {
  const database = await open()
  await sql`update jobs.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`.execute(database.db)
  await sql`update jobs.queue set monitor_claim_on = now() - interval '1 hour'`.execute(database.db)
  await database.close()
}

interface State {
  readonly status: string
  readonly url: string
  readonly rows_done: number
}
const path = '/api/v1/quotations/export/'

test.concurrent.each(settings.filter(({ engine }) => isEverythingWanted || engine === 'postgres'))(
  'of a server that dies while it exports nothing is left but a whole file, made by the next one ($engine)',
  { timeout: 120_000 },
  async ({ engine, rows, environment, open }) => {
    const place = join(directory, engine)
    mkdirSync(place, { recursive: true })
    if (engine === 'embedded') installDatabase(dataDir(engine))
    const started = { ...serverEnvironment, ...environment }
    await (await startServer(started, place)).stop()
    await seed(open, rows)
    let server = await startServer(started, place)
    const logIn = async (): Promise<string> => {
      const body = { username: serverEnvironment.ADMIN_EMAIL, password: serverEnvironment.ADMIN_PASSWORD }
      const headers = { 'content-type': 'application/json' }
      const answer = await request(`${server.origin}/api/v1/auth/login/`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return `Token ${((await answer.body.json()) as { key: string }).key}`
    }
    const authorization = await logIn()
    const get = async <T>(query: string): Promise<T> =>
      (await request(`${server.origin}${path}${query}`, { headers: { authorization } })).body.json() as Promise<T>

    const { status_cache_key: key } = await get<{ status_cache_key: string }>('?format=xlsx')
    const stateWhen = (fits: (state: State) => boolean, timeout: number) =>
      vi.waitFor(
        async () => {
          const state = await get<State>(`?status_cache_key=${key}`)
          expect(fits(state)).toBe(true)
          return state
        },
        { timeout, interval: 20 },
      )
    const under_way = await stateWhen(({ status, rows_done: done }) => status === 'processing' && done > 0, 30_000)
    await server.kill()
    const stored = (): string[] =>
      readdirSync(join(dataDir(engine), 'exports')).filter((name) => name.startsWith('export-'))
    expect([under_way.url, stored()]).toEqual(['', []])

    await timePasses(open)
    server = await startServer(started, place)
    const done = await stateWhen(({ status }) => status === 'completed', 90_000)
    expect(done.rows_done).toBe(rows)
    expect(stored()).toHaveLength(1)
    // A csv of the same is easier to count.
    const { status_cache_key: other } = await get<{ status_cache_key: string }>('?format=csv&fields=number')
    const { url: link } = await vi.waitFor(
      async () => {
        const state = await get<State>(`?status_cache_key=${other}`)
        expect(state.status).toBe('completed')
        return state
      },
      { timeout: 30_000, interval: 50 },
    )
    const csv = await (await request(link)).body.text()
    const numbers = parse<{ number: string }>(csv, { bom: true, columns: true }).map(({ number }) => number)
    expect([numbers.length, new Set(numbers).size]).toEqual([rows, rows])
    expect(await server.stop()).toBe(0)
    expect(readdirSync(join(dataDir(engine), 'unfinished-exports'))).toEqual([])
  },
)
