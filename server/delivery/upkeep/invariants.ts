import type { Tx } from '#platform/db/database.ts'
import type { Service } from '#platform/supervisor.ts'
import { makeLoop } from '#platform/loop.ts'
import { checkEvidence } from './delivery-evidence.ts'
import { checkEnded } from './ended-subscriptions.ts'
import { recordedViolations, recordFindings, type Finding } from './finding.ts'
import { checkMissing, lastSettled, sliceOf } from './missing-deliveries.ts'
import { checkRedeliveries, sweep, type SweepPosition } from './stuck-deliveries.ts'
import type { ObjectQueue } from '../order/object-queues.ts'
import { checkQueues } from './stuck-queues.ts'
import { timeOfId } from '../tables/time-id.ts'
import { checkedUpTo, underLease, type Lease, type Step } from './lease.ts'
import type { UpkeepOptions } from './upkeep-gauges.ts'

/**
 * What must be true of the tables at any time, and is checked all the time:
 *
 * - every event has a delivery for every subscription that listened to it (`missing-deliveries.ts`);
 * - every delivery that waits can run: it is due or will be, nobody holds it for ever, its event is there
 *   (`stuck-deliveries.ts`), and so is its subscription (`ended-subscriptions.ts`);
 * - every delivery that waits for an earlier one has a head before it (`stuck-queues.ts`);
 * - the records of a delivery do not contradict each other (`delivery-evidence.ts`, a sample);
 * - a redelivery that runs gets on (`stuck-deliveries.ts`).
 *
 * The engine keeps all of it by construction, so whatever is found is a bug or a clock that jumped: it is
 * logged as an error and counted, and mended where that is safe.
 *
 * Work comes in slices of some ten milliseconds, each under a lease of its own (`lease.ts`). Events are looked at once, in
 * the order of their ids. Deliveries that wait are looked at again and again, 20,000 of them in each run; all of them
 * when time went backwards.
 */
export interface CheckerDeps extends Omit<UpkeepOptions, 'eventDays'> {
  /** See `lastSettled`. */
  readonly settleMs?: number
  readonly everyMs?: number
}

/** Time in which a transaction that was in flight has ended. */
export const defaultSettleMs = 60_000
const defaultEveryMs = 30_000
/** Slices of waiting deliveries in one run. */
const sweepsInRun = 4

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

/** Makes the steps of a job until it is done for now; each records what it found. */
const checkInSteps = async <Position>(
  { db, log, nextInMs }: Run,
  job: Parameters<typeof underLease>[1]['job'],
  signal: AbortSignal,
  check: (tx: Tx, lease: Lease<Position>) => Promise<{ position: Position; isLast: boolean; findings: Finding[] }>,
): Promise<void> => {
  for (let isDone = false; !isDone && !signal.aborted;) {
    const step = await underLease<Position, Step<Position> & { readonly news: readonly Finding[] }>(
      db,
      { job, maxMs: nextInMs },
      async (tx, lease) => {
        const { position, isLast, findings } = await check(tx, lease)
        return { position, nextInMs: isLast ? nextInMs : null, news: await recordFindings(tx, findings) }
      },
    )
    for (const finding of step?.news ?? []) log.error(finding, 'invariant.violated')
    isDone = step?.nextInMs !== null
  }
}

/** Slices of events until all that are settled have been looked at. */
const checkEvents = (run: Run, signal: AbortSignal): Promise<void> =>
  checkInSteps<number>(run, 'events', signal, async (tx, lease) => {
    const { clock, attemptDays, settleMs } = run
    const upTo = await lastSettled(tx, settleMs)
    // When time went backwards, what happens now gets ids that were passed already.
    const slice = await sliceOf(tx, { after: Math.min(lease.position, upTo), upTo })
    const isLast = slice.upTo === upTo
    const findings = [await checkMissing(tx, slice, { settleMs, now: clock.now(), repair: true })]
    if (isLast) findings.push(...(await checkEvidence(tx, slice, attemptDays)))
    return { position: slice.upTo, isLast, findings }
  })

/** Where the looks at what waits have come, and whether the sweep goes on to the end. */
interface QueueLook {
  readonly sweep: SweepPosition | null
  /** Missing in what an older version stored. */
  readonly queues?: ObjectQueue | null
  readonly isWhole: boolean
}

/** Where a look goes on; when time went backwards, at the beginning, and to the end. */
const beginning = (position: QueueLook | null, wentBack: boolean): QueueLook =>
  position === null || (wentBack && !position.isWhole) ? { sweep: null, isWhole: wentBack } : position

const checkQueue = async (run: Run, signal: AbortSignal): Promise<void> => {
  const { clock, settleMs } = run
  let sweeps = 0
  await checkInSteps<QueueLook | null>(run, 'queue', signal, async (tx, { position, now, doneAt }) => {
    const wentBack = doneAt !== null && doneAt > now
    const before = beginning(position, wentBack)
    const swept = await sweep(tx, before.sweep, { now: clock.now(), repair: true })
    const queues = await checkQueues(tx, before.queues ?? null, { now: clock.now(), repair: true })
    const findings = [...swept.findings, ...queues.findings]
    if (sweeps === 0)
      findings.push(
        await checkEnded(tx, { settleMs, repair: true }),
        await checkRedeliveries(tx, wentBack ? now : doneAt),
      )
    sweeps += 1
    return {
      position: { sweep: swept.position, queues: queues.position, isWhole: before.isWhole && swept.position !== null },
      isLast: swept.position === null || (sweeps >= sweepsInRun && !before.isWhole),
      findings,
    }
  })
}
