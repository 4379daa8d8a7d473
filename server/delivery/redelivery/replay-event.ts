import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { getsEvent } from '../subscriber/matching.ts'
import { lockDeliveries, lockMissing, queueAgain } from './put-back.ts'

/**
 * Sends an event again to each of the given subscriptions that is active and gets it: closed deliveries are put back,
 * delivered ones too, and missing ones are made. Deliveries that are due or under way are left alone.
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
  const ids = existing.map(({ id }) => id)
  const ended = (await lockDeliveries(tx, ids, now)).filter(
    ({ status, isLeased }) => status !== 'pending' && status !== 'waiting' && !isLeased,
  )
  const have = new Set(existing.map(({ subscriptionId }) => subscriptionId))
  const missing = listening.filter((id) => !have.has(id)).map((subscriptionId) => ({ eventId, subscriptionId }))
  return (await queueAgain(tx, ended, missing, now)).toSorted((one, other) => one - other)
}

/** Those of the given subscriptions that would get the event if it happened now. What was sent to one alone is for no other. */
const listenersOf = async (tx: Tx, eventId: number, subscriptionIds: readonly number[]): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select subscription.id
    from events event
    join subscriptions subscription on subscription.is_active and subscription.id = any(${[...subscriptionIds]}::bigint[])
    where event.id = ${eventId}
      and ${sql.raw(getsEvent)}`.execute(tx)
  return rows.map(({ id }) => id)
}
