import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { makeKeptLog } from '#testing/kept-log.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeEmbeddedVacuum } from './embedded-vacuum.ts'

const database = await openTestDatabase()
const { db, engine } = database
const { log, linesOf } = makeKeptLog()

const makeTable = async (name: string, rows: number, table = sql.id(name)): Promise<void> => {
  await sql`create table ${table} (id integer primary key, is_done boolean not null)`.execute(db)
  await sql`insert into ${table} select n, false from generate_series(1, ${rows}::int) as n`.execute(db)
}
const update = (name: string) => sql`update ${sql.id(name)} set is_done = not is_done`.execute(db)
const statsOf = async (name: string) => {
  const { rows } = await sql<{ dead: number; changed: number; vacuumed: Date | null; analyzed: Date | null }>`
    select n_dead_tup as dead, n_mod_since_analyze as changed, last_vacuum as vacuumed, last_analyze as analyzed
    from pg_stat_user_tables where relname = ${name}`.execute(db)
  return rows[0]
}
/** The database counts a second late. */
const shown = (name: string, stats: object) =>
  vi.waitFor(async () => expect(await statsOf(name)).toMatchObject(stats), { timeout: 15_000, interval: 100 })
const counted = (name: string, changed: number) => shown(name, { changed })
const run = async (maxLogBytes?: number): Promise<void> => {
  const service = makeEmbeddedVacuum(database, log, maxLogBytes === undefined ? {} : { maxLogBytes })
  await service.start()
  service.kick()
  await service.stop()
}

// A server has its own way, and its own time.
describe.runIf(engine === 'pglite')('the embedded database', () => {
  test('is rid of what many updates left behind', async () => {
    await makeTable('busy', 30_000)
    await update('busy')
    await counted('busy', 60_000)
    expect((await statsOf('busy'))?.dead).toBeGreaterThan(20_000)
    await run()
    await shown('busy', { dead: 0, changed: 0, vacuumed: expect.any(Date) })
  })

  test('knows what is in its tables, and is not disturbed for little', async () => {
    await makeTable('grown', 5_000)
    await makeTable('small', 500)
    await counted('grown', 5_000)
    await counted('small', 500)
    await run()
    await shown('grown', { changed: 0, vacuumed: null, analyzed: expect.any(Date) })
    expect(await statsOf('small')).toMatchObject({ vacuumed: null, analyzed: null })
  })

  test('finds tables of other schemas, such as the queue of jobs', async () => {
    await sql`create schema ${sql.raw('"Other jobs"')}`.execute(db)
    await makeTable('Job', 5_000, sql.raw('"Other jobs"."Job"'))
    await counted('Job', 5_000)
    await run()
    await shown('Job', { changed: 0, analyzed: expect.any(Date) })
  })

  test('makes a checkpoint when its log has grown by more than it may, so that the log does not grow for ever', async () => {
    const checkpoint = async () => (await sql`select redo_lsn from pg_control_checkpoint()`.execute(db)).rows
    const before = await checkpoint()
    await makeTable('logged', 5_000)
    await run()
    expect(await checkpoint()).toEqual(before)
    await run(100_000)
    expect(await checkpoint()).not.toEqual(before)
  })

  test('tells of a table that it cannot do, and does those before and after it', async () => {
    await sql`create function brittle(integer) returns integer immutable language plpgsql as 'begin return 1; end'`.execute(
      db,
    )
    for (const name of ['before', 'brittle', 'after']) await makeTable(name, 5_000)
    await sql`create index on brittle (brittle(id))`.execute(db)
    for (const name of ['before', 'brittle', 'after']) await counted(name, 5_000)
    await sql`create or replace function brittle(integer) returns integer immutable language plpgsql
      as 'begin raise exception ''broken''; end'`.execute(db)
    await run()
    for (const name of ['before', 'after']) await shown(name, { changed: 0, analyzed: expect.any(Date) })
    expect(await statsOf('brittle')).toMatchObject({ analyzed: null })
    expect(linesOf('vacuum.table_failed')).toMatchObject([{ table: 'public.brittle', err: { message: 'broken' } }])
    await sql`drop table brittle`.execute(db)
  })
})

test.runIf(engine === 'postgres')('a server is left to its own autovacuum', async () => {
  await makeTable('grown', 5_000)
  await counted('grown', 5_000)
  await run()
  expect(await statsOf('grown')).toMatchObject({ vacuumed: null, analyzed: null })
})
