import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { afterEach, describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { eventually } from '#testing/eventually.ts'
import { makeKeptLog } from '#testing/kept-log.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { bossDatabase } from './boss.ts'
import { makeJobs, type Jobs, type JobsOptions } from './jobs.ts'
import type { EnqueueOptions, Job } from './job.ts'

const database = await openTestDatabase()
const { db } = database
const { log, linesOf } = makeKeptLog()
const pollSeconds = 0.5
/** Long enough for a job to have been seen by every worker. */
const twoLooks = 2 * pollSeconds * 1000 + 200

const Note = Type.Object({ text: Type.String() })
type Notes = Job<{ text: string }>

const running: Jobs[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((jobs) => jobs.worker.stop()))
})

let kinds = 0
/** A process of its own, as far as jobs go: what it enqueues and runs are notes, of a kind that others can share by its name. */
const makeProcess = async (name = `note-${++kinds}`, options: Partial<JobsOptions> & { concurrency?: number } = {}) => {
  const { concurrency = 1, ...rest } = options
  const ran: string[] = []
  const jobs = makeJobs({ database, log, pollSeconds, ...rest })
  const notes: Notes = jobs.define({
    name,
    data: Note,
    concurrency,
    handler: async ({ text }) => {
      ran.push(text)
    },
  })
  await jobs.prepare()
  return { name, jobs, notes, ran }
}
const work = async (jobs: Jobs): Promise<void> => {
  running.push(jobs)
  await jobs.worker.start()
}
const enqueue = (notes: Notes, text: string, options?: EnqueueOptions): Promise<void> =>
  inTransaction(db, (tx) => notes.enqueue(tx, { text }, options))
const stored = async (name: string) => {
  const { rows } = await sql<{ state: string; data: unknown }>`
    select state, data from jobs.job where name = ${name} order by created_on`.execute(db)
  return rows
}

describe('enqueueing a job', () => {
  test('is refused before the tables are there, rather than waiting for its own transaction', async () => {
    const jobs = makeJobs({ database, log })
    const notes = jobs.define({ name: 'too-early', data: Note, handler: async () => undefined })
    await expect(enqueue(notes, 'x')).rejects.toThrow(/after prepare/)
  })

  test('works in a transaction as the first thing after the start, also by several processes at once', async () => {
    const processes = await Promise.all([1, 2, 3, 4].map(() => makeProcess('first-act')))
    await Promise.all(processes.map(({ notes }, index) => enqueue(notes, String(index))))
    expect(await stored('first-act')).toHaveLength(4)
    expect(linesOf('jobs.error')).toEqual([])
  })

  test('makes it run once, although two processes look for it', async () => {
    const one = await makeProcess()
    const other = await makeProcess(one.name)
    await Promise.all([work(one.jobs), work(other.jobs)])
    await enqueue(one.notes, 'hello')
    await eventually(async () => expect(await stored(one.name)).toMatchObject([{ state: 'completed' }]))
    await sleep(twoLooks)
    expect([...one.ran, ...other.ran]).toEqual(['hello'])
  })

  test('in a transaction that rolls back makes nothing run', async () => {
    const { name, jobs, notes, ran } = await makeProcess()
    await work(jobs)
    const change = inTransaction(db, async (tx) => {
      await notes.enqueue(tx, { text: 'never' })
      throw new Error('changed my mind')
    })
    await expect(change).rejects.toThrow('changed my mind')
    await sleep(twoLooks)
    expect(ran).toEqual([])
    expect(await stored(name)).toEqual([])
  })

  test('wakes the workers of this process after the commit: they do not wait until they look', async () => {
    const { jobs, notes, ran } = await makeProcess(undefined, { pollSeconds: 60 })
    await work(jobs)
    await sleep(200)
    await enqueue(notes, 'now')
    await eventually(() => expect(ran).toEqual(['now']))
  })

  test('in a process that runs none leaves it to one that does', async () => {
    const { name, notes, ran } = await makeProcess()
    const worker = await makeProcess(name)
    await work(worker.jobs)
    await enqueue(notes, 'over there')
    await eventually(() => expect(worker.ran).toEqual(['over there']))
    expect(ran).toEqual([])
  })

  test('with data that is not what the definition says is a mistake of the caller', async () => {
    const { name, notes } = await makeProcess()
    await expect(enqueue(notes, 7 as never)).rejects.toThrow(/text must be string/)
    expect(await stored(name)).toEqual([])
  })
})

