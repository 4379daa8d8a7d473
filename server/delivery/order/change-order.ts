import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { inTransaction, retried } from '#platform/db/transaction.ts'
import { isOneOf, lockInOrder } from '../queue/claim.ts'
import { queuesGiven, type ObjectQueue } from './object-queues.ts'

/** Queues, or deliveries, that one step changes. */
const maxAtOnce = 1_000

/**
 * A step of dissolving the queues of subscriptions that have no order any more, or were removed: what waits is due. Such a
 * queue may also come from an event that was being raised when order was switched off. @returns whether there was any.
 */
export const endOrder = (db: Db, now: Date): Promise<boolean> =>
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
      select ${sql.ref(`${alias}.id`)} from ${queuesGiven(queues)}
      join deliveries ${sql.ref(alias)} using (subscription_id, object_type, object_id)`
    const { numAffectedRows = 0n } = await sql`
      with chosen as materialized (
        ${ofThese('behind')} where not behind.is_head and behind.status in ('waiting', 'held') limit ${maxAtOnce}
      ),
      locked as materialized (${sql.raw(lockInOrder('select id from chosen', `status in ('waiting', 'held')`))})
      update deliveries
      set status = case status when 'waiting' then 'pending' else status end, is_head = null,
          next_attempt_at = greatest(next_attempt_at, ${now})
      where ${sql.raw(isOneOf('id', 'select id from locked'))}`.execute(tx)
    if (Number(numAffectedRows) === maxAtOnce) return true
    await sql`update deliveries set is_head = null where id = any(array(${ofThese('head')} where head.is_head))`.execute(
      tx,
    )
    await sql`
      delete from object_queues queue using ${queuesGiven(queues)}
      where queue.subscription_id = given.subscription_id and queue.object_type = given.object_type
        and queue.object_id = given.object_id`.execute(tx)
    return true
  })

/**
 * A step of putting back in the queue what was held for ordered subscriptions that are on again: what happens now waits
 * behind it. @returns whether there was any.
 */
export const resumeHeld = async (db: Db, now: Date): Promise<boolean> => {
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
  return numAffectedRows > 0n
}
