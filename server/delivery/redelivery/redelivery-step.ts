import type { Tx } from '#platform/db/database.ts'
import { lockDeliveries, queueAgain } from './put-back.ts'
import type { Redelivery } from './redelivery-store.ts'
import type { DeliveryStatus } from '../tables/tables.ts'

/**
 * A job goes through ids from the oldest to the newest. A step looks at a bounded number of them, queues at most a
 * second's worth, and moves the position behind the last one it is done with, all in one transaction. So a job whose
 * process dies goes on, in whatever process, exactly where it stopped: nothing twice, nothing left out.
 */
export interface StepResult extends Pick<Redelivery, 'position' | 'status'> {
  /** The subscription of each delivery that was queued. */
  readonly queued: readonly number[]
  readonly waitMs: number
}

/** Between two steps that queue something, so \`per_second\` is what one of them may queue. */
const stepEveryMs = 1_000

/** While a job has to wait for its subscription, or its step failed. */
export const idleWaitMs = 5_000

/** Ids that one step looks at, whether or not they belong to the job. */
export const examinedInStep = 20_000

/** Ids above \`position\` and up to \`last\`, of which \`max\` are looked at. */
export interface Range extends Pick<Redelivery, 'position' | 'last'> {
  readonly max: number
}

/** Ids above \`start\` and up to \`end\`. */
export interface Window {
  readonly start: number
  readonly end: number
  /** Whether there is more behind it that a step could look at now. */
  readonly isFull: boolean
}

/** A delivery that a step found, or an event without one. */
export interface Wanted {
  /** The id that the job's position counts. */
  readonly key: number
  readonly deliveryId: number | null
  readonly status: DeliveryStatus | null
}

export interface Found {
  readonly window: Window
  /** The first `perSecond` of the window. */
  readonly found: readonly Wanted[]
  /** Whether a delivery is wanted with its status under the lock: another job may have queued it, or an attempt by hand delivered it. */
  readonly isStill: (status: DeliveryStatus, wanted: Wanted) => boolean
}

/**
 * Queues what a step found, in order. A delivery of which an attempt is under way cannot be put back; the step ends
 * before it, and the next one finds it as the attempt left it.
 */
export const queueFound = async (
  tx: Tx,
  { subscriptionId, last, perSecond }: Redelivery,
  { window, found, isStill }: Found,
  now: Date,
): Promise<StepResult> => {
  const ids = found.flatMap(({ deliveryId }) => deliveryId ?? [])
  const locked = new Map((await lockDeliveries(tx, ids, now)).map((delivery) => [delivery.id, delivery]))
  const lockedOf = ({ deliveryId }: Wanted) => (deliveryId === null ? undefined : locked.get(deliveryId))
  const leasedAt = found.findIndex((wanted) => lockedOf(wanted)?.isLeased === true)
  const doable = leasedAt === -1 ? found : found.slice(0, leasedAt)
  const leasedKey = found[leasedAt]?.key
  // A full step ends at its last key; the rest of the window is for the next one.
  const end = found.length < perSecond ? window.end : (found.at(-1)?.key ?? window.end)
  const position = leasedKey === undefined ? end : leasedKey - 1

  const again = doable.flatMap((wanted) => {
    const delivery = lockedOf(wanted)
    return delivery !== undefined && isStill(delivery.status, wanted) ? delivery : []
  })
  const missing = doable.flatMap(({ key, deliveryId }) =>
    deliveryId === null && subscriptionId !== null ? { eventId: key, subscriptionId } : [],
  )
  return {
    position,
    queued: await queueAgain(tx, again, missing, now),
    status: position >= last ? 'done' : 'running',
    // A step that looked at a full window and found nothing in it need not wait before the next.
    waitMs: window.isFull && found.length === 0 ? 0 : stepEveryMs,
  }
}
