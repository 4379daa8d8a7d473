import { CompiledQuery } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import { isOneOf } from './is-one-of.ts'
import type { Claimed } from './claim.ts'
import type { Lane } from '../tables.ts'

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
  await db.executeQuery(
    CompiledQuery.raw(releaseStatement, [claims.map(({ id }) => id), claims.map(({ token }) => token)]),
  )
}

/** Ends every lease. Only when no other process can hold one: the embedded database at start. */
export const releaseAll = async (db: Db): Promise<void> => {
  await db.executeQuery(
    CompiledQuery.raw(
      `update deliveries set leased_until = least(leased_at, now()) where status = 'pending' and leased_until is not null`,
    ),
  )
}

export interface NextDue {
  readonly subscriptionId: number
  readonly lane: Lane
  readonly dueAt: Date
}

/**
 * When each subscription that has pending deliveries is next due, in each lane. Steps through the index
 * from one to the next, so the cost grows with their number and not with the backlog's.
 */
const nextDueStatement = prepared(`
  with recursive waiting as (
    (select subscription_id, lane, next_attempt_at from deliveries
     where status = 'pending' order by subscription_id, lane, next_attempt_at limit 1)
    union all
    select following.* from waiting cross join lateral (
      select subscription_id, lane, next_attempt_at from deliveries
      where status = 'pending' and (subscription_id, lane) > (waiting.subscription_id, waiting.lane)
      order by subscription_id, lane, next_attempt_at limit 1
    ) following
  )
  select waiting.subscription_id as "subscriptionId", waiting.lane,
         greatest(waiting.next_attempt_at, subscription.hold_until, subscription.paused_until,
                  subscription.rate_full_at + make_interval(secs => (1 - subscription.rate_burst) / subscription.rate_per_second)
         ) as "dueAt"
  from waiting join subscriptions subscription on subscription.id = waiting.subscription_id and subscription.is_active`)

export const nextDue = async (db: Db): Promise<readonly NextDue[]> =>
  (await db.executeQuery<NextDue>(CompiledQuery.raw(nextDueStatement))).rows

/**
 * Cancels what a transaction queued for a subscription while another one was ending it. Looks only at those
 * that ended in the last hour: the check of invariants finds what is older. @returns how many.
 */
export const cancelOrphans = async (db: Db, now: Date): Promise<number> => {
  const since = new Date(now.getTime() - 3_600_000)
  let cancelled = 0
  // One after the other: each of the two has an index of its own.
  for (const status of ['pending', 'held']) {
    const statement = `
      update deliveries set status = 'cancelled', lease_token = null, leased_until = null, finished_at = now(), last_reason = 'unsubscribed'
      where status = '${status}' and subscription_id in (select id from subscriptions where deleted_at > $1)`
    cancelled += Number((await db.executeQuery(CompiledQuery.raw(statement, [since]))).numAffectedRows ?? 0n)
  }
  return cancelled
}
