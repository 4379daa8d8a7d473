import type { Logger } from 'pino'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { afterCommit, inTransaction } from '#platform/db/transaction.ts'
import type { Service } from '#platform/supervisor.ts'
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

export interface RedeliveryRunner extends Service {
  /** Looks at once, where the runner runs: a job was started in this process. */
  kick(): void
  /** Makes every step that is due. */
  runDue(): Promise<void>
}

/** How often somebody looks for jobs that were started elsewhere. With none, a look is two small queries. */
const lookEveryMs = 5_000
/** A job that is due, but in another process's hands, is not asked for more often than this. */
const shortestWaitMs = 50

/** Makes the steps of all jobs, each when it is due. Any number of processes may: a job's row is locked during its step. */
export const makeRedeliveryRunner = (deps: RedeliveryRunnerDeps): RedeliveryRunner => {
  const { db, clock, log } = deps
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isKicked = false
  let isOn = false
  let isStopping = false

  const runDue = async (): Promise<void> => {
    let more = true
    while (more) more = !isStopping && (await stepOf(deps))
  }

  const look = async (): Promise<void> => {
    let waitMs = lookEveryMs
    try {
      await runDue()
      const next = await nextStepAt(db)
      if (next !== undefined)
        waitMs = Math.min(Math.max(next.getTime() - clock.now().getTime(), shortestWaitMs), lookEveryMs)
    } catch (error) {
      log.error({ err: error }, 'redelivery.look_failed')
    }
    running = undefined
    if (!isOn) return
    if (isKicked) waitMs = 0
    isKicked = false
    timer = setTimeout(lookNow, waitMs)
  }
  const lookNow = (): void => {
    running ??= look()
  }

  return {
    name: 'redeliveries',
    async start() {
      isOn = true
      isStopping = false
      lookNow()
    },
    async stop() {
      isOn = false
      isStopping = true
      clearTimeout(timer)
      await running
    },
    kick() {
      if (!isOn) return
      clearTimeout(timer)
      if (running === undefined) lookNow()
      else isKicked = true
    },
    runDue,
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
