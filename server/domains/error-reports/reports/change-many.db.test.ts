import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { contentTypes } from '#events/content-types.ts'
import { systemClock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeJobs } from '#platform/jobs/jobs.ts'
import { eventually } from '#testing/eventually.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeActOnAll } from '../groups/index.ts'
import { makeChangeMany, type Wanted } from './change-many.ts'
import { makeCreateReports } from './create-reports.ts'
import { reportOf } from './new-report.ts'
import { openReports } from './open-reports-store.ts'
import { makeOwnFailures } from './own-failures.ts'

const database = await openTestDatabase()
const { db } = database
const clock = systemClock
const create = makeCreateReports({ clock })
const jobs = makeJobs({ database, log: pino({ level: 'silent' }), pollSeconds: 0.5 })
const many = makeChangeMany({ db, clock, jobs, maxAtOnce: 5, step: 3 })
const retryReports = { retry: async () => [], outlook: async () => [] }
const shared = { db, clock, jobs, reports: openReports, retryReports, findPeople: async () => [] }
const onAll = makeActOnAll({ ...shared, maxResolvedAtOnce: 5, step: 3 })
await jobs.prepare()

const { rows: people } = await sql<{ id: number }>`
  insert into users (email, password_hash, created_at, modified_at) values ('by@example.com', 'x', now(), now())
  returning id`.execute(db)
const by = people[0]?.id ?? 0

let made = 0
const have = async (howMany: number, code: string): Promise<number[]> => {
  const sent = Array.from({ length: howMany }, () =>
    reportOf({
      action_content_type: contentTypes.product,
      action_object_id: ++made,
      obj_modified_date: '2026-11-21 09:30:00',
      error_code: code,
      error_desc: 'x',
    }),
  )
  const outcomes = await inTransaction(db, (tx) => create(tx, sent))
  return outcomes.flatMap((outcome) => (outcome.kind === 'created' ? [outcome.report.id] : []))
}
const query = (code: string): Wanted => ({
  query: { error_code: code, page: 1, limit: 1, ordering: 'id' },
})
const change = (kind: 'resolve' | 'reopen', wanted: Wanted) =>
  inTransaction(db, (tx) => many.change(tx, kind, wanted, by))
const open = async (code: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from error_reports where error_code = ${code} and not is_ok`.execute(db)
  return rows[0]?.count ?? 0
}
/** Runs jobs until so many reports are open, and a job that was enqueued after the others is done. */
const workUntil = async (code: string, expected: number): Promise<void> => {
  await jobs.worker.start()
  try {
    await eventually(async () => expect(await open(code)).toBe(expected))
  } finally {
    await jobs.worker.stop()
  }
}

test('more than a request may hold are resolved by a job, only those that were there, and undone by one', async () => {
  await have(8, 'many')
  const { undo, ...resolved } = await change('resolve', query('many'))
  expect(resolved).toEqual({ status: 'in_progress', count: 8, changed: [] })
  await have(1, 'many')
  await workUntil('many', 1)
  expect(await change('reopen', { undo: undo ?? 0 })).toMatchObject({ status: 'in_progress', count: 8 })
  await workUntil('many', 9)
  const { rows } = await sql`select open_count as open from error_report_groups where code_pattern = 'many'`.execute(db)
  expect(rows).toEqual([{ open: 9 }])
})

test('a job that is undone before it begins resolves nothing', async () => {
  await have(8, 'undone')
  await have(6, 'later')
  const { undo } = await change('resolve', query('undone'))
  expect(await change('reopen', { undo: undo ?? 0 })).toMatchObject({ status: 'done', count: 0 })
  await change('resolve', query('later'))
  // Jobs of one kind run in their order: when the second one is done, so is the first.
  await workUntil('later', 0)
  expect(await open('undone')).toBe(8)
})

test('a job that resolves a group stops when it is undone, and what it did is opened again', async () => {
  const [id] = await have(8, 'group')
  await have(6, 'other-group')
  const groupOf = async (report: number | undefined) =>
    (
      await db
        .selectFrom('errorReports')
        .select('groupId')
        .where('id', '=', report ?? 0)
        .executeTakeFirst()
    )?.groupId ?? 0
  const { status, undo } = await inTransaction(db, async (tx) => onAll.resolve(tx, await groupOf(id), by))
  expect(status).toBe('in_progress')
  await change('reopen', { undo: undo ?? 0 })
  const [other] = await have(1, 'other-group')
  await inTransaction(db, async (tx) => onAll.resolve(tx, await groupOf(other), by))
  await workUntil('other-group', 0)
  expect(await open('group')).toBe(8)
})

test('of a thing of our own only one report is opened, and none while another is open', async () => {
  const own = makeOwnFailures({ clock })
  const failure = {
    source: 'delivery',
    actionContentType: contentTypes.delivery,
    actionObjectId: 4_711,
    action: { label: 'Delivery', path: null },
    targetContentType: null,
    targetObjectId: null,
    target: null,
    errorCode: 'own',
    errorDesc: 'x',
    rawRequest: null,
    rawResponse: null,
    at: new Date(),
  } as const
  const ids: number[] = []
  for (let n = 0; n < 2; n++) {
    await inTransaction(db, (tx) => own.report(tx, [failure]))
    ids.push(...(await change('resolve', query('own'))).changed)
  }
  expect(ids).toHaveLength(2)
  expect((await change('reopen', { ids })).changed).toEqual([ids[1]])
  expect((await change('reopen', { ids })).changed).toEqual([])
})
