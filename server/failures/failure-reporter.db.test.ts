import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { claimOne } from '#delivery/queue/claim.ts'
import { finish } from '#delivery/queue/finish.ts'
import { urlsOf } from '#delivery/secrets/sealed.ts'
import { makeErrorReports } from '#domains/error-reports/index.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeWrite } from '#platform/http/idempotency.ts'
import { makeJobs } from '#platform/jobs/jobs.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { testIdempotency } from '#testing/idempotency-keys.ts'
import { endOf, makeDeliveries, testVault } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeReportResults, type ReportResultsDeps } from './failure-reporter.ts'
import { makeSubjects } from './subjects.ts'
import { takeResults } from './unreported-store.ts'

const database = await openTestDatabase()
const { db } = database
const clock = makeFakeClock()
const { subscribe, queue, clear } = makeDeliveries({ db, clock })

const none = async () => undefined

/** A process that reports results, on the same database; it notes what it logs. */
const makeProcess = (changes: Partial<ReportResultsDeps> = {}) => {
  const logged: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) })
  const { ownFailures } = makeErrorReports({
    db,
    clock,
    write: makeWrite({ db, ...testIdempotency }),
    baseUrl: () => 'https://waybill.test',
    jobs: makeJobs({ database, log }),
    retryReports: { retry: async () => [], outlook: async () => [] },
    findPeople: async () => [],
    log,
    keepDays: { succeeded: 14, resolved: 90 },
  })
  const deps: ReportResultsDeps = {
    db,
    clock,
    log,
    urlsOf: (tx, ids) => urlsOf(tx, testVault, ids),
    subjectOf: makeSubjects({
      kindOf: (scope) => (scope.startsWith('project:') ? 'project' : 'hook'),
      alertedWebhook: none,
      failedDelivery: none,
      alertedFlow: none,
      failedRun: none,
      ownerOf: none,
      addresseeOf: none,
      staffAddresseeOf: none,
      pages: { hook: String, ofApi: String },
      servicePath: 'whisperer',
    }).failedSubject,
    ownFailures,
    ...changes,
  }
  const report = makeReportResults(deps)
  return { deps, logged, report: () => report(new AbortController().signal) }
}
const one = makeProcess()

beforeEach(async () => {
  await clear()
  for (const table of ['unreportedFailures', 'errorReports', 'errorReportCounts', 'errorReportGroups'] as const)
    await db.deleteFrom(table).execute()
})

const failed = { status: 'failed', outcome: 'failed', responseStatus: 500, reason: 'http_500' } as const
const end = async (id: number, fields: object = {}): Promise<void> => {
  const claimed = await claimOne(db, clock.now(), id)
  if (claimed === undefined) throw new Error(`Delivery ${id} cannot be claimed.`)
  await finish(db, [endOf(claimed, clock.now(), fields)])
}
const make = async (count = 1): Promise<number[]> => queue(await subscribe(), count)
const reports = () =>
  db.selectFrom('errorReports').select(['actionObjectId', 'isOk', 'errorDesc', 'resolvedHow']).orderBy('id').execute()
/** Results that nobody has reported, reports of one object too many, and groups whose count is wrong. */
const wrong = async () => {
  const { rows } = await sql<{ unreported: number; doubled: number; miscounted: number }>`
    select (select count(*) from unreported_failures) as unreported,
      (select count(*) from (
        select from error_reports where not is_ok group by source, action_object_id having count(*) > 1) doubled) as doubled,
      (select count(*) from error_report_groups grp where open_count <> (
        select count(*) from error_reports where group_id = grp.id and not is_ok)) as miscounted`.execute(db)
  return rows[0]
}
const nothing = { unreported: 0, doubled: 0, miscounted: 0 }

describe('a failure and the success after it', () => {
  test('reported at once leave no report', async () => {
    const [id = 0] = await make()
    await end(id, failed)
    await end(id)
    await one.report()
    expect(await reports()).toEqual([])
    expect(await wrong()).toEqual(nothing)
  })

  test('reported one after the other leave a report that is resolved', async () => {
    const [id = 0] = await make()
    await end(id, failed)
    await one.report()
    expect(await reports()).toMatchObject([
      { actionObjectId: id, isOk: false, errorDesc: 'Delivery to http://127.0.0.1:9 failed' },
    ])
    await end(id)
    await one.report()
    expect(await reports()).toMatchObject([{ actionObjectId: id, isOk: true, resolvedHow: 'later_success' }])
    expect(await wrong()).toEqual(nothing)
  })
})

