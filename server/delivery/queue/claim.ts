import { CompiledQuery } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import { retried } from '#platform/db/transaction.ts'
import type { Envelope } from '../tables/envelope.ts'
import type { DeliveryStatus, Lane } from '../tables/tables.ts'

/** A live lease covers the wait for a connection and one whole exchange (contract, section 11). */
export const leaseMs = 30_000

export interface Claimed {
  readonly id: number
  readonly token: number
  readonly subscriptionId: number
  /** Version of the subscription at the time of the claim. */
  readonly version: number
  /** Number of the attempt that this claim begins, and how many of those before it do not count. */
  readonly attempt: number
  readonly attemptsBefore: number
  readonly lane: Lane
  readonly status: DeliveryStatus
  readonly envelope: Envelope
  readonly eventType: string
  /** Somebody tries the subscription out. */
  readonly isTest: boolean
  readonly sequence: number | null
  readonly eventId: number
  /** Media type of content that is passed through, whose bytes the body has in base64url; null for JSON. */
  readonly contentType: string | null
  /** null when it has more than `maxClaimedBytes`: the attempt reads it when there is room for it. */
  readonly body: string | null
  readonly bodyBytes: number
  /** The subscription has failures on record: a success is worth writing down there. */
  readonly isTroubled: boolean
  /** With order: others about the same object may wait for this one. */
  readonly isHead: boolean | null
  /** When a subscription with a rate limit may next be asked for; null without one. */
  readonly nextTokenAt: Date | null
  /** The trace that its event is of; null where nothing was traced. */
  readonly traceparent: string | null
}

export interface Want {
  readonly subscriptionId: number
  readonly lane: Lane
  /** At most `maxPerClaim`. */
  readonly limit: number
}

/** Deliveries of one subscription that one claim can bring. */
export const maxPerClaim = 256

/** Bytes of a body that a claim brings: with a thousand in flight, 64 MiB. Longer ones, which are few, cost a read each. */
export const maxClaimedBytes = 65_536

/**
 * The condition that a key of a partitioned table is one of those that a query finds, for use where these are few and the
 * table is large. Whatever its statistics say, the planner takes the index for an array, and the bounds spare it the
 * partitions that none of the keys can be in; of a join it may think that reading the whole table is cheaper.
 * @param column the key, in SQL.
 * @param keys a query for one column named `id`, in SQL; it runs three times, so let it be of a materialized part.
 */
export const isOneOf = (column: string, keys: string): string => `(
  ${column} = any (array(${keys}))
  and ${column} between (select min(id) from (${keys}) one) and (select max(id) from (${keys}) one)
)`

/**
 * Locks deliveries in the order of their ids, as whoever locks several does: two who want the same ones wait instead of
 * deadlocking. @param keys see isOneOf. @param condition holds when the lock is there.
 */
export const lockInOrder = (keys: string, condition: string): string =>
  `select id from deliveries where ${isOneOf('id', keys)} and ${condition} order by id for update`

/**
 * Begins the attempts of the picked rows; shared by both ways to pick. `$1` now, `$2` lease end, `$3` token.
 *
 * Rows are looked up by arrays, and not by a join with `picked`: the planner does not know how few those are, and with
 * one large backlog chose to read every delivery there is (0.5 s with 1,000,000). For an array it always takes the
 * index; the bounds beside it leave out the weeks that none of them is in.
 */
const beginAttempts = (nextTokenAt: string, alsoSet = '') => `
  lost as (
    insert into attempts (delivery_id, number, started_at, outcome, reason)
    select id, attempts, coalesce(leased_at, $1), 'unknown', 'process_lost' from picked where lease_token is not null
    on conflict do nothing
  ),
  claimed as (
    update deliveries delivery
    set lease_token = $3, leased_at = $1, leased_until = $2, attempts = delivery.attempts + 1${alsoSet}
    where ${isOneOf('delivery.id', 'select id from picked')}
    returning delivery.id, delivery.event_id, delivery.subscription_id, delivery.attempts, delivery.attempts_before,
              delivery.lane, delivery.status, delivery.envelope, delivery.is_head
  )
  select claimed.id, claimed.subscription_id as "subscriptionId", claimed.attempts as "attempt",
         claimed.attempts_before as "attemptsBefore", claimed.lane, claimed.status,
         claimed.envelope, claimed.is_head as "isHead", event.is_test as "isTest",
         event.type as "eventType", event.sequence, event.id as "eventId", event.content_type as "contentType",
         -- The length is known without reading what lies outside of the row.
         octet_length(event.body) as "bodyBytes",
         case when octet_length(event.body) <= ${maxClaimedBytes} then event.body end as body, subscription.version,
         subscription.failures > 0 or subscription.health <> 'healthy' as "isTroubled",
         event.traceparent, ${nextTokenAt} as "nextTokenAt"
  from claimed
  join events event on event.id = claimed.event_id and ${isOneOf('event.id', 'select event_id as id from picked')}
  join subscriptions subscription on subscription.id = claimed.subscription_id`

/**
 * For each wanted subscription and lane an index range scan from its oldest due row; rows in flight at
 * its head are stepped over. A subscription that is failing, tried out or has a rate limit passes `gate`,
 * where its row is locked, so that over all processes it gets one delivery at a time, or what its bucket
 * holds: `rate_burst` tokens minus what refills until `rate_full_at`. Another claim that holds the row is
 * waited for and not stepped over: it may find nothing in its lane where this one finds something.
 */
