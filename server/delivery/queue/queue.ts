import { CompiledQuery } from 'kysely'
import { hourMs } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import { retried } from '#platform/db/transaction.ts'
import { isOneOf, lockInOrder, type Claimed } from './claim.ts'

/**
 * The queue is the `deliveries` table itself. A delivery is due when it is pending, its time has come,
 * nobody holds a live lease on it, and its subscription is active and not asked to be quiet. Its life:
 *
 *   due ──claim──► leased (token, until) ──finish──► delivered | failed | due again later
 *                    │  └──release──► due, as if never claimed
 *                    └── the process dies: the lease runs out, the row is due again, and the next
 *                        claim logs the lost attempt as `unknown`
 *
 * Everything after a claim says `where lease_token = mine`: a worker that lost its lease changes nothing.
 */

export const releaseStatement = `
  update deliveries delivery
  set lease_token = null, leased_at = null, leased_until = null, attempts = delivery.attempts - 1
  from unnest($1::bigint[], $2::bigint[]) as given(id, token)
  where delivery.id = given.id and delivery.lease_token = given.token and ${isOneOf('delivery.id', 'select unnest($1::bigint[]) as id')}`

/** Gives claims back whose attempt never began: they are due again and have spent nothing. */
export const release = async (db: Db, claims: readonly Pick<Claimed, 'id' | 'token'>[]): Promise<void> => {
  const query = CompiledQuery.raw(releaseStatement, [claims.map(({ id }) => id), claims.map(({ token }) => token)])
  await retried(() => db.executeQuery(query))
}

/** Ends every lease. Only when no other process can hold one: the embedded database at start. */
export const releaseAll = async (db: Db): Promise<void> => {
  await db.executeQuery(
    CompiledQuery.raw(
      `update deliveries set leased_until = least(leased_at, now()) where status = 'pending' and leased_until is not null`,
    ),
  )
}

/**
 * A recursive part of a statement: the oldest pending delivery of each subscription and lane. Steps through the index
 * from one to the next, so the cost grows with their number and not with the backlog's.
 */
export const queueHeads = `heads as (
    (select subscription_id, lane, next_attempt_at from deliveries
     where status = 'pending' order by subscription_id, lane, next_attempt_at limit 1)
    union all
    select following.* from heads cross join lateral (
      select subscription_id, lane, next_attempt_at from deliveries
      where status = 'pending' and (subscription_id, lane) > (heads.subscription_id, heads.lane)
      order by subscription_id, lane, next_attempt_at limit 1
    ) following
  )`

/** When each subscription that has pending deliveries is next due, in each lane. */
const nextDueStatement = prepared(`
  with recursive ${queueHeads}
  select heads.subscription_id as "subscriptionId", heads.lane,
         greatest(heads.next_attempt_at, subscription.hold_until, subscription.paused_until,
                  subscription.rate_full_at + make_interval(secs => (1 - subscription.rate_burst) / subscription.rate_per_second)
         ) as "dueAt"
  from heads join subscriptions subscription on subscription.id = heads.subscription_id and subscription.is_active
    and ordering_since is null`)

export const nextDue = async (
  db: Db,
): Promise<readonly (Pick<Claimed, 'subscriptionId' | 'lane'> & { readonly dueAt: Date })[]> =>
  (
    await db.executeQuery<Pick<Claimed, 'subscriptionId' | 'lane'> & { dueAt: Date }>(
      CompiledQuery.raw(nextDueStatement),
    )
  ).rows

/** Cancelled in one statement: other work goes on between two. */
const cancelledAtOnce = 5_000
const statementsInALook = 10

const cancelledStatuses = ['waiting', 'pending', 'held'] as const
type CancelledStatus = (typeof cancelledStatuses)[number]

/** Cancels some of what waits for those subscriptions that a query with one parameter finds. One statement for each status: each has an index of its own. */
const cancelStatement = (status: CancelledStatus, subscriptions: string) => `
  with chosen as materialized (
    select id from deliveries
    where status = '${status}'${status === 'waiting' ? ' and not is_head' : ''} and subscription_id in (${subscriptions})
    limit ${cancelledAtOnce}
  ),
  locked as materialized (${lockInOrder('select id from chosen', `status = '${status}'`)})
  update deliveries set status = 'cancelled', lease_token = null, leased_until = null, finished_at = now(), last_reason = 'unsubscribed'
  where ${isOneOf('id', 'select id from locked')}`

const cancelSome = async (db: Db, subscriptions: string, parameter: unknown): Promise<number> => {
  let cancelled = 0
  for (const status of cancelledStatuses) {
    const query = CompiledQuery.raw(cancelStatement(status, subscriptions), [parameter])
    cancelled += Number((await db.executeQuery(query)).numAffectedRows ?? 0n)
  }
  return cancelled
}

/** Cancels what waits for a subscription that ends in this transaction. Of many thousands the workers cancel the rest, step by step. */
export const cancelWaiting = async (db: Db, subscriptionId: number): Promise<void> => {
  await cancelSome(db, 'select $1::bigint', subscriptionId)
}

/**
 * Cancels what was too much for `cancelWaiting`, or queued meanwhile. Looks only at subscriptions that ended in the last
 * hour: the check of invariants finds what is older. @returns how many.
 */
export const cancelOrphans = async (db: Db, now: Date): Promise<number> => {
  const since = new Date(now.getTime() - hourMs)
  let cancelled = 0
  for (let statement = 0; statement < statementsInALook; statement++) {
    const some = await retried(() => cancelSome(db, 'select id from subscriptions where deleted_at > $1', since))
    cancelled += some
    if (some < cancelledAtOnce) break
  }
  return cancelled
}
