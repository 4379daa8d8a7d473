import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { contentTypes } from '#events/content-types.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import type { OwnFailure } from '#failures/own-failure.ts'
import { makeCreateReports } from './create-reports.ts'
import { reportOf } from './new-report.ts'
import { openReports } from './open-reports-store.ts'
import { makeOwnFailures } from './own-failures.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const own = makeOwnFailures({ clock })
const { rows: users } = await sql<{ id: number }>`
  insert into users (email, password_hash, created_at, modified_at)
  values ('somebody@example.com', '', now(), now()) returning id`.execute(db)
const somebody = users[0]?.id ?? 0

beforeEach(async () => {
  for (const table of ['errorReports', 'errorReportCounts', 'errorReportGroups'] as const)
    await db.deleteFrom(table).execute()
})

const failure = (actionObjectId: number, fields: Partial<OwnFailure> = {}): OwnFailure => ({
  source: 'delivery',
  actionObjectId,
  actionContentType: contentTypes.delivery,
  action: { label: 'Delivery of package.created', path: `/whisperer/hook_events/${actionObjectId}/` },
  targetContentType: contentTypes.webhook,
  targetObjectId: '7',
  target: { label: 'Webhook 7', path: null },
  at: clock.now(),
  errorCode: 'http_500',
  errorDesc: 'Delivery to https://shop.example failed',
  rawRequest: 'POST https://shop.example\nauthorization: Bearer sesame-opens-all\n\n{}',
  rawResponse: 'HTTP 500',
  ...fields,
})
const report = (...failures: OwnFailure[]) => inTransaction(db, (tx) => own.report(tx, failures))
const resolve = (...ids: number[]) =>
  inTransaction(db, (tx) =>
    own.resolve(
      tx,
      ids.map((actionObjectId) => ({ source: 'delivery', actionObjectId })),
    ),
  )
const retried = (id: number) =>
  inTransaction(db, async (tx) => {
    await openReports.lock(tx)
    await openReports.markRetried(tx, [id], { by: somebody, at: clock.now() })
  })
const all = () => db.selectFrom('errorReports').selectAll().orderBy('id').execute()
const groups = () =>
  db.selectFrom('errorReportGroups').select(['codePattern', 'count', 'openCount', 'state']).orderBy('id').execute()

/** Whether every count is what counting would come to. */
const miscounted = async () => {
  const { rows } = await sql<{ wrong: number }>`
    with truth as (
      select 0 as group_id, '-infinity'::date as day, bucket_id, count(*) as count from error_reports group by bucket_id
      union all select group_id, '-infinity', bucket_id, count(*) from error_reports where group_id is not null group by 1, 3
      union all select 0, (created_at at time zone 'utc')::date, bucket_id, count(*) from error_reports group by 2, 3
    ), kept as (select group_id, day, bucket_id, count from error_report_counts where count > 0)
    select (select count(*) from (select * from truth except select * from kept) missing)
      + (select count(*) from (select * from kept except select * from truth) extra)
      + (select count(*) from error_report_groups grp where open_count <> (
          select count(*) from error_reports where group_id = grp.id and not is_ok)) as wrong`.execute(db)
  return rows[0]?.wrong
}

test('a failure is an open report in a group, with masked texts; the same object never has a second one', async () => {
  await report(failure(1), failure(2), failure(1, { errorCode: 'timeout', rawResponse: 'timeout' }))
  expect(await all()).toMatchObject([
    { actionObjectId: 1, source: 'delivery', isOk: false, errorCode: 'timeout', channelId: null },
    { actionObjectId: 2, source: 'delivery', isOk: false, errorCode: 'http_500' },
  ])
  const [first] = await all()
  expect(first?.rawRequest).toContain('POST https://shop.example')
  expect(first?.rawRequest).not.toContain('sesame-opens-all')
  expect(JSON.parse(first?.links ?? '')).toMatchObject({ action: { path: '/whisperer/hook_events/1/' } })
  expect(await miscounted()).toBe(0)
})

