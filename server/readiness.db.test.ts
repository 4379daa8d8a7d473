import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { openTestStore } from '#testing/open-test-store.ts'
import { recordAnswers } from '#testing/record-answers.ts'
import { testSecretKey } from '#testing/make-test-app.ts'
import { compose } from './compose.ts'

const database = await openTestDatabase()
const login = { ADMIN_EMAIL: 'admin@waybill.test', ADMIN_PASSWORD: 'correct horse battery' }
/** A process that answers requests and does not work. What it has found out about the database is its own. */
const start = async () => {
  const { app, ensureSuperuser } = await compose({
    role: 'api',
    config: readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...login }),
    secretKey: testSecretKey,
    database,
    store: await openTestStore(),
    clock: systemClock,
    log: pino({ level: 'silent' }),
  })
  afterAll(() => app.close())
  recordAnswers(app)
  const ready = async () => {
    const { statusCode: status, headers, ...answer } = await app.inject({ url: '/readyz' })
    const { checks, reasons } = answer.json<{ checks: object; reasons?: object }>()
    return { status, checks, reasons, retryAfter: headers['retry-after'] }
  }
  return { ready, ensureSuperuser }
}

const others = { database: 'ok', writes: 'ok', migrations: 'ok' }
const workerSeen = (ago: string) =>
  sql`insert into process_signs values (gen_random_uuid(), true, now() - ${ago}::interval)`.execute(database.db)

test('a process that only answers requests is ready once a worker is alive and somebody can log in', async () => {
  await workerSeen('1 minute')
  const early = await start()
  expect(await early.ready()).toEqual({
    status: 503,
    checks: { ...others, worker: 'failing', administrator: 'failing' },
    reasons: {
      worker: expect.stringContaining('Start one: npm start -- --role worker'),
      administrator: expect.stringContaining('first superuser'),
    },
    retryAfter: '5',
  })
  await workerSeen('5 s')
  const later = await start()
  expect(await later.ready()).toMatchObject({
    status: 503,
    checks: { ...others, worker: 'ok', administrator: 'failing' },
  })
  await later.ensureSuperuser()
  expect(await later.ready()).toMatchObject({ status: 200, checks: { ...others, worker: 'ok', administrator: 'ok' } })
})

/** What the database says to whoever wants to write from now on. */
const refuseWrites = async (state: string): Promise<void> => {
  await sql`create or replace function refuse() returns trigger language plpgsql as
    ${sql.lit(`begin raise 'no' using errcode = '${state}'; end`)}`.execute(database.db)
  await sql`create or replace trigger refuse before insert on write_probes execute function refuse()`.execute(
    database.db,
  )
}

test('a database that takes no writes is named with what to do, found out every few seconds', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { ready } = await start()
  expect(await ready()).toMatchObject({ status: 200 })
  for (const [state, reason] of [
    ['53100', 'Make room on it'],
    ['25006', 'Set DATABASE_URL to the primary'],
    ['XX000', 'The log of the server says why'],
  ] as const) {
    await refuseWrites(state)
    vi.advanceTimersByTime(4_000)
    expect(await ready()).toMatchObject({
      status: 503,
      checks: { ...others, writes: 'failing', worker: 'ok', administrator: 'ok' },
      reasons: { writes: expect.stringContaining(reason) },
    })
  }
  await sql`drop trigger refuse on write_probes`.execute(database.db)
  vi.advanceTimersByTime(3_000)
  expect(await ready()).toMatchObject({ status: 503 })
  vi.advanceTimersByTime(1_000)
  expect(await ready()).toMatchObject({ status: 200 })
  vi.useRealTimers()
})

test('a database that is set back below a process makes it unready', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { ready } = await start()
  expect(await ready()).toMatchObject({ status: 200 })
  await sql`delete from schema_migrations where version = (select max(version) from schema_migrations)`.execute(
    database.db,
  )
  vi.advanceTimersByTime(4_000)
  expect(await ready()).toMatchObject({
    status: 503,
    checks: { ...others, migrations: 'failing' },
    reasons: { migrations: expect.stringContaining('a start migrates') },
  })
  vi.useRealTimers()
})

test('the pages that tries to write take are given back', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { ready } = await start()
  await sql`insert into write_probes select repeat('-', 8000) from generate_series(1, 150)`.execute(database.db)
  vi.advanceTimersByTime(4_000)
  await ready()
  await expect.poll(async () => (await sql`select from write_probes`.execute(database.db)).rows.length).toBe(0)
  vi.useRealTimers()
})