export const claimStatement = prepared(`
  with gate as materialized (
    select id, least(
      case when health <> 'healthy' then 1 end,
      floor(rate_burst - rate_per_second * extract(epoch from greatest(coalesce(rate_full_at, $1), $1) - $1)::float8 + 0.000001)::integer
    ) as allowance
    from subscriptions
    where id = any($4::bigint[]) and is_active and ordering_since is null and (health <> 'healthy' or rate_per_second is not null)
      and (hold_until is null or hold_until <= $1) and (paused_until is null or paused_until <= $1)
    order by id
    for update
  ),
  open as (
    select id, allowance from gate where allowance is null or allowance > 0
    union all
    select id, null from subscriptions
    where id = any($4::bigint[]) and is_active and ordering_since is null and health = 'healthy' and rate_per_second is null
      and (hold_until is null or hold_until <= $1)
  ),
  due as (
    select found.*, open.allowance,
           case when open.allowance is not null
                then row_number() over (partition by found.subscription_id order by found.next_attempt_at) end as place
    from unnest($4::bigint[], $5::smallint[], $6::integer[]) as want(subscription_id, lane, most)
    join open on open.id = want.subscription_id
    cross join lateral (
      select * from (
        select id, event_id, subscription_id, next_attempt_at, lease_token, leased_at, attempts from deliveries
        where subscription_id = want.subscription_id and lane = want.lane and status = 'pending' and next_attempt_at <= $1
          and (leased_until is null or leased_until <= $1)
        order by next_attempt_at
        limit least(want.most, open.allowance)
        for update skip locked
      ) one
      limit ${maxPerClaim} -- tells the planner how many these can be
    ) found
  ),
  picked as (select * from due where allowance is null or place <= allowance),
  passed as (
    update subscriptions subscription
    set paused_until = case when health <> 'healthy' then $2 else paused_until end,
        rate_full_at = greatest(coalesce(rate_full_at, $1), $1) + make_interval(secs => taken.count / rate_per_second)
    from (select subscription_id, count(*) from picked where allowance is not null group by subscription_id) taken
    where subscription.id = taken.subscription_id
    returning subscription.id, rate_full_at + make_interval(secs => (1 - rate_burst) / rate_per_second) as next_token_at
  ),${beginAttempts('passed.next_token_at')}
  left join passed on passed.id = claimed.subscription_id
  order by claimed.id`)

/**
 * With order, one that is not in the queue of its object comes to its head for the attempt, or is not tried: of an object
 * never two are under way. None is while the subscription is being put in order.
 */
const claimOneStatement = prepared(`
  with target as materialized (
    select delivery.id, delivery.event_id, delivery.lease_token, delivery.leased_at, delivery.attempts, delivery.is_head,
           delivery.subscription_id, delivery.object_type, delivery.object_id, event.sequence,
           subscription.is_ordered and event.addressee is null as is_ordered
    from deliveries delivery
    join subscriptions subscription on subscription.id = delivery.subscription_id and subscription.deleted_at is null
      and ordering_since is null
    join events event on event.id = delivery.event_id
    where delivery.id = $4 and (delivery.leased_until is null or delivery.leased_until <= $1)
      and (delivery.is_head is not false or delivery.status in ('delivered', 'failed', 'cancelled'))
    for update of delivery skip locked
  ),
  queue as (
    insert into object_queues (subscription_id, object_type, object_id, head_sequence)
    select subscription_id, object_type, object_id, sequence from target where is_ordered and is_head is not true
    on conflict do nothing
    returning head_sequence
  ),
  picked as materialized (
    select * from target where is_head or not is_ordered or exists (select from queue)
  ),${beginAttempts(
    'null::timestamptz',
    `,
        is_head = case when exists (select from queue) then true else is_head end,
        sequence = coalesce(sequence, (select head_sequence from queue))`,
  )}`)

/** A new lease: its token, and when it ends. */
export const makeLease = (now: Date) => ({
  token: Math.floor(Math.random() * Number.MAX_SAFE_INTEGER),
  leasedUntil: new Date(now.getTime() + leaseMs),
})

const leaseParameters = (now: Date) => {
  const { token, leasedUntil } = makeLease(now)
  return { token, parameters: [now, leasedUntil, token] as const }
}

/** Claims up to `limit` due deliveries of each subscription and lane, oldest first. The claim is also the record that an attempt began. */
export const claim = async (db: Db, now: Date, wants: readonly Want[]): Promise<Claimed[]> => {
  const { token, parameters } = leaseParameters(now)
  const ids = wants.map(({ subscriptionId }) => subscriptionId)
  const lanes = wants.map(({ lane }) => lane)
  const limits = wants.map(({ limit }) => limit)
  const query = CompiledQuery.raw(claimStatement, [...parameters, ids, lanes, limits])
  const { rows } = await retried(() => db.executeQuery<Claimed>(query))
  return rows.map((row) => Object.assign(row, { token }))
}

/** Claims one delivery whatever its status and due time; undefined when it is in flight, or its subscription has ended. */
export const claimOne = async (db: Db, now: Date, deliveryId: number): Promise<Claimed | undefined> => {
  const { token, parameters } = leaseParameters(now)
  const query = CompiledQuery.raw(claimOneStatement, [...parameters, deliveryId])
  const { rows } = await retried(() => db.executeQuery<Claimed>(query))
  const [row] = rows
  return row === undefined ? undefined : { ...row, token }
}
