import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { Type } from 'typebox'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { eventually } from '#testing/eventually.ts'
import { makeKeptLog } from '#testing/kept-log.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { bossDatabase, bossSchema } from './boss.ts'
import { makeJobs, type Jobs, type JobsOptions } from './jobs.ts'
import type { Job, JobDefinition, JobFailure, JobRun } from './job.ts'

const database = await openTestDatabase()
const { db } = database
const { log, linesOf } = makeKeptLog()

const Note = Type.Object({ text: Type.String() })
type Definition = JobDefinition<typeof Note>

const running: Jobs[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((jobs) => jobs.worker.stop()))
})

/** Jobs of one kind, run in this process, with what happened to them. */
const makeWorker = async (
  definition: Pick<Definition, 'name'> & Partial<Definition>,
  options: Partial<JobsOptions> = {},
) => {
  const runs: (JobRun & { readonly at: number })[] = []
  const failures: (JobFailure & { readonly text: string })[] = []
  const jobs = makeJobs({ database, log, pollSeconds: 0.5, ...options })
  const notes = jobs.define({
    data: Note,
    firstDelaySeconds: 1,
    onFailed: async (data, failure) => {
      failures.push({ ...data, ...failure })
    },
    ...definition,
    handler: async (data, run) => {
      runs.push({ ...run, at: Date.now() })
      return definition.handler?.(data, run)
    },
  })
  await jobs.prepare()
  return {
    jobs,
    notes,
    runs,
    failures,
    start: async () => {
      running.push(jobs)
      await jobs.worker.start()
    },
  }
}
const enqueue = (notes: Job<{ text: string }>, note = 'note'): Promise<void> =>
  inTransaction(db, (tx) => notes.enqueue(tx, { text: note }))
const stateOf = async (name: string): Promise<unknown> => {
  const { rows } = await sql<{ state: string }>`select state from jobs.job where name = ${name}`.execute(db)
  return rows.map(({ state }) => state).join()
}
const refuse = async (): Promise<never> => {
  throw new Error('no luck')
}

describe('a job whose handler throws', () => {
  test('is tried again, each time after a longer wait, and then has failed: visibly, and told once', async () => {
    const { notes, runs, failures, start } = await makeWorker({ name: 'hopeless', attempts: 3, handler: refuse })
    await start()
    await enqueue(notes)
    await vi.waitFor(() => expect(failures).toHaveLength(1), { timeout: 20_000 })

    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1)
    const [first = 0, second = 0, third = 0] = runs.map(({ at }) => at)
    expect(second - first).toBeGreaterThan(950)
    expect(third - second).toBeGreaterThan(1_950)
    expect(failures).toEqual([{ text: 'note', id: runs[0]?.id, reason: 'no luck' }])
    expect(await stateOf('hopeless')).toBe('failed')
    expect(linesOf('job.failed')).toMatchObject([{ job: 'hopeless', id: runs[0]?.id, attempts: 3, reason: 'no luck' }])
    expect(linesOf('job.attempt_failed')).toMatchObject([{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }])
  })

  test('completes when a later attempt succeeds', async () => {
    const handler = async (_: unknown, { attempt }: JobRun) => (attempt < 2 ? refuse() : undefined)
    const registry = new Registry()
    const { notes, runs, failures, start } = await makeWorker({ name: 'second-time-lucky', handler }, { registry })
    await start()
    await enqueue(notes)
    await eventually(async () => expect(await stateOf('second-time-lucky')).toBe('completed'))
    expect(runs).toHaveLength(2)
    expect(failures).toEqual([])
    const metrics = await registry.metrics()
    for (const outcome of ['done', 'failed'])
      expect(metrics).toContain(`waybill_job_seconds_count{queue="second-time-lucky",outcome="${outcome}"} 1\n`)
    expect(metrics).toContain('waybill_jobs_failed_total{queue="second-time-lucky"} 0\n')
  })
})

describe('a job that cannot succeed', () => {
  test('is given up at once by its handler', async () => {
    const handler = async () => ({ giveUp: 'nobody lives there' })
    const registry = new Registry()
    const { notes, runs, failures, start } = await makeWorker({ name: 'given-up', handler }, { registry })
    await start()
    await enqueue(notes)
    await eventually(() => expect(failures).toMatchObject([{ reason: 'nobody lives there' }]))
    expect(runs).toHaveLength(1)
    expect(await stateOf('given-up')).toBe('failed')
    expect(await registry.metrics()).toContain('waybill_jobs_failed_total{queue="given-up"} 1\n')
  })

  test('because its data is from another version, fails without being run', async () => {
    const { notes, runs, start } = await makeWorker({ name: 'old-data' })
    await enqueue(notes)
    await sql`update jobs.job set data = jsonb_set(data, '{data}', '{"words": 1}') where name = 'old-data'`.execute(db)
    await start()
    await eventually(async () => expect(await stateOf('old-data')).toBe('failed'))
    expect(runs).toEqual([])
  })
})

