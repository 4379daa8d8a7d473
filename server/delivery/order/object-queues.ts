import { CompiledQuery, sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import { isOneOf, lockInOrder } from '../queue/claim.ts'
import type { Lane } from '../tables/tables.ts'

/**
 * Order within an object, for subscriptions that ask for it (contract, section 4).
 *
 * Of each object only the head is pending or under way; those behind it are `waiting` (`held`, while the engine has the
 * subscription switched off), outside of the index of what is due. A row of `object_queues` stands for each object that
 * has a head. Whoever makes or changes a head holds that row:
 *
 * Locks are taken in one order: queues by their keys, then deliveries by their ids. Where several rows have to be locked,
 * or a statement waits with one in hand, PostgreSQL may still find a deadlock: each statement that is not part of a longer
 * transaction is run again (`retried`).
 *
 * - The insert of an event locks or makes the row. A delivery that made it is the head, all others wait. It compares with
 *   `head_sequence`, because a statement that waited for a row sees that row as it is, and everything else as it was.
 * - A head that ends, in whatever way, stays marked as head and so is found by `deliveries_ended_heads`. A step of its
 *   own (`release-ended.ts`) locks the row and then, in a second statement, makes the next one head, or removes the row.
 *   So no statement that ends a delivery has to know of order, or waits for a transaction that raises events; and a
 *   process that dies between the two leaves a head that the next look finds, in whatever process.
 */
export interface ObjectQueue {
  readonly subscriptionId: number
  readonly objectType: string
  readonly objectId: string
}

/** Deliveries that are due now. */
export type Due = readonly { readonly subscriptionId: number; readonly lane: Lane }[]

/** Statuses of a head that has to make room for the next. */
export const endedStatuses = sql`('delivered', 'failed', 'cancelled')`

/** The next one of each queue is one probe of an index, however many wait. */
const promoteStatement = prepared(`
  with queue as materialized (
    select * from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[]) as queue(subscription_id, object_type, object_id, ended)
  ),
  next as materialized (
    select queue.*, found.id, found.sequence
    from queue left join lateral (
      select id, sequence from deliveries behind
      where behind.subscription_id = queue.subscription_id and behind.object_type = queue.object_type
        and behind.object_id = queue.object_id and not is_head and status in ('waiting', 'held')
      order by sequence limit 1
    ) found on true
  ),
  locked as materialized (
    ${lockInOrder('select id from next', `not is_head and status in ('waiting', 'held')`)}
  ),
  promoted as (
    update deliveries
    set is_head = true, status = case status when 'waiting' then 'pending' else status end,
        next_attempt_at = greatest(next_attempt_at, $5)
    where ${isOneOf('id', 'select id from locked')}
    returning id, subscription_id, lane, status
  ),
  -- One that was cancelled at this moment is not the next: its queue is looked at again.
  done as (
    select next.* from next left join promoted on promoted.id = next.id where next.id is null or promoted.id is not null
  ),
  moved as (
    update object_queues queue set head_sequence = done.sequence from done
    where done.id is not null and queue.subscription_id = done.subscription_id
      and queue.object_type = done.object_type and queue.object_id = done.object_id
  ),
  closed as (
    delete from object_queues queue using done
    where done.id is null and queue.subscription_id = done.subscription_id
      and queue.object_type = done.object_type and queue.object_id = done.object_id
  ),
  released as (
    update deliveries set is_head = null where ${isOneOf('id', 'select ended as id from done')} and is_head
  )
  select subscription_id as "subscriptionId", lane from promoted where status = 'pending'`)

/**
 * Makes the next delivery of each queue its head; a queue without one ends. The transaction holds the rows of the queues
 * since an earlier statement, and those of the heads that have ended.
 */
export const promote = async (
  tx: Tx,
  queues: readonly (ObjectQueue & { readonly ended?: number })[],
  now: Date,
): Promise<Due> => {
  if (queues.length === 0) return []
  const parameters = [
    queues.map(({ subscriptionId }) => subscriptionId),
    queues.map(({ objectType }) => objectType),
    queues.map(({ objectId }) => objectId),
    queues.map(({ ended }) => ended ?? null),
    now,
  ]
  return (await tx.executeQuery<Due[number]>(CompiledQuery.raw(promoteStatement, parameters))).rows
}

/** Queues as a table `given` of a statement. */
export const queuesGiven = (
  queues: readonly ObjectQueue[],
) => sql`unnest(${queues.map(({ subscriptionId }) => subscriptionId)}::bigint[],
    ${queues.map(({ objectType }) => objectType)}::text[], ${queues.map(({ objectId }) => objectId)}::text[])
    as given(subscription_id, object_type, object_id)`

/** Locks the rows of queues until the end of the transaction, and makes those that are missing. */
export const lockQueues = async (tx: Tx, queues: readonly ObjectQueue[]): Promise<void> => {
  await sql`
    insert into object_queues as queue (subscription_id, object_type, object_id, head_sequence)
    select distinct subscription_id, object_type, object_id, 0 from ${queuesGiven(queues)} order by subscription_id, object_type, object_id
    on conflict (subscription_id, object_type, object_id) do update set head_sequence = queue.head_sequence`.execute(tx)
}

/** Gives a head to each locked queue that has none; a queue without deliveries ends. */
export const giveMissingHeads = async (tx: Tx, queues: readonly ObjectQueue[], now: Date): Promise<Due> => {
  const { rows } = await sql<ObjectQueue>`
    select distinct subscription_id, object_type, object_id from ${queuesGiven(queues)}
    where not exists (
      select from deliveries head where head.subscription_id = given.subscription_id
        and head.object_type = given.object_type and head.object_id = given.object_id and is_head)`.execute(tx)
  return promote(tx, rows, now)
}

/** Gives a head to each queue that has none, after deliveries were put behind it. */
export const giveHeads = async (tx: Tx, queues: readonly ObjectQueue[], now: Date): Promise<Due> => {
  if (queues.length === 0) return []
  await lockQueues(tx, queues)
  return giveMissingHeads(tx, queues, now)
}
