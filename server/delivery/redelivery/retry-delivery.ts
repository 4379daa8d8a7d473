import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { lockDeliveries, putBack, type LockedDelivery } from './put-back.ts'

/**
 * What became of a delivery that somebody wants tried again. `due`: it is in the queue already, now or later;
 * `under_way`: an attempt is being made; `gone`: there is nothing to send, or nobody to send it to; `off`: its receiver
 * is switched off, and the delivery may not wait for that.
 */
export type RetryOutcome = 'queued' | 'due' | 'delivered' | 'under_way' | 'gone' | 'off'

/** Whom a delivery goes to, and who has switched it off, if anybody has. */
export interface Receiver {
  readonly id: number
  readonly scope: string
  readonly off: 'no' | 'by_engine' | 'by_person'
}

export interface RetryOptions {
  /** Also deliveries that were delivered, or are due only later. */
  readonly force?: boolean
  /** Whether a delivery to a receiver that is switched off may wait in the queue until that is on; by default it may. */
  readonly mayWait?: (receiver: Receiver) => boolean
}

export interface Retried {
  /** In the order of the ids that were given. */
  readonly outcomes: readonly RetryOutcome[]
  /** The subscriptions that have something due now. */
  readonly queuedFor: readonly number[]
}

/**
 * Puts deliveries back in the queue, due at once with a budget that starts again, with a few statements for any number.
 * Of two requests at once the second finds what the first has done.
 */
export const retryDeliveries = async (
  tx: Tx,
  ids: readonly number[],
  { force = false, mayWait = () => true }: RetryOptions,
  now: Date,
): Promise<Retried> => {
  const locked = await lockDeliveries(tx, ids, now)
  const receivers = await findReceivers(tx, ids)
  const found = new Map<number, RetryOutcome>()
  const again: LockedDelivery[] = []
  for (const delivery of locked) {
    const receiver = receivers.get(delivery.id)
    const outcome = receiver === undefined ? 'gone' : standing(delivery, force)
    if (outcome !== undefined) found.set(delivery.id, outcome)
    else if (receiver !== undefined && receiver.off !== 'no' && !mayWait(receiver)) found.set(delivery.id, 'off')
    else again.push(delivery)
  }
  const queued = await putBack(tx, again, now)
  for (const { id } of queued) found.set(id, 'queued')
  return {
    outcomes: ids.map((id) => found.get(id) ?? 'gone'),
    queuedFor: [...new Set(queued.map(({ subscriptionId }) => subscriptionId))],
  }
}

/** Why a delivery need not be put back; undefined when it is to be. */
const standing = ({ status, isLeased }: LockedDelivery, force: boolean): RetryOutcome | undefined => {
  if (isLeased) return 'under_way'
  if (status === 'waiting' || (!force && status === 'pending')) return 'due'
  return !force && status === 'delivered' ? 'delivered' : undefined
}

/** Whom deliveries go to, by their ids, as long as there is something to send and somebody to send it to. Nothing is locked. */
export const findReceivers = async (
  db: Db | Tx,
  deliveryIds: readonly number[],
): Promise<ReadonlyMap<number, Receiver>> => {
  if (deliveryIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('subscriptions', 'subscriptions.id', 'deliveries.subscriptionId')
    .select(['deliveries.id as deliveryId', 'subscriptions.id', 'scope', 'isActive', 'disabledReason'])
    .where(sql<boolean>`deliveries.id = any(${[...deliveryIds]}::bigint[])`)
    .where(sql<boolean>`exists (select from events where events.id = deliveries.event_id)`)
    .where('deletedAt', 'is', null)
    .execute()
  return new Map(
    rows.map(({ deliveryId, id, scope, isActive, disabledReason }) => {
      const off = disabledReason === 'failing' || disabledReason === 'gone' ? 'by_engine' : 'by_person'
      return [deliveryId, { id, scope, off: isActive ? 'no' : off }]
    }),
  )
}
