import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, test, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeJobs } from '#platform/jobs/jobs.ts'
import { eventually } from '#testing/eventually.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import type { OwnFailure } from '#failures/own-failure.ts'
import { openReports as reports } from '../reports/open-reports-store.ts'
import { makeOwnFailures } from '../reports/own-failures.ts'
import { makeActOnAll } from './act-on-all.ts'
import { assignGroups } from './assign-groups.ts'
import { currentAlgorithm, type NewFailure } from './fingerprint.ts'
import type { RetryContext, RetryReports } from '#failures/retry-report.ts'
import { changeOpenCounts, findGroup } from './store.ts'

const database = await openTestDatabase()
const { db } = database

const failure = (errorDesc: string, fields: Partial<NewFailure> = {}): NewFailure => ({
  channelId: null,
  actionContentType: 12,
  errorCode: 'custom',
  errorDesc,
  rawResponse: null,
  objModifiedDate: new Date(),
  isOk: false,
  createdAt: new Date(),
  ...fields,
})
const assign = (...args: [readonly NewFailure[], typeof currentAlgorithm?]) =>
  inTransaction(db, (tx) => assignGroups(tx, ...args))
const countsOf = async (id: number | null | undefined) => {
  const { count, openCount } = (await findGroup(db, id ?? 0)) ?? {}
  return { count, openCount }
}

describe('groups of new reports', () => {
  test('are assigned to any number at once; none for what is ok', async () => {
    const [one, other, again, ok] = await assign([
      failure('one'),
      failure('other'),
      failure('one'),
      failure('one', { isOk: true }),
    ])
    expect(again).toBe(one)
    expect(other).not.toBe(one)
    expect(ok).toBeNull()
    expect(await countsOf(one)).toEqual({ count: 2, openCount: 2 })
  })

  test('are counted right when many come at once in different orders', async () => {
    const causes = ['alpha', 'beta', 'gamma', 'delta', 'epsilon']
    const rounds = Array.from({ length: 20 }, (_, round) =>
      assign([...causes.slice(round % 5), ...causes.slice(0, round % 5)].map((cause) => failure(cause))),
    )
    const ids = (await Promise.all(rounds)).flat()
    const groups = [...new Set(ids)]
    expect(groups).toHaveLength(5)
    expect(await Promise.all(groups.map(countsOf))).toEqual(groups.map(() => ({ count: 20, openCount: 20 })))
  })

  test('of a newer algorithm are its own, and those of the older one stay as they are', async () => {
    const [old] = await assign([failure('upgrade', { errorCode: 'a' })])
    const version = currentAlgorithm.version + 1
    const newer = { version, partsOf: ({ errorDesc }: NewFailure) => ({ key: errorDesc, codePattern: 'any' }) }
    const [first, second] = await assign(
      [failure('upgrade', { errorCode: 'a' }), failure('upgrade', { errorCode: 'b' })],
      newer,
    )
    expect(first).toBe(second)
    expect(first).not.toBe(old)
    expect(await countsOf(old)).toEqual({ count: 1, openCount: 1 })
    expect(await findGroup(db, first ?? 0)).toMatchObject({ algorithm: version, count: 2, codePattern: 'any' })
  })

  test('keep their counts when reports are resolved at the same time', async () => {
    const [id] = await assign(Array.from({ length: 10 }, () => failure('both')))
    const close = () => inTransaction(db, (tx) => changeOpenCounts(tx, new Map([[id ?? 0, -1]]), new Date()))
    await Promise.all([
      ...Array.from({ length: 10 }, close),
      ...Array.from({ length: 10 }, () => assign([failure('both')])),
    ])
    expect(await countsOf(id)).toEqual({ count: 20, openCount: 10 })
  })
})

const ownFailures = makeOwnFailures({ clock: systemClock })

/** A failure of our own; all of them have one cause. */
const ownFailure = (actionObjectId: number): OwnFailure => ({
  source: 'delivery',
  actionObjectId,
  actionContentType: 29,
  action: { label: `Delivery ${actionObjectId}`, path: null },
  targetContentType: null,
  targetObjectId: null,
  target: null,
  at: new Date(),
  errorCode: 'http_500',
  errorDesc: 'Delivery failed',
  rawRequest: null,
  rawResponse: null,
})
const reportMany = (from: number, to: number) =>
  inTransaction(db, (tx) =>
    ownFailures.report(
      tx,
      Array.from({ length: to - from + 1 }, (_, index) => ownFailure(from + index)),
    ),
  )