describe('a singleton key', () => {
  test('folds jobs that wait into one, with the newest data', async () => {
    const { name, jobs, notes, ran } = await makeProcess()
    await enqueue(notes, 'old', { singletonKey: 'k' })
    await enqueue(notes, 'new', { singletonKey: 'k' })
    await enqueue(notes, 'another', { singletonKey: 'l' })
    await enqueue(notes, 'without')
    await enqueue(notes, 'without')
    expect(await stored(name)).toHaveLength(4)
    await work(jobs)
    await eventually(() => expect(ran).toHaveLength(4))
    expect(ran.toSorted()).toEqual(['another', 'new', 'without', 'without'])
  })

  test('does not fold into a job that runs: that one has read what was before', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const ran: string[] = []
    const jobs = makeJobs({ database, log, pollSeconds })
    const notes = jobs.define({
      name: 'slow-note',
      data: Note,
      handler: async ({ text }) => {
        ran.push(text)
        await gate
      },
    })
    await jobs.prepare()
    await work(jobs)
    await enqueue(notes, 'first', { singletonKey: 'k' })
    await eventually(() => expect(ran).toEqual(['first']))
    await enqueue(notes, 'second', { singletonKey: 'k' })
    open()
    await eventually(() => expect(ran).toEqual(['first', 'second']))
  })

  test('keeps the job that waits from starting before the transaction that folded into it has committed', async () => {
    const { jobs, notes, ran } = await makeProcess()
    await enqueue(notes, 'before', { singletonKey: 'k' })
    const folded = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const change = inTransaction(db, async (tx) => {
      await notes.enqueue(tx, { text: 'after' }, { singletonKey: 'k' })
      folded.resolve()
      await gate.promise
    })
    await folded.promise
    const started = work(jobs)
    await sleep(twoLooks)
    expect(ran).toEqual([])
    gate.resolve()
    await Promise.all([change, started])
    await eventually(() => expect(ran).toEqual(['after']))
  })
})

describe('many jobs', () => {
  test('enqueued by twenty callers at once run once each, and soon', async () => {
    const { jobs, notes, ran } = await makeProcess(undefined, { concurrency: 4 })
    await work(jobs)
    const caller = async (number: number): Promise<void> => {
      for (let turn = 0; turn < 10; turn++) {
        await enqueue(notes, `${number}-${turn}`)
        await enqueue(notes, `key-${turn}`, { singletonKey: `key-${turn}` })
      }
    }
    await Promise.all(Array.from({ length: 20 }, (_, number) => caller(number)))
    const unkeyed = () => ran.filter((text) => !text.startsWith('key-'))
    const keys = () => new Set(ran.filter((text) => text.startsWith('key-')))
    await eventually(() => expect([unkeyed().length, keys().size]).toEqual([200, 10]))
    expect(new Set(unkeyed()).size).toBe(200)
    expect(linesOf('jobs.error')).toEqual([])
  })

  test('run as many at once as the definition says', async () => {
    let now = 0
    let most = 0
    let done = 0
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const jobs = makeJobs({ database, log, pollSeconds })
    const notes = jobs.define({
      name: 'three-at-once',
      data: Note,
      concurrency: 3,
      handler: async () => {
        most = Math.max(most, ++now)
        await gate
        now -= 1
        done += 1
      },
    })
    await jobs.prepare()
    await work(jobs)
    for (let index = 0; index < 12; index++) await enqueue(notes, String(index))
    await eventually(() => expect(now).toBe(3))
    await sleep(twoLooks)
    open()
    await eventually(() => expect(done).toBe(12))
    expect(most).toBe(3)
  })
})

describe('the tables of the jobs', () => {
  test('take over settings that a definition has changed', async () => {
    const define = async (attempts: number): Promise<void> => {
      const jobs = makeJobs({ database, log })
      jobs.define({ name: 'changing', data: Note, attempts, handler: async () => undefined })
      await jobs.prepare()
    }
    await define(3)
    await define(5)
    const { rows } = await sql`select retry_limit from jobs.queue where name = 'changing'`.execute(db)
    expect(rows).toEqual([{ retryLimit: 4 }])
  })

  test('two kinds of job cannot have one name', async () => {
    const { jobs, name } = await makeProcess()
    expect(() => jobs.define({ name, data: Note, handler: async () => undefined })).toThrow(/already/)
  })

  test('a script that fails half-way leaves no connection in its transaction', async () => {
    const boss = bossDatabase(db)
    await expect(boss.executeSql('begin; select 1 / 0; commit')).rejects.toThrow(/division by zero/)
    await expect(Promise.all(Array.from({ length: 20 }, () => sql`select 1`.execute(db)))).resolves.toHaveLength(20)
  })
})
