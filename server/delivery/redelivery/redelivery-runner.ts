import type { Logger } from 'pino'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { afterCommit, inTransaction } from '#platform/db/transaction.ts'
import { makeLoop } from '#platform/loop.ts'
import { recoverStep } from './recover-step.ts'
import { idleWaitMs } from './redelivery-step.ts'
import { nextStepAt, postponeRedelivery, takeDueRedelivery, writeStep, type Redelivery } from './redelivery-store.ts'
import { retryStep } from './retry-step.ts'
import type { Wake } from '../queue/wake.ts'

export interface RedeliveryRunnerDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  readonly wake: (...woken: Parameters<Wake>) => void
  /** See `recoverStep`. */
  readonly settleMs: number
}

/** How often jobs that were started elsewhere are looked for. With none, a look is two small queries. */
const lookEveryMs = 5_000
/** A job that is due, but in another process's hands, is not asked for more often than this. */
const minWaitMs = 50

/** Makes the steps of all jobs, each when it is due, in processes that deliver; a kick makes it look at once for a new job. Any number of processes may: a job's row is locked during its step. */
export const makeRedeliveryRunner = (deps: RedeliveryRunnerDeps) => {
  const { db, clock, log } = deps
  const runDue = async (signal?: AbortSignal): Promise<void> => {
    let more = true
    while (more) more = signal?.aborted !== true && (await stepOf(deps))
  }
  const dueInMs = async (): Promise<number> => {
    const next = await nextStepAt(db)
    return next === undefined ? lookEveryMs : Math.max(next.getTime() - clock.now().getTime(), minWaitMs)
  }
  return {
    ...makeLoop({ name: 'redeliveries', everyMs: lookEveryMs, log, run: runDue, dueInMs }),
    /** Makes every step that is due. */
    runDue: (): Promise<void> => runDue(),
  }
}

/** One step of some job that is due; one that fails lets the others go first. @returns false when none is due. */
const stepOf = async (deps: RedeliveryRunnerDeps): Promise<boolean> => {
  const { db, clock, log } = deps
  let taken: Redelivery | undefined
  try {
    return await inTransaction(db, async (tx) => {
      const now = clock.now()
      taken = await takeDueRedelivery(tx, now)
      if (taken === undefined) return false
      await makeStep(tx, taken, now, deps)
      return true
    })
  } catch (error) {
    log.error({ err: error, redelivery: taken?.id }, 'redelivery.step_failed')
    if (taken === undefined) return false
    await postponeRedelivery(db, taken.id, new Date(clock.now().getTime() + idleWaitMs))
    return true
  }
}

const makeStep = async (
  tx: Tx,
  job: Redelivery,
  now: Date,
  { settleMs, wake }: Pick<RedeliveryRunnerDeps, 'settleMs' | 'wake'>,
): Promise<void> => {
  const step = job.kind === 'recover' ? await recoverStep(tx, job, now, settleMs) : await retryStep(tx, job, now)
  const { position, queued, status, waitMs } = step
  const nextAt = new Date(now.getTime() + waitMs)
  await writeStep(tx, job.id, { position, queued: queued.length, status, nextStepAt: nextAt }, now)
  if (queued.length > 0) afterCommit(tx, () => wake([...new Set(queued)], 1))
}
