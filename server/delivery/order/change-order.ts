import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction, retried } from '#platform/db/transaction.ts'
import { isOneOf, lockInOrder } from '../queue/claim.ts'
import { giveHeads, type ObjectQueue } from './object-queues.ts'

/** Queues, or deliveries, that one statement changes. */
const maxAtOnce = 5_000

/** Puts the open deliveries of a subscription in order, in the transaction that switches order on. Attempts under way are not waited for. */
export const startOrder = async (tx: Tx, subscriptionId: number, now: Date): Promise<void> => {
  await sql`
    update deliveries set is_head = false, sequence = event.sequence,
      status = case status when 'pending' then 'waiting' else status end
    from events event
    where event.id = event_id and addressee is null and event.object_id is not null
      and subscription_id = ${subscriptionId} and status in ('pending', 'held') and is_head is null`.execute(tx)
  const { rows } = await sql<ObjectQueue>`
    select distinct subscription_id, object_type, object_id from deliveries
    where subscription_id = ${subscriptionId} and not is_head and status in ('waiting', 'held')`.execute(tx)
  for (let from = 0; from < rows.length; from += maxAtOnce) await giveHeads(tx, rows.slice(from, from + maxAtOnce), now)
}

/**
 * Dissolves queues of subscriptions that have no order any more, or were removed: what waits is due. Such a queue may
 * also come from an event that was being raised when order was switched off. @returns whether there was any.
 */
export const endOrder = async (db: Db, now: Date): Promise<boolean> => {
  let isAny = false
  while (await endSome(db, now)) isAny = true
  return isAny
}

const endSome = (db: Db, now: Date): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const { rows: queues } = await sql<ObjectQueue>`
      with recursive owner as (
        (select subscription_id from object_queues order by subscription_id limit 1)
        union all
        select (select subscription_id from object_queues where subscription_id > owner.subscription_id
                order by subscription_id limit 1)
        from owner where subscription_id is not null
      )
      select subscription_id, object_type, object_id from object_queues
      where subscription_id = any(array(
        select subscription_id from owner join subscriptions on id = subscription_id
        where not is_ordered or deleted_at is not null))
      limit ${maxAtOnce}
      for update skip locked`.execute(tx)
    if (queues.length === 0) return false
    const ofThese = (alias: string) => sql`
      select ${sql.ref(`${alias}.id`)} from unnest(${queues.map(({ subscriptionId }) => subscriptionId)}::bigint[],
        ${queues.map(({ objectType }) => objectType)}::text[], ${queues.map(({ objectId }) => objectId)}::text[])
        as queue(subscription_id, object_type, object_id)
      join deliveries ${sql.ref(alias)} using (subscription_id, object_type, object_id)`
    const { numAffectedRows = 0n } = await sql`
      update deliveries
      set status = case status when 'waiting' then 'pending' else status end, is_head = null,
          next_attempt_at = greatest(next_attempt_at, ${now})
      where id = any(array(${ofThese('behind')}
        where not behind.is_head and behind.status in ('waiting', 'held') limit ${maxAtOnce}))`.execute(tx)
    if (Number(numAffectedRows) === maxAtOnce) return true
    await sql`update deliveries set is_head = null where id = any(array(${ofThese('head')} where head.is_head))`.execute(
      tx,
    )
    await sql`
      delete from object_queues queue using (
        select unnest(${queues.map(({ subscriptionId }) => subscriptionId)}::bigint[]) as subscription_id,
               unnest(${queues.map(({ objectType }) => objectType)}::text[]) as object_type,
               unnest(${queues.map(({ objectId }) => objectId)}::text[]) as object_id) gone
      where queue.subscription_id = gone.subscription_id and queue.object_type = gone.object_type
        and queue.object_id = gone.object_id`.execute(tx)
    return true
  })

/**
 * Puts back in the queue what was held for ordered subscriptions that are on again: what happens now waits behind it.
 * @returns whether there was any.
 */
export const resumeHeld = async (db: Db, now: Date): Promise<boolean> => {
  let resumed = 0
  for (let isMore = true; isMore;) {
    const resumeSome = sql`
      with recursive owner as (
        (select subscription_id from deliveries where status = 'held' order by subscription_id, id limit 1)
        union all
        select following.subscription_id from owner cross join lateral (
          select subscription_id from deliveries where status = 'held' and subscription_id > owner.subscription_id
          order by subscription_id, id limit 1
        ) following
      ),
      chosen as materialized (
        select delivery.id from owner
        join subscriptions on subscriptions.id = subscription_id and is_ordered and is_active
        join deliveries delivery on delivery.subscription_id = subscriptions.id and delivery.status = 'held'
        where delivery.is_head is not null limit ${maxAtOnce}
      ),
      locked as materialized (${sql.raw(lockInOrder('select id from chosen', `status = 'held'`))})
      update deliveries
      set status = case when is_head then 'pending' else 'waiting' end, next_attempt_at = greatest(next_attempt_at, ${now})
      where ${sql.raw(isOneOf('id', 'select id from locked'))}`
    const { numAffectedRows = 0n } = await retried(() => resumeSome.execute(db))
    resumed += Number(numAffectedRows)
    isMore = Number(numAffectedRows) === maxAtOnce
  }
  return resumed > 0
}