const stored = () =>
  db.selectFrom('errorReports').select(['actionObjectId', 'isOk', 'retryCount', 'lastRetryBy']).orderBy('id').execute()

test('groups of an older algorithm keep their reports, and are resolved with them', async () => {
  await reportMany(1, 2)
  const before = await db.selectFrom('errorReports').select(['id', 'groupId', 'actionObjectId']).orderBy('id').execute()
  const old = before[0]?.groupId ?? 0
  // What was stored by an earlier version of this server.
  await db.updateTable('errorReportGroups').set({ algorithm: 1 }).where('id', '=', old).execute()
  await reportMany(3, 3)
  const after = await db.selectFrom('errorReports').select(['id', 'groupId', 'actionObjectId']).orderBy('id').execute()
  expect(after.slice(0, 2)).toEqual(before)
  expect(await findGroup(db, after[2]?.groupId ?? 0)).toMatchObject({
    algorithm: currentAlgorithm.version,
    count: 1,
    openCount: 1,
  })
  expect(await findGroup(db, old)).toMatchObject({ algorithm: 1, count: 2, openCount: 2, state: 'open' })
  const sources = [1, 2, 3].map((actionObjectId) => ({ source: 'delivery', actionObjectId }) as const)
  await inTransaction(db, (tx) => ownFailures.resolve(tx, sources))
  expect(await findGroup(db, old)).toMatchObject({ count: 2, openCount: 0, state: 'resolved' })
  await db.deleteFrom('errorReports').execute()
  await db.deleteFrom('errorReportGroups').execute()
})

test('more than a request may hold are worked on by a job, in steps, and only those that were there', async () => {
  const jobs = makeJobs({ database, log: pino({ level: 'silent' }), pollSeconds: 0.5 })
  const asked: number[] = []
  const steps: number[] = []
  const askedBy: RetryContext[] = []
  const actOnAll = makeActOnAll({
    db,
    clock: systemClock,
    jobs,
    reports,
    retryReports: {
      retry: async (_tx, some, context) => {
        steps.push(some.length)
        asked.push(...some.map(({ actionObjectId }) => actionObjectId))
        askedBy.push(context)
        return some.map(({ actionObjectId }) => (actionObjectId % 2 === 0 ? 'started' : 'off'))
      },
      outlook: async () => [],
    },
    findPeople,
    maxResolvedAtOnce: 20,
    maxRetriedAtOnce: 20,
    step: 10,
  })
  await jobs.prepare()
  await reportMany(1, 25)
  const { groupId } = await db.selectFrom('errorReports').select('groupId').limit(1).executeTakeFirstOrThrow()
  const id = groupId ?? 0
  const by = await newUser()
  const inProgress = { status: 'in_progress', total: 25 }
  const context: RetryContext = {
    principal: { userId: by, isStaff: true, isSuperuser: false, scopes: ['error-reports:write'] },
    requestId: 'r1',
  }
  expect(await inTransaction(db, (tx) => actOnAll.retry(tx, id, context))).toEqual({
    ...inProgress,
    started: 0,
    not_retryable: 0,
    not_allowed: 0,
  })
  await reportMany(26, 26)
  await jobs.worker.start()
  try {
    const mostObjects = Array.from({ length: 25 }, (_, index) => index + 1)
    await eventually(() => expect(asked).toEqual(mostObjects))
    await vi.waitFor(
      async () => expect((await stored()).filter((one) => one.lastRetryBy === by)).toHaveLength(12),
      10_000,
    )
    expect(steps).toEqual([10, 10, 5])
    expect(askedBy).toEqual([context, context, context])
    expect((await stored()).filter((one) => one.retryCount > 0).map((one) => one.actionObjectId % 2)).toEqual(
      Array.from({ length: 12 }, () => 0),
    )

    expect(await countsOf(id)).toEqual({ count: 26, openCount: 26 })
    expect(await inTransaction(db, (tx) => actOnAll.resolve(tx, id, by))).toEqual({
      ...inProgress,
      total: 26,
      undo: expect.any(Number),
      resolved: 0,
    })
    await reportMany(27, 27)
    await vi.waitFor(
      async () => expect((await stored()).filter(({ isOk }) => !isOk).map((one) => one.actionObjectId)).toEqual([27]),
      { timeout: 10_000 },
    )
    expect(await countsOf(id)).toEqual({ count: 27, openCount: 1 })
  } finally {
    await jobs.worker.stop()
  }
})

