import { pino } from 'pino'
import { Histogram } from 'prom-client'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { JobDefinition, JobOutcome } from '#platform/jobs/job.ts'
import type { ObjectStore } from '#platform/storage/object-store.ts'
import { makeS3Store } from '#platform/storage/s3-store.ts'
import { makeApprovedQuotations } from '#testing/data/make-approved-quotations.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeTestDirectory, openTestStore } from '#testing/open-test-store.ts'
import { startS3Server } from '#testing/network/s3-server.ts'
import { makeExportFiles } from '../../../compose/export-files.ts'
import type { ExportFailure } from '#failures/export-failures.ts'
import { defineExportJob } from './export-job.ts'
import { findExport, insertExport } from './store.ts'

// What becomes of an export whose tries fail, told to its user and in its report: nothing of what the database or the store said.

const database = await openTestDatabase()
const { db } = database
const { settings } = await startS3Server()
const directory = await makeTestDirectory()
beforeAll(() => makeApprovedQuotations(db).quotation())

const reported: ExportFailure[] = []
beforeEach(() => {
  reported.length = 0
})
const failures = {
  report: async (_tx: unknown, failure: ExportFailure) => void reported.push(failure),
  resolve: async () => undefined,
}

/** The job, as it was defined: run here by hand, as its waits between two tries would take minutes. */
const jobOver = (store: ObjectStore, unfinished = directory) => {
  type Definition = Required<Pick<JobDefinition<never>, 'handler' | 'onFailed'>>
  let defined: Definition | undefined
  const jobs = {
    define: (definition: unknown) => {
      defined = definition as Definition
      return { enqueue: async () => undefined }
    },
  } as unknown as Pick<Jobs, 'define'>
  const files = makeExportFiles(store, unfinished)
  const expireDue = async () => undefined
  const log = pino({ level: 'silent' })
  const seconds = new Histogram({ name: 'seconds', help: 'Not looked at.', labelNames: ['format'], registers: [] })
  defineExportJob({ database, clock: systemClock, log, jobs, files, failures, seconds, expireDue })
  if (defined === undefined) throw new Error('No job was defined.')
  return defined as unknown as {
    handler: (data: { export: number }, run: { signal: AbortSignal }) => Promise<JobOutcome>
    onFailed: (data: { export: number }, failure: { id: string; reason: string }) => Promise<void>
  }
}

const ask = async (): Promise<number> => {
  const now = new Date()
  const { rows } = await sql<{ id: number }>`select id from users limit 1`.execute(db)
  const request = {
    userId: rows[0]?.id ?? 0,
    quotationId: null,
    format: 'csv',
    fields: ['id', 'order_status'],
    query: {},
  } as const
  const made = {
    cacheKey: `key-${now.getTime()}-${Math.random()}`,
    createdAt: now,
    expiresAt: new Date(now.getTime() + 60_000),
  }
  return db.transaction().execute(async (tx) => (await insertExport(tx, request, made)).id)
}

/** What its user and its report say, and what it is for the log, after two tries that failed. */
const failTwice = async (store: ObjectStore, unfinished?: string) => {
  const job = jobOver(store, unfinished)
  const id = await ask()
  const run = { signal: new AbortController().signal }
  let error = new Error('It worked.')
  for (let attempt = 1; attempt <= 2; attempt++)
    await job.handler({ export: id }, run).catch((thrown: unknown) => (error = thrown as Error))
  await job.onFailed({ export: id }, { id: 'job', reason: String(error) })
  const { status, error: told } = (await findExport(db, id)) ?? {}
  expect(reported).toMatchObject([{ exportId: id, errorDesc: told }])
  expect(JSON.stringify(reported)).not.toContain(error.message)
  return { status, told, cause: error.message }
}

const told = 'The file could not be made. The log of the server says why.'

test('a database that refuses is told in a sentence, and its words are for the log', async () => {
  const store = await openTestStore()
  await sql`alter table quotation_orders rename column status to gone`.execute(db)
  const failed = await failTwice(store)
  await sql`alter table quotation_orders rename column gone to status`.execute(db)
  expect(failed).toEqual({
    status: 'failed',
    told,
    cause: expect.stringContaining('does not exist'),
  })
})

test('so is a wrong secret of a bucket', async () => {
  expect(await failTwice(makeS3Store({ ...settings, secretAccessKey: 'wrong' }))).toEqual({
    status: 'failed',
    told,
    cause: expect.stringMatching(/^S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID/),
  })
})

test('so is a disk that takes no file', async () => {
  expect(await failTwice(await openTestStore(), '/dev/null/exports')).toEqual({
    status: 'failed',
    told,
    cause: expect.stringContaining('/dev/null'),
  })
})

test('a process that died in the middle is not said to be anything else', async () => {
  const job = jobOver(await openTestStore())
  const id = await ask()
  await job.onFailed({ export: id }, { id: 'job', reason: 'job timed out at 10.0.0.7' })
  expect(await findExport(db, id)).toMatchObject({
    status: 'failed',
    error: told,
  })
})

test('what has failed once works once nothing is in its way', async () => {
  const id = await ask()
  const run = { signal: new AbortController().signal }
  const failing = jobOver(makeS3Store({ ...settings, secretAccessKey: 'wrong' }))
  await expect(failing.handler({ export: id }, run)).rejects.toThrow('S3_SECRET_ACCESS_KEY')
  await jobOver(makeS3Store(settings)).handler({ export: id }, run)
  expect(await findExport(db, id)).toMatchObject({ status: 'completed', error: null, attempt: 2 })
})
