import type { Logger } from 'pino'
import { Type } from 'typebox'
import { makeLoop } from '#platform/loop.ts'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { Id } from '#platform/http/schemas.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { Service } from '#platform/supervisor.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { PlatformPause } from './platform/platform-pause.ts'
import { isAnyDue } from './store.ts'

/** Orders of one quotation that are on their way at once, and quotations of one process. */
const ordersAtOnce = 4
const quotationsAtOnce = 4

/** A job ends by itself before its time is up; the next look for what is due goes on where it ended. */
const longestMs = 600_000

/**
 * Has the orders that are due pushed, of a quotation or of all, once `tx` has committed.
 * @param askedAt when somebody asked for it, who does not wait for the end of a pause.
 */
export type Push = (tx: Tx, quotationId?: number, askedAt?: Date) => Promise<void>

interface PushJobDeps {
  readonly jobs: Pick<Jobs, 'define'>
  readonly pause: Pick<PlatformPause, 'cutShort'>
  readonly pushOrder: (quotationId?: number) => Promise<boolean>
}

/** Defines the job that pushes due orders, of one quotation or of all, until `pushOrder` answers false. */
export const definePush = ({ jobs, pause, pushOrder }: PushJobDeps): Push => {
  const job = jobs.define({
    name: 'push-orders',
    data: Type.Object({ quotation: Type.Optional(Id), asked_at: Type.Optional(Type.String({ format: 'date-time' })) }),
    concurrency: quotationsAtOnce,
    handler: async ({ quotation, asked_at: askedAt }, { signal }) => {
      // Here and not where it was asked for: the pause is that of the process that pushes.
      if (askedAt !== undefined) pause.cutShort(new Date(askedAt))
      const enough = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
      const pushAll = async (): Promise<void> => {
        while (!enough.aborted && (await pushOrder(quotation))) continue
      }
      // After a pause one order finds out whether the platform is back; then there is work for all.
      if (await pushOrder(quotation)) await allOf(Array.from({ length: ordersAtOnce }, pushAll))
      return undefined
    },
  })
  return (tx, quotation, askedAt) => {
    if (quotation === undefined) return job.enqueue(tx, {}, { singletonKey: 'due' })
    if (askedAt === undefined) return job.enqueue(tx, { quotation }, { singletonKey: String(quotation) })
    // With a key of its own, or a job that nobody asked for could take its place.
    const data = { quotation, asked_at: askedAt.toISOString() }
    return job.enqueue(tx, data, { singletonKey: `asked-${quotation}` })
  }
}

/** Waits for all of them, also when one fails. @throws what the first one that failed did. */
const allOf = async (works: readonly Promise<void>[]): Promise<void> => {
  const [failed] = (await Promise.allSettled(works)).filter((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

interface SweepDeps extends Pick<SliceDeps, 'db' | 'clock'> {
  readonly log: Logger
  readonly push: Push
  readonly pause: PlatformPause
}

const sweepEveryMs = 10_000

/** Looks for due orders: after a wait, after a pause of the platform, or after a process died. Several processes do no harm. */
export const makeSweep = ({ db, clock, log, push, pause }: SweepDeps): Service =>
  makeLoop({
    name: 'orders-due',
    everyMs: sweepEveryMs,
    log,
    run: () =>
      inTransaction(db, async (tx) => {
        if (!pause.isPaused() && (await isAnyDue(tx, clock.now()))) await push(tx)
      }),
  })
