import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { lockDeliveries, putBack, type LockedDelivery } from './put-back.ts'

/**
 * What became of one delivery that somebody wants tried again. `due`: it is in the queue already, now or later;
 * `under_way`: an attempt is being made; `gone`: there is nothing to send, or nobody to send it to.
 */
export type RetryOutcome =
  | { readonly outcome: 'queued'; readonly subscriptionId: number }
  | { readonly outcome: 'due' | 'delivered' | 'under_way' | 'gone' }

export interface RetryOptions {
  /** Also when it was delivered, or is due only later. */
  readonly force: boolean
}

/**
 * Puts one delivery back in the queue, due at once with a budget that starts again. That of a subscription that is
 * switched off waits there until that is on. Of two at once the second finds what the first has done.
 */
export const retryDelivery = async (tx: Tx, id: number, { force }: RetryOptions, now: Date): Promise<RetryOutcome> => {
  const locked = await lockDeliveries(tx, [id], now)
  const [delivery] = locked
  if (delivery === undefined || !(await receiversOf(tx, locked)).has(delivery.subscriptionId))
    return { outcome: 'gone' }
  const found = standing(delivery, force)
  if (found !== undefined) return { outcome: found }
  const queued = await putBack(tx, locked, now)
  return queued.length === 0 ? { outcome: 'gone' } : { outcome: 'queued', subscriptionId: delivery.subscriptionId }
}

/** Whom a delivery goes to, and who has switched it off, if anybody has. */
export interface Receiver {
  readonly id: number
  readonly scope: string
  readonly off: 'no' | 'by_engine' | 'by_person'
}

export interface RetryManyOptions {
  /** Whether a delivery to a receiver that is switched off may wait in the queue until that is on. */
  readonly mayWait: (receiver: Receiver) => boolean
}

/** `off`: its receiver is switched off, and it may not wait for that. The others: see `RetryOutcome`. */
export type OneRetried = RetryOutcome['outcome'] | 'off'

export interface ManyRetried {
  /** In the order of the ids that were given. */
  readonly outcomes: readonly OneRetried[]
  /** The subscriptions that have something due now. */
  readonly queuedFor: readonly number[]
}

/** Puts any number of deliveries back, by the rules of `retryDelivery` without force, with a few statements for all. */
export const retryDeliveries = async (
  tx: Tx,
  ids: readonly number[],
  { mayWait }: RetryManyOptions,
  now: Date,
): Promise<ManyRetried> => {
  const locked = await lockDeliveries(tx, ids, now)
  const receivers = await receiversOf(tx, locked)
  const found = new Map<number, OneRetried>()
  const again: LockedDelivery[] = []
  for (const delivery of locked) {
    const receiver = receivers.get(delivery.subscriptionId)
    const outcome = receiver === undefined ? 'gone' : standing(delivery, false)
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
const standing = (
  { status, isLeased }: LockedDelivery,
  force: boolean,
): 'under_way' | 'due' | 'delivered' | undefined => {
  if (isLeased) return 'under_way'
  if (!force && status === 'pending') return 'due'
  return !force && status === 'delivered' ? 'delivered' : undefined
}

/** The subscriptions of deliveries, without those that have ended. */
const receiversOf = async (tx: Tx, deliveries: readonly LockedDelivery[]): Promise<ReadonlyMap<number, Receiver>> => {
  const ids = [...new Set(deliveries.map(({ subscriptionId }) => subscriptionId))]
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('subscriptions')
    .select(['id', 'scope', 'isActive', 'disabledReason'])
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where('deletedAt', 'is', null)
    .execute()
  return new Map(rows.map(({ id, scope, ...row }) => [id, { id, scope, off: offBy(row) }]))
}

/** Whom deliveries go to, as long as there is something to send and somebody to send it to. Nothing is held. */
export const findReceivers = async (db: Db | Tx, deliveryIds: readonly number[]): Promise<Map<number, Receiver>> => {
  if (deliveryIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('subscriptions', 'subscriptions.id', 'deliveries.subscriptionId')
    .select(['deliveries.id as deliveryId', 'subscriptions.id', 'scope', 'isActive', 'disabledReason'])
    .where(sql<boolean>`deliveries.id = any(${[...deliveryIds]}::bigint[])`)
    .where(sql<boolean>`exists (select from events where events.id = deliveries.event_id)`)
    .where('deletedAt', 'is', null)
    .execute()
  return new Map(rows.map(({ deliveryId, id, scope, ...row }) => [deliveryId, { id, scope, off: offBy(row) }]))
}

const offBy = ({
  isActive,
  disabledReason,
}: {
  readonly isActive: boolean
  readonly disabledReason: string | null
}): Receiver['off'] => {
  if (isActive) return 'no'
  return disabledReason === 'failing' || disabledReason === 'gone' ? 'by_engine' : 'by_person'
}
