import { CompiledQuery } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import type { AttemptOutcome, DeliveryStatus } from './tables.ts'

/**
 * The queue is the `deliveries` table itself. A delivery is due when it is pending, its time has come
 * and nobody holds a live lease on it. Its life in this file:
 *
 *   due ──claim──► leased (token, until) ──finish──► delivered | failed | due again later
 *                    │  └──release──► due, as if never claimed
 *                    └── the process dies: the lease runs out, the row is due again, and the next
 *                        claim logs the lost attempt as `unknown`
 *
 * Everything after a claim says `where lease_token = mine`: a worker that lost its lease changes nothing.
 */

/** A live lease covers the wait for a connection and one whole exchange (contract, section 11). */
export const leaseMs = 30_000

export interface Claimed {
  readonly id: number
  readonly token: number
  readonly subscriptionId: number
  /** Version of the subscription at the time of the claim. */
  readonly version: number
  /** Number of the attempt that this claim begins. */
  readonly attempt: number
  readonly status: DeliveryStatus
  readonly eventType: string
  readonly sequence: number | null
  readonly body: string
}

export interface Want {
  readonly subscriptionId: number
  readonly limit: number
}

/** Begins the attempts of the picked rows; shared by both ways to pick. `$1` now, `$2` lease end, `$3` token. */
const beginAttempts = `
  lost as (
    insert into attempts (delivery_id, number, started_at, outcome, reason)
    select id, attempts, coalesce(leased_at, $1), 'unknown', 'process_lost' from picked where lease_token is not null
    on conflict do nothing
  ),
  claimed as (
    update deliveries delivery
    set lease_token = $3, leased_at = $1, leased_until = $2, attempts = delivery.attempts + 1
    from picked where delivery.id = picked.id
    returning delivery.id, delivery.event_id, delivery.subscription_id, delivery.attempts, delivery.status
  )
  select claimed.id, claimed.subscription_id as "subscriptionId", claimed.attempts as "attempt", claimed.status,
         event.type as "eventType", event.sequence, event.body, subscription.version
  from claimed
  join events event on event.id = claimed.event_id
  join subscriptions subscription on subscription.id = claimed.subscription_id
  order by claimed.id`

/** For each wanted subscription an index range scan from its oldest due row; rows in flight at its head are stepped over. */
const claimStatement = prepared(`
  with picked as (
    select due.id, due.lease_token, due.leased_at, due.attempts
    from unnest($4::bigint[], $5::integer[]) as want(subscription_id, most)
    join subscriptions subscription on subscription.id = want.subscription_id
      and subscription.is_active and (subscription.hold_until is null or subscription.hold_until <= $1)
    cross join lateral (
      select id, lease_token, leased_at, attempts from deliveries
      where subscription_id = want.subscription_id and status = 'pending' and next_attempt_at <= $1
        and (leased_until is null or leased_until <= $1)
      order by next_attempt_at
      limit want.most
      for update skip locked
    ) due
  ),${beginAttempts}`)

const claimOneStatement = prepared(`
  with picked as (
    select delivery.id, delivery.lease_token, delivery.leased_at, delivery.attempts
    from deliveries delivery
    join subscriptions subscription on subscription.id = delivery.subscription_id and subscription.deleted_at is null
    where delivery.id = $4 and (delivery.leased_until is null or delivery.leased_until <= $1)
    for update of delivery skip locked
  ),${beginAttempts}`)

const leaseParameters = (now: Date) => {
  const token = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)
  return { token, parameters: [now, new Date(now.getTime() + leaseMs), token] as const }
}

/** Claims up to `limit` due deliveries of each subscription, oldest first. The claim is also the record that an attempt began. */
export const claim = async (db: Db, now: Date, wants: readonly Want[]): Promise<Claimed[]> => {
  const { token, parameters } = leaseParameters(now)
  const ids = wants.map(({ subscriptionId }) => subscriptionId)
  const limits = wants.map(({ limit }) => limit)
  const { rows } = await db.executeQuery<Omit<Claimed, 'token'>>(
    CompiledQuery.raw(claimStatement, [...parameters, ids, limits]),
  )
  return rows.map((row) => ({ ...row, token }))
}

/** Claims one delivery whatever its status and due time; undefined when it is in flight, or its subscription has ended. */
export const claimOne = async (db: Db, now: Date, deliveryId: number): Promise<Claimed | undefined> => {
  const { token, parameters } = leaseParameters(now)
  const { rows } = await db.executeQuery<Omit<Claimed, 'token'>>(
    CompiledQuery.raw(claimOneStatement, [...parameters, deliveryId]),
  )
  const [row] = rows
  return row === undefined ? undefined : { ...row, token }
}

