import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '#platform/db/database.ts'
import { lockDirectory } from '#platform/db/lock-directory.ts'
import { migrate, readMigrations } from '#platform/db/migrate.ts'
import { openDatabase } from '#platform/db/open.ts'
import { createDatabase } from '#testing/open-test-database.ts'
import { installDatabase } from '#testing/processes/install-database.ts'
import { startProgram } from '#testing/processes/start-program.ts'

const directory = mkdtempSync(join(tmpdir(), 'waybill-doctor-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const migrations = await readMigrations()

interface Visit {
  readonly status: number | null
  readonly output: string
}

/** `npm run doctor`, without npm. */
const doctor = async (environment: Readonly<Record<string, string>>, ...args: string[]): Promise<Visit> => {
  const child = startProgram('server/waybill.ts', { args: ['doctor', ...args], directory, environment })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(child, 'close')
  return { status: child.exitCode, output }
}

const newServerDatabase = async (
  template?: string,
): Promise<{ environment: Record<string, string>; database: Database }> => {
  const { url, remove } = await createDatabase(template)
  const database = await openDatabase({ url, directory: '', poolSize: 2 })
  onTestFinished(async () => {
    await database.close()
    await remove()
  })
  return { environment: { DATABASE_URL: url, SECRET_KEY: 'a test key of at least thirty-two characters' }, database }
}

/** One event without a delivery, and one delivery with a lease that never ends. */
const breakThings = async ({ db }: Database): Promise<void> => {
  await sql`
    insert into subscriptions (scope, dialect, sealed, retry, is_active, created_at, modified_at, listening_since)
    values ('back-office', 'standard', 'x', '{}', true, now(), now(), now() - interval '10 days')`.execute(db)
  await sql`insert into subscription_events select scope, 'package.created', id from subscriptions`.execute(db)
  await sql`
    insert into events (id, scope, type, occurred_at, body)
    select time_id_floor(now() - days * interval '1 day'), 'back-office', 'package.created', now(), '{}'
    from unnest(array[1, 5]) as days`.execute(db)
  await sql`
    insert into deliveries (event_id, subscription_id, next_attempt_at, lease_token, leased_until)
    select max(events.id), max(subscriptions.id), now(), 1, 'infinity' from events, subscriptions`.execute(db)
}
const deliveries = async ({ db }: Database) =>
  (await sql<{ leasedUntil: Date | number | null }>`select leased_until from deliveries order by id`.execute(db)).rows

describe('the doctor on PostgreSQL', () => {
  test(
    'finds everything, mends it when told to, and says by its status whether all is well',
    { timeout: 120_000 },
    async () => {
      const { environment, database } = await newServerDatabase()
      await breakThings(database)
      const found = await doctor(environment)
      expect(found.status).toBe(1)
      expect(found.output).toMatch(/^delivery_missing +1 +0 .*\n +event \d+$/m)
      expect(found.output).toMatch(/^lease_too_long +1 +0 .*\n +delivery \d+$/m)
      expect(found.output).toMatch(/^event_missing +ok/m)
      expect(found.output).toContain('2 found')
      expect(await deliveries(database)).toEqual([{ leasedUntil: Infinity }])

      const since = new Date(Date.now() - 3 * 86_400_000).toISOString()
      expect((await doctor(environment, '--since', since)).output).toContain('1 found')

      expect(await doctor(environment, '--repair')).toMatchObject({
        status: 0,
        output: expect.stringContaining('All is well now: 2 mended'),
      })
      expect(await deliveries(database)).toEqual([{ leasedUntil: expect.any(Date) }, { leasedUntil: null }])
      expect(await doctor(environment)).toMatchObject({ status: 0, output: expect.stringContaining('All is well (') })
    },
  )

  test('does not take for mended what is only reported', { timeout: 60_000 }, async () => {
    const { environment, database } = await newServerDatabase()
    await breakThings(database)
    await sql`update deliveries set status = 'failed', lease_token = null, leased_until = null`.execute(database.db)
    const { status, output } = await doctor(environment, '--repair')
    expect(status).toBe(1)
    expect(output).toContain('1 of 2 could not be mended')
  })

  test('makes no schema, and says what is missing or too new', { timeout: 60_000 }, async () => {
    const { environment, database } = await newServerDatabase('template1')
    const empty = await doctor(environment)
    expect(empty.status).toBe(1)
    expect(empty.output).toMatch(/lacks 0001_platform\.sql, .*Start the server once/)
    expect((await sql`select from pg_class where relname = 'events'`.execute(database.db)).rows).toEqual([])

    await migrate(database, migrations)
    await sql`insert into schema_migrations (version, name, checksum) values (999, '0999_future.sql', 'x')`.execute(
      database.db,
    )
    const newer = await doctor(environment)
    expect(newer).toMatchObject({ status: 1, output: expect.stringContaining('0999_future.sql') })
  })
})

describe('the doctor on an embedded database', () => {
  test('looks at it while no server runs, and otherwise says where to look', { timeout: 120_000 }, async () => {
    const environment = { DATA_DIR: join(directory, 'embedded') }
    installDatabase(environment.DATA_DIR)
    const database = await openDatabase({ directory: join(environment.DATA_DIR, 'database'), poolSize: 1 })
    await breakThings(database)
    await database.close()
    expect(await doctor(environment)).toMatchObject({ status: 1, output: expect.stringContaining('2 found') })
    expect(await doctor(environment, '--repair')).toMatchObject({ status: 0 })

    const unlock = await lockDirectory(environment.DATA_DIR)
    const { status, output } = await doctor(environment)
    expect(status).toBe(1)
    expect(output).toMatch(/in use by another process \(pid \d+\).*waybill_delivery_lost.*invariant\.violated/)
    unlock()
  })

  test('makes none where there is none', { timeout: 60_000 }, async () => {
    const environment = { DATA_DIR: join(directory, 'nowhere') }
    expect(await doctor(environment)).toMatchObject({
      status: 1,
      output: expect.stringContaining('There is no database'),
    })
    expect(existsSync(environment.DATA_DIR)).toBe(false)
  })
})

test('what it does not understand it says in a line', { timeout: 60_000 }, async () => {
  expect(await doctor({}, '--help')).toMatchObject({ status: 0, output: expect.stringContaining('--repair') })
  for (const args of [['--since', 'yesterday'], ['--mend']]) {
    const { status, output } = await doctor({}, ...args)
    expect(status).toBe(2)
    expect(output).toMatch(/^waybill: .+\n$/)
  }
})
