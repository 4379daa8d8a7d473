import type { Logger } from 'pino'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import type { Service } from '#platform/supervisor.ts'
import { makeLoop } from '#platform/loop.ts'
import { checkEvidence } from './delivery-evidence.ts'
import { checkEnded } from './ended-subscriptions.ts'
import type { Finding } from './finding.ts'
import { checkMissing, lastSettled, sliceOf } from './missing-deliveries.ts'
import { checkRedeliveries, sweep, type SweepPosition } from './stuck-deliveries.ts'
import { timeOfId } from '../tables/time-id.ts'
import { checkedUpTo, underLease, type Step } from './lease.ts'
import type { UpkeepMetrics } from './upkeep-gauges.ts'
import { recordedViolations, recordFindings } from './violations.ts'

/**
 * What must be true of the tables at any time, and is checked all the time:
 *
 * - every event has a delivery for every subscription that listened to it (`missing-deliveries.ts`);
 * - every delivery that waits can run: it is due or will be, nobody holds it for ever, its event is there
 *   (`stuck-deliveries.ts`), and so is its subscription (`ended-subscriptions.ts`);
 * - the records of a delivery do not contradict each other (`delivery-evidence.ts`, a sample);
 * - a redelivery that runs gets on (`stuck-deliveries.ts`).
 *
 * The engine keeps all of it by construction, so whatever is found is a bug or a clock that jumped: it is
 * logged as an error and counted, and mended where that is safe.
 *
 * Work comes in slices of some ten milliseconds, each under a lease of its own (`lease.ts`). Events are looked at
 * once, in the order of their ids. Deliveries that wait are looked at again and again: all of them in each
 * run while they are no more than 20,000, else the next 20,000; and all at once when time went backwards.
 */
export interface CheckerDeps {
  readonly db: Db
  /** The one that leases and due times are made with. */
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: UpkeepMetrics
  /** Days that attempts are kept. */
  readonly attemptDays: number
  /** See `lastSettled`. */
  readonly settleMs?: number
  readonly everyMs?: number
}

/** Time in which a transaction that was in flight has ended. */
export const defaultSettleMs = 60_000
const defaultEveryMs = 30_000
/** Slices of waiting deliveries in one run. */
const sweepsInRun = 4

interface CheckStep<Position> extends Step<Position> {
  /** What it found that was not known. */
  readonly news: readonly Finding[]
}

/** Checks what happened since the last time, by whichever process comes first, every 30 s. */
export const makeInvariantChecker = (deps: CheckerDeps): Service => {
  const { log, everyMs = defaultEveryMs } = deps
  return makeLoop({ name: 'invariants', everyMs, log, run: (signal) => checkInvariants(deps, signal) })
}

/** One run. Does nothing but read the record when another process made it less than a period ago. */
export const checkInvariants = async (
  { settleMs = defaultSettleMs, everyMs = defaultEveryMs, ...deps }: CheckerDeps,
  signal: AbortSignal,
): Promise<void> => {
  // A little less than the period, so that the process that had the lease does not come a moment too early.
  const run = { ...deps, settleMs, nextInMs: everyMs * 0.9 }
  await checkEvents(run, signal)
  await checkQueue(run, signal)
  deps.metrics.checked(await recordedViolations(deps.db), timeOfId(await checkedUpTo(deps.db)))
}

type Run = Omit<CheckerDeps, 'everyMs'> & { readonly settleMs: number; readonly nextInMs: number }

/** Slices of events until all that are settled have been looked at. */
const checkEvents = async (
  { db, clock, log, attemptDays, settleMs, nextInMs }: Run,
  signal: AbortSignal,
): Promise<void> => {
  for (let isDone = false; !isDone && !signal.aborted;) {
    const step = await underLease<number, CheckStep<number>>(
      db,
      { job: 'events', maxMs: nextInMs },
      async (tx, lease) => {
        const upTo = await lastSettled(tx, settleMs)
        // When time went backwards, what happens now gets ids that were passed already.
        const slice = await sliceOf(tx, { after: Math.min(lease.position, upTo), upTo })
        const isLast = slice.upTo === upTo
        const findings = [await checkMissing(tx, slice, { settleMs, now: clock.now(), repair: true })]
        if (isLast) findings.push(...(await checkEvidence(tx, slice, attemptDays)))
        return { position: slice.upTo, nextInMs: isLast ? nextInMs : null, news: await recordFindings(tx, findings) }
      },
    )
    report(log, step?.news)
    isDone = step?.nextInMs !== null
  }
}

/** Where the sweep over what waits has come, and whether it goes on to the end. */
interface QueuePosition {
  readonly sweep: SweepPosition
  readonly isWhole: boolean
}

const checkQueue = async ({ db, clock, log, settleMs, nextInMs }: Run, signal: AbortSignal): Promise<void> => {
  let sweeps = 0
  for (let isDone = false; !isDone && !signal.aborted;) {
    const step = await underLease<QueuePosition | null, CheckStep<QueuePosition>>(
      db,
      { job: 'queue', maxMs: nextInMs },
      async (tx, { position, now, doneAt }) => {
        const wentBack = doneAt !== null && doneAt > now
        const before =
          position === null || (wentBack && !position.isWhole) ? { sweep: null, isWhole: wentBack } : position
        const swept = await sweep(tx, before.sweep, { now: clock.now(), repair: true })
        const findings = [...swept.findings]
        if (sweeps === 0)
          findings.push(
            await checkEnded(tx, { settleMs, repair: true }),
            await checkRedeliveries(tx, wentBack ? now : doneAt),
          )
        sweeps += 1
        const isLast = swept.position === null || (sweeps >= sweepsInRun && !before.isWhole)
        return {
          position: { sweep: swept.position, isWhole: before.isWhole && swept.position !== null },
          nextInMs: isLast ? nextInMs : null,
          news: await recordFindings(tx, findings),
        }
      },
    )
    report(log, step?.news)
    isDone = step?.nextInMs !== null
  }
}

const report = (log: Logger, news: readonly Finding[] = []): void => {
  for (const finding of news) log.error(finding, 'invariant.violated')
}
