import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { giveHeads, type ObjectQueue } from '../order/object-queues.ts'
import type { DeliveryStatus } from '../tables/tables.ts'

/** A delivery that nobody else changes before the transaction ends. */
export interface LockedDelivery {
  readonly id: number
  readonly subscriptionId: number
  readonly status: DeliveryStatus
  /** An attempt of it is under way, or its process has died within the time of a lease. */
  readonly isLeased: boolean
}

/** Locks the queues of their objects, as a release does, and then deliveries in the order of their ids: whoever wants the same ones waits. */
export const lockDeliveries = async (tx: Tx, ids: readonly number[], now: Date): Promise<LockedDelivery[]> => {
  await sql`
    with object as materialized (
      select distinct subscription_id, object_type, object_id from deliveries where id = any(${[...ids]}::bigint[])
    )
    select from object_queues queue join object using (subscription_id, object_type, object_id)
    order by subscription_id, object_type, object_id
    for update of queue`.execute(tx)
  const rows = await tx
    .selectFrom('deliveries')
    .select(['id', 'subscriptionId', 'status', 'leasedUntil'])
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ leasedUntil, ...row }) => ({ ...row, isLeased: leasedUntil !== null && leasedUntil > now }))
}

/**
 * Puts locked deliveries back in the queue: they are due at once, in the lane of retries, in the order of
 * their ids, or with order, in their places behind the heads of their objects. Budget and back-off start again; the webhook-id and the bytes stay the same. The attempt of a
 * process that died is logged as the next claim would log it, and its late end changes nothing any more.
 * @returns those that were put back: one whose event is dropped already has nothing to send.
 */
export const putBack = async (tx: Tx, deliveries: readonly LockedDelivery[], now: Date): Promise<LockedDelivery[]> => {
  if (deliveries.length === 0) return []
  const { rows } = await sql<{ id: number; isBehind: boolean } & ObjectQueue>`
    with given as materialized (
      select delivery.id, attempts, lease_token, leased_at, row_number() over (order by delivery.id desc) as place,
             event.sequence, is_ordered and addressee is null and is_head is not true as is_behind
      from deliveries delivery
      join events event on event.id = event_id
      join subscriptions subscription on subscription.id = subscription_id
      where delivery.id = any(${deliveries.map(({ id }) => id)}::bigint[])
    ),
    lost as (
      insert into attempts (delivery_id, number, started_at, outcome, reason)
      select id, attempts, coalesce(leased_at, ${now}::timestamptz), 'unknown', 'process_lost'
      from given where lease_token is not null
      on conflict do nothing
    )
    update deliveries delivery
    set status = case when is_behind then 'waiting' else 'pending' end, lane = 1,
        is_head = case when is_behind then false else is_head end,
        sequence = case when is_behind then given.sequence else delivery.sequence end, next_attempt_at = ${now}::timestamptz - make_interval(secs => given.place / 1000000.0),
        attempts_before = delivery.attempts, finished_at = null, lease_token = null, leased_at = null, leased_until = null
    from given where delivery.id = given.id
    returning delivery.id, subscription_id, object_type, object_id, is_behind`.execute(tx)
  await giveHeads(
    tx,
    rows.filter(({ isBehind }) => isBehind),
    now,
  )
  const done = new Set(rows.map(({ id }) => id))
  return deliveries.filter(({ id }) => done.has(id))
}

/** Holds back everybody else who queues deliveries for events of the past to these subscriptions: none gets two of one event. */
export const lockMissing = async (tx: Tx, subscriptionIds: readonly number[]): Promise<void> => {
  for (const id of subscriptionIds.toSorted((one, other) => one - other))
    await sql`select pg_advisory_xact_lock(hashtextextended('waybill:missing-deliveries', ${id}))`.execute(tx)
}

/** A delivery that an event does not have. */
export interface MissingDelivery {
  readonly eventId: number
  readonly subscriptionId: number
}

/**
 * Puts locked deliveries back and queues missing ones; `lockMissing` first, and then look which those are.
 * @returns the subscription of each that was queued.
 */
export const queueAgain = async (
  tx: Tx,
  again: readonly LockedDelivery[],
  missing: readonly MissingDelivery[],
  now: Date,
): Promise<number[]> => {
  const queued = [...(await putBack(tx, again, now)), ...missing].map(({ subscriptionId }) => subscriptionId)
  await insertDeliveries(tx, missing, 1, now)
  return queued
}

/** Makes deliveries that events lack, due at once in the order of the events, or with order, in their places behind the heads. */
export const insertDeliveries = async (
  tx: Tx,
  missing: readonly MissingDelivery[],
  lane: 0 | 1,
  now: Date,
): Promise<void> => {
  if (missing.length === 0) return
  const { rows } = await sql<ObjectQueue & { isHead: boolean | null }>`
    insert into deliveries (event_id, subscription_id, envelope, lane, next_attempt_at, event_type, object_type, object_id,
                            status, sequence, is_head)
    select event_id, subscription.id, subscription.envelope, ${lane},
           ${now}::timestamptz - make_interval(secs => row_number() over (order by event_id desc) / 1000000.0),
           event.type, object_type, object_id,
           case when not subscription.is_active then 'held' when is_ordered and addressee is null then 'waiting' else 'pending' end,
           case when is_ordered and addressee is null then event.sequence end,
           case when is_ordered and addressee is null then false end
    from unnest(${missing.map(({ eventId }) => eventId)}::bigint[], ${missing.map((one) => one.subscriptionId)}::bigint[])
      as missing(event_id, subscription_id)
    join events event on event.id = event_id
    join subscriptions subscription on subscription.id = subscription_id
    order by event_id
    returning subscription_id, object_type, object_id, is_head`.execute(tx)
  await giveHeads(
    tx,
    rows.filter(({ isHead }) => isHead === false),
    now,
  )
}