test('another failure renews the open report, counts once more, and moves it where its cause is another', async () => {
  await report(failure(1))
  clock.advance(60_000)
  await report(failure(1, { rawResponse: 'HTTP 500\n\nagain' }))
  expect(await all()).toMatchObject([
    { rawResponse: 'HTTP 500\n\nagain', objModifiedDate: clock.now(), updatedAt: clock.now() },
  ])
  // The answer is part of the cause.
  expect(await groups()).toMatchObject([
    { count: 1, openCount: 0, state: 'resolved' },
    { count: 1, openCount: 1, state: 'open' },
  ])
  await report(failure(1, { rawResponse: 'HTTP 500\n\nagain' }))
  expect(await groups()).toMatchObject([
    { count: 1, openCount: 0, state: 'resolved' },
    { count: 2, openCount: 1, state: 'open' },
  ])
  expect(await miscounted()).toBe(0)
})

test('a failure after a success is a new report, and opens its group again', async () => {
  await report(failure(1))
  await resolve(1)
  expect(await groups()).toMatchObject([{ count: 1, openCount: 0, state: 'resolved' }])
  // The same moment and the same texts.
  await report(failure(1))
  expect(await all()).toMatchObject([{ isOk: true }, { isOk: false }])
  expect(await groups()).toMatchObject([{ count: 2, openCount: 1, state: 'open' }])
  expect(await miscounted()).toBe(0)
})

test('a success resolves: as retried when somebody had it tried since it failed, else by itself', async () => {
  await report(failure(1), failure(2), failure(3))
  const [first, , third] = await all()
  clock.advance(1_000)
  await retried(first?.id ?? 0)
  await retried(third?.id ?? 0)
  clock.advance(1_000)
  // The third fails again, and then arrives by other means.
  await report(failure(3))
  clock.advance(1_000)
  await resolve(1, 2, 3, 4)
  expect(await all()).toMatchObject([
    { isOk: true, resolvedHow: 'retried', resolvedBy: somebody, resolvedAt: clock.now(), retryCount: 1 },
    { isOk: true, resolvedHow: 'later_success', resolvedBy: null, resolvedAt: clock.now() },
    { isOk: true, resolvedHow: 'later_success', resolvedBy: null, retryCount: 1 },
  ])
  expect(await miscounted()).toBe(0)
})

test('a success of another source resolves nothing', async () => {
  await report(failure(1))
  await inTransaction(db, (tx) => own.resolve(tx, [{ source: 'order', actionObjectId: 1 }]))
  expect(await all()).toMatchObject([{ isOk: false }])
})

test('a success that somebody logs of the same object resolves nothing: only this server knows whether it worked', async () => {
  await report(failure(1))
  const logged = {
    action_content_type: contentTypes.delivery,
    action_object_id: 1,
    obj_modified_date: clock.now().toISOString(),
    error_code: 'custom',
    error_desc: 'Send',
  }
  const create = makeCreateReports({ clock })
  const log = (isOk: boolean) => inTransaction(db, (tx) => create(tx, [reportOf({ ...logged, is_ok: isOk })]))
  await log(false)
  expect([await log(true), await log(true)]).toMatchObject([[{ kind: 'created' }], [{ kind: 'repeated' }]])
  expect(await all()).toMatchObject([
    { source: 'delivery', isOk: false },
    { source: null, isOk: true, resolvedHow: 'later_success' },
    { source: null, isOk: true, resolvedHow: null },
  ])
  await resolve(1)
  expect((await all())[0]).toMatchObject({ isOk: true, resolvedHow: 'later_success' })
  expect(await miscounted()).toBe(0)
})

test('a code that is too long for the table is cut', async () => {
  await report(failure(1, { errorCode: 'x'.repeat(300) }))
  expect((await all())[0]?.errorCode).toHaveLength(128)
})
