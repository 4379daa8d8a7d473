import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import type { TObject, Static } from 'typebox'
import type { Database } from '#platform/db/database.ts'
import { afterCommit } from '#platform/db/transaction.ts'
import type { Tracing } from '#platform/tracing/tracing.ts'
import type { Service } from '#platform/supervisor.ts'
import { definedJob, misfitOf, type DefinedJob } from './defined-job.ts'
import { failuresOf } from './failures.ts'
import { makeJobMetrics } from './job-metrics.ts'
import { JobWorker } from './job-worker.ts'
import type { Job, JobDefinition } from './job.ts'
import { failuresQueue } from './queues.ts'
import { Sender } from './sender.ts'

export interface Jobs {
  /** Makes a kind of job known, before `prepare`. @throws Error when the name is taken. */
  define<S extends TObject>(definition: JobDefinition<S>): Job<Static<S>>
  /** Makes the tables and queues, in every process, once all kinds are defined; after it jobs can be enqueued. */
  prepare(): Promise<void>
  /** Runs the jobs. For processes that work; the others only enqueue. */
  readonly worker: Service
}

export interface JobsOptions {
  readonly database: Database
  readonly log: Logger
  /** Where jobs are counted. */
  readonly registry?: Registry
  readonly pollSeconds?: number
  readonly drainMs?: number
  readonly tracing?: Tracing | undefined
}

/** Background jobs on the database: enqueued in the transaction of the change that needs them, run at least once. */
export const makeJobs = (given: JobsOptions): Jobs => {
  const { database, log, registry = new Registry(), pollSeconds = 2, drainMs = 10_000, tracing } = given
  const defined = new Map<string, DefinedJob>()
  const metrics = makeJobMetrics(registry)
  const failures = failuresOf(defined, { log, metrics })
  // The queue of failures is named by the others, so it comes first.
  const all = (): DefinedJob[] => [failures, ...defined.values()]
  const sender = new Sender(database.db, log)
  const worker = new JobWorker({ database, log, metrics, jobs: all, pollSeconds, drainMs, tracing })

  return {
    define: (definition) => {
      const { name, data: schema } = definition
      if (name === failuresQueue || defined.has(name)) throw new Error(`There is a job named ${name} already.`)
      defined.set(name, definedJob(definition))
      metrics.known(name)
      return {
        enqueue: async (tx, data, options = {}) => {
          const misfit = misfitOf(schema, data)
          if (misfit !== undefined) throw new Error(`A job of ${name} cannot be enqueued. ${misfit}`)
          await sender.send(tx, name, data, options)
          afterCommit(tx, () => worker.wake(name))
        },
      }
    },
    prepare: () => sender.prepare(all()),
    worker,
  }
}
