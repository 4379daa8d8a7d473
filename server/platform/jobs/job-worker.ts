import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Database } from '#platform/db/database.ts'
import type { Tracing } from '#platform/tracing/tracing.ts'
import type { Service } from '#platform/supervisor.ts'
import { bossDatabase, bossSchema, logBoss } from './boss.ts'
import type { DefinedJob, Envelope } from './defined-job.ts'
import type { JobMetrics } from './job-metrics.ts'
import { runJob } from './run-job.ts'
import { traceJob } from './trace-job.ts'

export interface JobWorkerOptions {
  readonly database: Database
  readonly log: Logger
  readonly metrics: JobMetrics
  /** The kinds of jobs to run; asked for at start. */
  readonly jobs: () => readonly DefinedJob[]
  /** How often each queue is looked at: finds what became due, and what another process enqueued. */
  readonly pollSeconds: number
  /** Time that running handlers have to end after a stop was asked for. */
  readonly drainMs: number
  readonly tracing?: Tracing | undefined
}

/** How often those workers of a queue look that the first one wakes. */
const followerPollSeconds = 60

/** How pg-boss looks after its tables, in seconds. */
const upkeep = {
  /** Looks for jobs whose process has died (see `heartbeatSeconds`) this often, … */
  superviseIntervalSeconds: 10,
  /** … but not again within this time in any process, because it counts the jobs of each queue as well. */
  monitorIntervalSeconds: 20,
  /** Flows of jobs, which we have none of. */
  flowIntervalSeconds: 3600,
  monitorVacuum: false,
}

/**
 * Runs jobs, in processes that work. Each queue has as many workers as its concurrency, which take one job at a time.
 * One that has taken a job wakes all of them, itself included, so they go on without a pause until the queue is empty;
 * while it is, only the first one looks.
 */
export class JobWorker implements Service {
  readonly name = 'jobs'
  readonly #options: JobWorkerOptions
  readonly #workers = new Map<string, string[]>()
  #cutOff = new AbortController()
  #boss: PgBoss | undefined
  #firstLook: Promise<void> = Promise.resolve()

  constructor(options: JobWorkerOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { database, log } = this.#options
    const jobs = this.#options.jobs()
    const boss = new PgBoss({
      ...upkeep,
      schema: bossSchema,
      db: bossDatabase(database.db),
      schedule: false,
      // Rebuilding an index beside what goes on takes two connections.
      reindex: database.engine === 'postgres',
    })
    logBoss(boss, log)
    this.#cutOff = new AbortController()
    this.#boss = boss
    await boss.start()
    for (const job of jobs) await this.#work(boss, job)
    this.#firstLook = this.#lookForOrphans(boss)
  }

  /** Makes the workers of a queue look now. */
  wake(name: string): void {
    for (const id of this.#workers.get(name) ?? []) this.#boss?.notifyWorker(id)
  }

  /** Takes no more jobs, waits for those that run, and after `drainMs` hands back what is left as a failed attempt. */
  async stop(): Promise<void> {
    const boss = this.#boss
    if (boss === undefined) return
    const done = new AbortController()
    const drained = Promise.all([...this.#workers.keys()].map((name) => boss.offWork(name)))
    const late = sleep(this.#options.drainMs, undefined, { signal: done.signal }).catch(() => undefined)
    await Promise.race([drained, late])
    done.abort()
    this.#cutOff.abort(new Error('The server stopped.'))
    await Promise.all([drained, this.#firstLook])
    await boss.stop()
    this.#workers.clear()
    this.#boss = undefined
  }

  /** pg-boss does so later, now and then; but what was running may have died with the process before this one. */
  async #lookForOrphans(boss: PgBoss): Promise<void> {
    try {
      await boss.supervise()
    } catch (error) {
      this.#options.log.error({ err: error }, 'jobs.error')
    }
  }

  async #work(boss: PgBoss, job: DefinedJob): Promise<void> {
    const { log, metrics, pollSeconds, tracing } = this.#options
    const ids: string[] = []
    this.#workers.set(job.name, ids)
    for (let index = 0; index < job.concurrency; index++) {
      const options = {
        pollingIntervalSeconds: index === 0 ? pollSeconds : followerPollSeconds,
        includeMetadata: true,
        perJobResults: true,
      } as const
      const id = await boss.work<Envelope, unknown, typeof options>(job.name, options, (attempts) => {
        this.wake(job.name)
        return Promise.all(
          attempts.map((attempt) =>
            traceJob(tracing, attempt, () => runJob(job, attempt, { log, metrics, cutOff: this.#cutOff.signal })),
          ),
        )
      })
      ids.push(id)
    }
  }
}
