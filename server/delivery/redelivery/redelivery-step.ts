import type { LockedDelivery } from './put-back.ts'
import type { RedeliveryStatus } from './redelivery-store.ts'

/**
 * A job that puts deliveries back in the queue goes through ids from the oldest to the newest. A step
 * looks at a bounded number of them, queues at most a second's worth, and moves the position behind the
 * last one it is done with; all of it is one transaction. So a job whose process dies goes on, in
 * whatever process, exactly where it stopped: nothing twice, nothing left out.
 */
export interface StepResult {
  readonly position: number
  /** The subscriptions of what was queued, one for each delivery. */
  readonly queued: readonly number[]
  readonly status: RedeliveryStatus
  readonly waitMs: number
}

/** Between two steps that queue something, so `per_second` is what one of them may queue. */
export const stepEveryMs = 1_000

/** While a job has to wait for its subscription, or its step failed. */
export const idleWaitMs = 5_000

/** Ids that one step looks at, whether or not they belong to the job. */
export const examinedInStep = 20_000

/** Ids above `start` and up to `end`. */
export interface Window {
  readonly start: number
  readonly end: number
  /** Whether there is more behind it that a step could look at now. */
  readonly isFull: boolean
}

/** A step that looked at a full window and found nothing in it need not wait before the next. */
export const waitAfter = (window: Window, found: number): number => (window.isFull && found === 0 ? 0 : stepEveryMs)

/**
 * How far a step gets. A delivery of which an attempt is under way cannot be put back; the step ends before
 * it, and the next one finds it as the attempt left it.
 * @param wanted what the step found, in order: `key` is what the job's position counts.
 * @param end position when all of it is done.
 */
export const doableOf = <T extends { readonly key: number; readonly deliveryId: number | null }>(
  wanted: readonly T[],
  locked: readonly LockedDelivery[],
  end: number,
): { readonly doable: readonly T[]; readonly position: number } => {
  const leased = new Set(locked.filter(({ isLeased }) => isLeased).map(({ id }) => id))
  const first = wanted.findIndex(({ deliveryId }) => deliveryId !== null && leased.has(deliveryId))
  const stop = wanted[first]
  return stop === undefined
    ? { doable: wanted, position: end }
    : { doable: wanted.slice(0, first), position: stop.key - 1 }
}
