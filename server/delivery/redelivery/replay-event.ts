import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { lockDeliveries, lockMissing, putBack, queueMissing } from './put-back.ts'

/**
 * Sends an event again to each of the given subscriptions that is active and listens to it: a delivery
 * that has ended, delivered ones too, is put back in the queue, and one that never was is made. What is
 * due or under way already is left alone.
 * @returns the subscriptions that it was queued for.
 */
export const replayEvent = async (
  tx: Tx,
  eventId: number,
  subscriptionIds: readonly number[],
  now: Date,
): Promise<number[]> => {
  const listening = await listenersOf(tx, eventId, subscriptionIds)
  if (listening.length === 0) return []
  await lockMissing(tx, listening)
  const existing = await tx
    .selectFrom('deliveries')
    .select(['id', 'subscriptionId'])
    .where('eventId', '=', eventId)
    .where(sql<boolean>`subscription_id = any(${listening}::bigint[])`)
    .execute()
  const locked = await lockDeliveries(
    tx,
    existing.map(({ id }) => id),
    now,
  )
  const again = locked.filter(({ status, isLeased }) => status !== 'pending' && !isLeased)
  const have = new Set(existing.map(({ subscriptionId }) => subscriptionId))
  const missing = listening.filter((id) => !have.has(id))
  await putBack(tx, again, now)
  await queueMissing(
    tx,
    missing.map((subscriptionId) => ({ eventId, subscriptionId })),
    now,
  )
  return [...again.map(({ subscriptionId }) => subscriptionId), ...missing].toSorted((one, other) => one - other)
}

/** Those of the given subscriptions that would get the event if it happened now. */
const listenersOf = async (tx: Tx, eventId: number, subscriptionIds: readonly number[]): Promise<number[]> => {
  const rows = await tx
    .selectFrom('events')
    .innerJoin('subscriptionEvents', (join) =>
      join
        .onRef('subscriptionEvents.scope', '=', 'events.scope')
        .onRef('subscriptionEvents.eventType', '=', 'events.type'),
    )
    .innerJoin('subscriptions', 'subscriptions.id', 'subscriptionEvents.subscriptionId')
    .select('subscriptions.id')
    .where('events.id', '=', eventId)
    .where('subscriptions.isActive', '=', true)
    .where(sql<boolean>`subscriptions.id = any(${[...subscriptionIds]}::bigint[])`)
    .execute()
  return rows.map(({ id }) => id)
}
