import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, test, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeJobs } from '#platform/jobs/jobs.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import type { OpenReport, OpenReports } from '../open-reports.ts'
import { makeActOnAll } from './act-on-all.ts'
import { assignGroups } from './assign-groups.ts'
import type { currentAlgorithm } from './fingerprint.ts'
import type { NewFailure } from './new-failure.ts'
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
    const newer = { version: 2, partsOf: ({ errorDesc }: NewFailure) => ({ key: errorDesc, codePattern: 'any' }) }
    const [first, second] = await assign(
      [failure('upgrade', { errorCode: 'a' }), failure('upgrade', { errorCode: 'b' })],
      newer,
    )
    expect(first).toBe(second)
    expect(first).not.toBe(old)
    expect(await countsOf(old)).toEqual({ count: 1, openCount: 1 })
    expect(await findGroup(db, first ?? 0)).toMatchObject({ algorithm: 2, count: 2, codePattern: 'any' })
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

/** Open reports of one group, as the slice of reports would have them. */
const openReports = (howMany: number): OpenReports & { readonly open: OpenReport[] } => {
  const open = Array.from({ length: howMany }, (_, index): OpenReport => ({
    id: index + 1,
    channelId: null,
    actionContentType: 12,
    actionObjectId: 1,
    retry: index % 2 === 0 ? { again: true } : null,
  }))
  return {
    open,
    count: async () => ({ count: open.length, newestId: open.at(-1)?.id ?? 0 }),
    list: async (_db, _of, { afterId, upToId, limit }) =>
      open.filter(({ id }) => id > afterId && id <= upToId).slice(0, limit),
    resolve: async (_tx, _of, _resolution, { upToId, limit }) =>
      open.splice(0, Math.min(limit, open.filter(({ id }) => id <= upToId).length)).length,
  }
}

test('more than a request may hold are worked on by a job, in steps, and only those that were there', async () => {
  const jobs = makeJobs({ database, log: pino({ level: 'silent' }), pollSeconds: 0.5 })
  const reports = openReports(25)
  const retried: number[] = []
  const actOnAll = makeActOnAll({
    db,
    clock: systemClock,
    jobs,
    reports,
    retryReport: async (_tx, { id, retry }) => {
      if (retry === null) return 'not_retryable'
      retried.push(id)
      return 'started'
    },
    mostAtOnce: 20,
    step: 10,
  })
  await jobs.prepare()
  const [id = 0] = (await assign([failure('many')])).map(Number)
  const by = await newUser()
  expect(await inTransaction(db, (tx) => actOnAll.retry(tx, id))).toEqual({
    status: 'in_progress',
    total: 25,
    started: 0,
    not_retryable: 0,
  })
  expect(await inTransaction(db, (tx) => actOnAll.resolve(tx, id, by))).toEqual({
    status: 'in_progress',
    total: 25,
    resolved: 0,
  })
  reports.open.push({ id: 26, channelId: null, actionContentType: 12, actionObjectId: 1, retry: null })
  expect(await findGroup(db, id)).toMatchObject({ state: 'resolved', resolvedBy: by })
  await jobs.worker.start()
  try {
    await vi.waitFor(() => expect(reports.open.map((report) => report.id)).toEqual([26]), { timeout: 10_000 })
  } finally {
    await jobs.worker.stop()
  }
})

/** A user, by whom something is done. */
const newUser = async (): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into users (email, password_hash, created_at, modified_at) values ('by@example.com', 'x', now(), now())
    returning id`.execute(db)
  return rows[0]?.id ?? 0
}