describe('telling of a failure', () => {
  test('is tried again until it was told', async () => {
    const told: unknown[] = []
    const onFailed = async (data: unknown, failure: JobFailure): Promise<void> => {
      told.push({ data, ...failure })
      if (told.length === 1) throw new Error('not now')
    }
    const handler = async () => ({ giveUp: 'hard to tell' })
    const { notes, start } = await makeWorker({ name: 'hard-to-tell', handler, onFailed })
    await start()
    await enqueue(notes)
    await vi.waitFor(() => expect(told).toHaveLength(2), { timeout: 20_000 })
    expect(told[1]).toEqual({ data: { text: 'note' }, id: expect.any(String), reason: 'hard to tell' })
    expect(told[1]).toEqual(told[0])
    expect(linesOf('job.failed').filter(({ job }) => job === 'hard-to-tell')).toHaveLength(1)
  })
})

describe('a handler that does not come back', () => {
  const forever = (): Promise<never> => new Promise(() => undefined)

  test('is out of time: its signal is aborted and the job tried again', async () => {
    const handler = async (_: unknown, { attempt }: JobRun) => (attempt === 1 ? forever() : undefined)
    const { notes, runs, start } = await makeWorker({ name: 'endless', timeoutSeconds: 1, handler })
    await start()
    await enqueue(notes)
    await eventually(async () => expect(await stateOf('endless')).toBe('completed'))
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2])
    expect(runs[0]?.signal.aborted).toBe(true)
  })

  test('is waited for when the process stops, as long as it ends in time', async () => {
    const handler = async () => {
      await sleep(500)
      return undefined
    }
    const { notes, runs, jobs, start } = await makeWorker({ name: 'nearly-done', handler })
    await start()
    await enqueue(notes)
    await eventually(() => expect(runs).toHaveLength(1))
    await jobs.worker.stop()
    expect(await stateOf('nearly-done')).toBe('completed')
  })

  test('is cut off when the process stops, and its job is run again by another', async () => {
    const stopping = await makeWorker({ name: 'cut-off', handler: forever }, { drainMs: 300 })
    await stopping.start()
    await enqueue(stopping.notes)
    await eventually(() => expect(stopping.runs).toHaveLength(1))
    await stopping.jobs.worker.stop()
    expect(stopping.runs[0]?.signal.aborted).toBe(true)

    const next = await makeWorker({ name: 'cut-off' })
    await next.start()
    await eventually(() => expect(next.runs).toMatchObject([{ attempt: 2 }]))
  })
})

describe('a job whose process died', () => {
  /** Takes the job as a process would that was killed a minute ago: nobody says any more that it runs. */
  const takeAndDie = async (name: string): Promise<void> => {
    const boss = new PgBoss({ db: bossDatabase(db), schema: bossSchema, supervise: false, schedule: false })
    expect(await boss.fetch(name)).toHaveLength(1)
    await sql`update jobs.job set heartbeat_on = now() - interval '1 minute' where name = ${name}`.execute(db)
  }

  test('is run again by another, and has failed when that was its last attempt', async () => {
    const last = await makeWorker({ name: 'last-chance', attempts: 1 })
    const again = await makeWorker({ name: 'orphan' })
    await enqueue(again.notes)
    await enqueue(last.notes)
    await takeAndDie('orphan')
    await takeAndDie('last-chance')
    await again.start()
    await eventually(() => expect(again.runs).toMatchObject([{ attempt: 2 }]))
    await again.jobs.worker.stop()

    // The one that had this attempt only: the process that looked did not know of it, and left it to who does.
    await last.start()
    await vi.waitFor(() => expect(last.failures).toHaveLength(1), { timeout: 20_000 })
    expect(last.failures[0]).toMatchObject({ text: 'note', reason: 'job heartbeat timeout' })
    expect(last.runs).toEqual([])
  })
})

test('nothing went wrong inside pg-boss', () => {
  expect(linesOf('jobs.error')).toEqual([])
})
