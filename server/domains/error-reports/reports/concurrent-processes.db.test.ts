import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { contentTypes } from '#events/content-types.ts'
import { systemClock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { eventually } from '#testing/eventually.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { holdChannel } from '../channels/index.ts'
import { lockReports } from './bucket-store.ts'
import { makeReportChanges } from './change-report.ts'
import { makeCreateReports } from './create-reports.ts'
import { placeReportOf, reportOf, type NewReport } from './new-report.ts'

const { db, engine } = await openTestDatabase()

const { rows: users } = await sql<{ id: number }>`
  insert into users (email, password_hash, created_at, modified_at)
  values ('somebody@example.com', '', now(), now()) returning id`.execute(db)
const somebody = users[0]?.id ?? 0

/** Two processes, as far as the database can tell. */
const processes = [1, 2].map(() => ({
  create: makeCreateReports({ clock: systemClock }),
  changes: makeReportChanges({ clock: systemClock }),
}))

const report = (number: number, fields: object = {}): NewReport =>
  reportOf({
    action_content_type: contentTypes.product,
    action_object_id: 1 + (number % 7),
    obj_modified_date: '2026-11-21 09:30:00',
    error_code: `E${number}`,
    error_desc: number % 2 === 0 ? 'Even' : 'Odd',
    is_ok: number % 5 === 0,
    ...fields,
  })

const truth = async () => {
  const { rows } = await sql<{ wrong: number }>`
    select count(*) as wrong from (
      select bucket_id, count(*) as count from error_reports group by bucket_id
      except select bucket_id, count from error_report_counts where group_id = 0 and day = '-infinity') as difference`.execute(
    db,
  )
  const groups = await sql<{ wrong: number }>`
    select count(*) as wrong from error_report_groups grp where open_count <> (
      select count(*) from error_reports where group_id = grp.id and not is_ok)`.execute(db)
  const times = await sql<{ wrong: number }>`
    select count(*) as wrong from (
      select created_at < lag(created_at) over (order by id) as went_back from error_reports) as steps where went_back`.execute(
    db,
  )
  return [rows[0]?.wrong, groups.rows[0]?.wrong, times.rows[0]?.wrong]
}

test('two processes that write batches, change and delete at once neither wait in a circle nor miscount', async () => {
  const work = processes.flatMap(({ create, changes }, process) =>
    Array.from({ length: 12 }, async (_, round) => {
      const batch = Array.from({ length: 20 }, (__, index) => report((round * 2 + process) * 20 + index))
      const made = await inTransaction(db, (tx) => create(tx, process === 0 ? batch : batch.toReversed()))
      const [first, second] = made.flatMap((one) => (one.kind === 'created' ? one.report : []))
      if (first !== undefined)
        await inTransaction(db, (tx) => changes.patch(tx, { id: first.id }, { is_ok: round % 2 === 0 }, somebody))
      if (second !== undefined) await inTransaction(db, (tx) => changes.remove(tx, { id: second.id }))
    }),
  )
  const outcomes = await Promise.allSettled(work)
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await truth()).toEqual([0, 0, 0])
})

test('the same bodies in two processes at once are one row each', async () => {
  const batch = Array.from({ length: 30 }, (_, index) => report(100_000 + index, { error_desc: 'Same', is_ok: false }))
  const outcomes = await Promise.all(
    processes.map(({ create }, process) =>
      inTransaction(db, (tx) => create(tx, process === 0 ? batch : batch.toReversed())),
    ),
  )
  const ids = outcomes.flat().flatMap((one) => (one.kind === 'no_channel' ? [] : [one.report.id]))
  expect(new Set(ids).size).toBe(30)
  expect(outcomes.flat().filter(({ kind }) => kind === 'created')).toHaveLength(30)
})

test('a transaction that is given up leaves no row, no count and no bucket that is remembered', async () => {
  const [{ create } = { create: undefined }] = processes
  const once = report(200_000, { action_content_type: 999 })
  const broken = inTransaction(db, async (tx) => {
    await create?.(tx, [once])
    throw new Error('the process dies')
  })
  await expect(broken).rejects.toThrow('the process dies')
  expect(await truth()).toEqual([0, 0, 0])
  const again = await inTransaction(db, async (tx) => create?.(tx, [once]))
  expect(again).toMatchObject([{ kind: 'created' }])
  expect(await truth()).toEqual([0, 0, 0])
})

test.runIf(engine === 'postgres')(
  'who reports a place waits for its mapping before the lock of all changes, so not in a circle with it',
  async () => {
    const { rows: channels } = await sql<{ id: number }>`
    with catalog as (
      insert into catalogs (name, created_at, modified_at) values ('Places', now(), now()) returning id)
    insert into channels (name, catalog_id, created_at, modified_at)
    select 'Shop', id, now(), now() from catalog returning id`.execute(db)
    const channelId = channels[0]?.id ?? 0
    const city = placeReportOf(channelId, 'city', { remote_code: '34', country_id: 1 })
    const waiting = () =>
      sql<{ count: number }>`select count(*) as count from pg_locks where not granted`
        .execute(db)
        .then(({ rows }) => rows[0]?.count)
    let reported: Promise<unknown> = Promise.resolve()
    await inTransaction(db, async (tx) => {
      // As a mapping does: the channel, and the lock of all changes after it.
      expect(await holdChannel(tx, channelId)).toBe(true)
      reported = inTransaction(db, (other) => processes[0]?.create(other, [city]) ?? Promise.resolve([]))
      await eventually(async () => expect(await waiting()).toBe(1))
      await sql`set local lock_timeout = '200ms'`.execute(tx)
      await lockReports(tx)
    })
    expect(await reported).toMatchObject([{ kind: 'created' }])
  },
)