test('a process that dies after it has reported leaves either both or nothing, and the next one reports', async () => {
  const [id = 0] = await make()
  await end(id, failed)
  const dying = makeProcess()
  const broken = inTransaction(db, async (tx) => {
    const taken = await takeResults(tx, 100, clock.now())
    expect(taken).toHaveLength(1)
    await dying.deps.ownFailures.report(tx, [ownFailure(id)])
    throw new Error('the process dies')
  })
  await expect(broken).rejects.toThrow('the process dies')
  expect(await reports()).toEqual([])
  expect(await wrong()).toEqual({ ...nothing, unreported: 1 })
  await one.report()
  expect(await reports()).toMatchObject([{ actionObjectId: id, isOk: false }])
  expect(await wrong()).toEqual(nothing)
})

test('two processes at once report each result once, more than fit into one transaction', async () => {
  const ids = await make(230)
  for (const id of ids) await end(id, failed)
  const other = makeProcess()
  await Promise.all([one.report(), other.report()])
  await one.report()
  expect((await reports()).map(({ actionObjectId }) => actionObjectId).toSorted((a, b) => a - b)).toEqual(ids)
  expect(await wrong()).toEqual(nothing)
  expect([...one.logged, ...other.logged]).toEqual([])
})

describe('a result that cannot be reported', () => {
  const makeBroken = (isBroken: (id: number) => boolean) =>
    makeProcess({
      subjectOf: async (tx, delivery) => {
        if (isBroken(delivery.id)) throw new Error('odd')
        return one.deps.subjectOf(tx, delivery)
      },
    })
  const reported = async () => (await reports()).map(({ actionObjectId }) => actionObjectId)

  test('is postponed, again and again, while the others are reported; later results of its delivery wait for it', async () => {
    const [first = 0, odd = 0, last = 0] = await make(3)
    for (const id of [first, odd, last]) await end(id, failed)
    const broken = makeBroken((id) => id === odd)
    await broken.report()
    expect([await reported(), broken.logged]).toEqual([
      [first, last],
      ['failures.batch_failed', 'failures.not_reported'],
    ])
    clock.advance(1_000)
    await broken.report()
    expect(broken.logged).toHaveLength(4)
    await end(odd)
    clock.advance(1_000)
    await one.report()
    expect(await wrong()).toEqual({ ...nothing, unreported: 2 })

    clock.advance(1_000)
    await one.report()
    expect([await reported(), await wrong()]).toEqual([[first, last], nothing])
  })

  test('is reported once that can be done, however long that took', async () => {
    const ids = await make(7)
    for (const id of ids) await end(id, failed)
    const broken = makeBroken(() => true)
    for (let look = 0; look < 20; look++) {
      await broken.report()
      clock.advance(400_000)
    }
    expect(await wrong()).toEqual({ ...nothing, unreported: 7 })
    await one.report()
    expect([(await reported()).toSorted((a, b) => a - b), await wrong()]).toEqual([ids, nothing])
  })
})

test('a delivery that is not kept any more leaves no report and delays no other', async () => {
  const [gone = 0, kept = 0] = await make(2)
  await end(gone, failed)
  await end(kept, failed)
  await db.deleteFrom('deliveries').where('id', '=', gone).execute()
  await one.report()
  expect(await reports()).toMatchObject([{ actionObjectId: kept }])
  expect(await wrong()).toEqual(nothing)
})

const ownFailure = (actionObjectId: number) => ({
  source: 'delivery' as const,
  actionObjectId,
  actionContentType: 29,
  action: { label: 'Delivery', path: null },
  targetContentType: null,
  targetObjectId: null,
  target: null,
  at: clock.now(),
  errorCode: 'http_500',
  errorDesc: 'Delivery failed',
  rawRequest: null,
  rawResponse: null,
})