/** 25 open reports of one group, and a job that has all of them tried again, ten at a time, by whatever `retry` is. */
const retryAllBy = async (principal: Partial<RetryContext['principal']>, retry: RetryReports['retry']) => {
  await db.deleteFrom('errorReports').execute()
  await db.deleteFrom('errorReportGroups').execute()
  const jobs = makeJobs({ database, log: pino({ level: 'silent' }), pollSeconds: 0.5 })
  const retryReports: RetryReports = { retry, outlook: async (_db, some) => some.map(() => 'possible') }
  const limits = { maxResolvedAtOnce: 20, maxRetriedAtOnce: 20, step: 10 }
  const actOnAll = makeActOnAll({ db, clock: systemClock, jobs, reports, retryReports, findPeople, ...limits })
  await jobs.prepare()
  await reportMany(1, 25)
  const { groupId } = await db.selectFrom('errorReports').select('groupId').limit(1).executeTakeFirstOrThrow()
  const context: RetryContext = {
    principal: { userId: await newUser(), isStaff: true, isSuperuser: false, scopes: null, ...principal },
    requestId: 'r1',
  }
  await inTransaction(db, (tx) => actOnAll.retry(tx, groupId ?? 0, context))
  return jobs.worker
}
const objectIds = (most: number): number[] => Array.from({ length: most }, (_, index) => index + 1)

test.each([
  ['who is not staff any more', 'is_staff = false'],
  ['who may not log in any more', 'is_active = false'],
])('nothing more is tried again for somebody %s', async (_, change) => {
  const retried: number[] = []
  // A superuser when it was asked for, and staff alone when it is done.
  const worker = await retryAllBy({ isSuperuser: true }, async (tx, some, { principal }) => {
    retried.push(...some.map(({ actionObjectId }) => actionObjectId))
    expect(principal).toMatchObject({ isStaff: true, isSuperuser: false })
    await sql`update users set ${sql.raw(change)} where id = ${principal.userId}`.execute(tx)
    return some.map(() => 'started')
  })
  await worker.start()
  try {
    const lastState = async () => {
      const { rows } = await sql<{ state: string }>`
        select state from jobs.job where name = 'error-report-groups.retry-all'
        order by created_on desc limit 1`.execute(db)
      return rows[0]?.state
    }
    await vi.waitFor(async () => expect(await lastState()).toBe('completed'), 10_000)
    expect(retried).toEqual(objectIds(10))
    expect((await stored()).filter(({ retryCount }) => retryCount === 1)).toHaveLength(10)
  } finally {
    await worker.stop()
  }
})

test('what was tried again is not once more by a job that starts again after its process died', async () => {
  const retried: number[] = []
  let isDying = true
  const worker = await retryAllBy({}, async (_tx, some) => {
    if (isDying && retried.length === 20) {
      isDying = false
      throw new Error('The process died here.')
    }
    retried.push(...some.map(({ actionObjectId }) => actionObjectId))
    return some.map(() => 'started')
  })
  await worker.start()
  try {
    await vi.waitFor(() => expect(isDying).toBe(false), 10_000)
    // Jobs that failed wait a while before they start again.
    await vi.waitFor(async () => {
      await sql`update jobs.job set start_after = now() where state = 'retry'`.execute(db)
      expect((await stored()).filter(({ retryCount }) => retryCount === 1)).toHaveLength(25)
    }, 10_000)
    expect(retried).toEqual(objectIds(25))
  } finally {
    await worker.stop()
  }
})

let users = 0
/** Somebody of the back office, by whom something is done. */
const newUser = async (): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into users (email, password_hash, is_staff, created_at, modified_at)
    values (${`by-${(users += 1)}@example.com`}, 'x', true, now(), now())
    returning id`.execute(db)
  return rows[0]?.id ?? 0
}

const findPeople = async (tx: Db | Tx, ids: readonly number[]) =>
  tx.selectFrom('users').select(['id', 'isActive', 'isStaff', 'isSuperuser']).where('id', 'in', ids).execute()