/** An attempt that ended, and what becomes of its delivery. */
export interface Finished {
  readonly id: number
  readonly subscriptionId: number
  readonly token: number
  readonly attempt: number
  readonly status: DeliveryStatus
  readonly nextAttemptAt: Date | null
  readonly outcome: AttemptOutcome
  readonly reason: string
  readonly startedAt: Date
  readonly finishedAt: Date
  readonly durationMs: number
  readonly responseStatus: number | null
  readonly requestHeaders: Readonly<Record<string, string>> | null
  readonly responseHeaders: Readonly<Record<string, string>> | null
  readonly responseBody: string | null
}

const finishStatement = prepared(`
  with ended as (
    select * from json_to_recordset($1::json) as row(
      "id" bigint, "token" bigint, "attempt" integer, "status" text, "nextAttemptAt" timestamptz, "outcome" text, "reason" text,
      "startedAt" timestamptz, "finishedAt" timestamptz, "durationMs" integer, "responseStatus" integer,
      "requestHeaders" jsonb, "responseHeaders" jsonb, "responseBody" text)
  ),
  finished as (
    update deliveries delivery
    set status = ended."status",
        next_attempt_at = coalesce(ended."nextAttemptAt", delivery.next_attempt_at),
        lease_token = null, leased_at = null, leased_until = null,
        last_status = ended."responseStatus", last_reason = ended."reason",
        finished_at = case when ended."status" = 'pending' then null else ended."finishedAt" end
    from ended
    where delivery.id = ended."id" and delivery.lease_token = ended."token"
    returning delivery.id
  ),
  logged as (
    insert into attempts (delivery_id, number, started_at, duration_ms, outcome, reason, response_status, request_headers, response_headers, response_body)
    select ended."id", "attempt", "startedAt", "durationMs", "outcome", "reason", "responseStatus", "requestHeaders", "responseHeaders", "responseBody"
    from ended join finished on finished.id = ended."id"
    on conflict do nothing
  )
  select id from finished`)

/** Writes the ends of any number of attempts in one statement. @returns the deliveries whose lease was still ours. */
export const finish = async (db: Db, ended: readonly Finished[]): Promise<Set<number>> => {
  const { rows } = await db.executeQuery<{ id: number }>(CompiledQuery.raw(finishStatement, [JSON.stringify(ended)]))
  return new Set(rows.map(({ id }) => id))
}

const releaseStatement = `
  update deliveries delivery
  set lease_token = null, leased_at = null, leased_until = null, attempts = delivery.attempts - 1
  from unnest($1::bigint[], $2::bigint[]) as given(id, token)
  where delivery.id = given.id and delivery.lease_token = given.token`

/** Gives claims back whose attempt never began: they are due again and have spent nothing. */
export const release = async (db: Db, claims: readonly Pick<Claimed, 'id' | 'token'>[]): Promise<void> => {
  await db.executeQuery(
    CompiledQuery.raw(releaseStatement, [claims.map(({ id }) => id), claims.map(({ token }) => token)]),
  )
}

/** Ends every lease. Only when no other process can hold one: the embedded database at start. */
export const releaseAll = async (db: Db): Promise<void> => {
  await db.executeQuery(
    CompiledQuery.raw(
      `update deliveries set leased_until = leased_at where status = 'pending' and leased_until is not null`,
    ),
  )
}

export interface NextDue {
  readonly subscriptionId: number
  readonly dueAt: Date
}

/**
 * When each subscription that has pending deliveries is next due. Steps through the index from one
 * subscription to the next, so the cost grows with their number and not with the backlog's.
 */
const nextDueStatement = prepared(`
  with recursive waiting as (
    (select subscription_id, next_attempt_at from deliveries
     where status = 'pending' order by subscription_id, next_attempt_at limit 1)
    union all
    select following.* from waiting cross join lateral (
      select subscription_id, next_attempt_at from deliveries
      where status = 'pending' and subscription_id > waiting.subscription_id
      order by subscription_id, next_attempt_at limit 1
    ) following
  )
  select waiting.subscription_id as "subscriptionId", greatest(waiting.next_attempt_at, subscription.hold_until) as "dueAt"
  from waiting join subscriptions subscription on subscription.id = waiting.subscription_id and subscription.is_active`)

export const nextDue = async (db: Db): Promise<readonly NextDue[]> =>
  (await db.executeQuery<NextDue>(CompiledQuery.raw(nextDueStatement))).rows

/** Cancels what a transaction queued for a subscription while another one was ending it. @returns how many. */
export const cancelOrphans = async (db: Db): Promise<number> => {
  const statement = `
    update deliveries set status = 'cancelled', lease_token = null, leased_until = null, finished_at = now(), last_reason = 'unsubscribed'
    where status = 'pending' and subscription_id in (select id from subscriptions where deleted_at is not null)`
  return Number((await db.executeQuery(CompiledQuery.raw(statement))).numAffectedRows ?? 0n)
}
