import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { queueHeads } from '../queue/queue.ts'

/** What waits to be delivered, over all processes. */
export interface Backlog {
  /** Deliveries of active subscriptions whose time has come. Counted up to 10,000; above that what the database last estimated. */
  readonly due: number
  /** Since when the oldest of them that nothing holds back has been waiting; null when none has. */
  readonly oldestDueAt: Date | null
  /** Deliveries that wait for an earlier one of their object, counted up to 10,000. */
  readonly waiting: number
  /** Subscriptions by health; `off` was switched off by somebody. */
  readonly subscriptions: Readonly<Record<string, number>>
}

const countedDue = 10_000

/** Measures the backlog in milliseconds, however long it is: stops counting where more would say nothing new. */
export const measureBacklog = async (db: Db, now: Date): Promise<Backlog> => {
  const measured = await sql<{ due: number; waiting: number; oldestDueAt: Date | null }>`
    with recursive ${sql.raw(queueHeads)},
    lanes as materialized (
      select heads.subscription_id, heads.lane,
             greatest(subscription.hold_until, subscription.paused_until, subscription.rate_full_at
               + make_interval(secs => (1 - subscription.rate_burst) / subscription.rate_per_second)) as ready_at
      from heads join subscriptions subscription on subscription.id = heads.subscription_id and subscription.is_active
    )
    select
      (select count(*) from (
         select from lanes cross join lateral (
           select from deliveries
           where status = 'pending' and subscription_id = lanes.subscription_id and lane = lanes.lane and next_attempt_at <= ${now}
           limit ${countedDue}
         ) due limit ${countedDue}
       ) counted) as due,
      (select count(*) from (
         select from deliveries where status = 'waiting' and not is_head limit ${countedDue}
       ) counted) as waiting,
      (select min(greatest(oldest.next_attempt_at, lanes.ready_at)) from lanes cross join lateral (
         select next_attempt_at from deliveries
         where status = 'pending' and subscription_id = lanes.subscription_id and lane = lanes.lane and next_attempt_at <= ${now}
           and (leased_until is null or leased_until <= ${now})
         order by next_attempt_at limit 1
       ) oldest
       where lanes.ready_at is null or lanes.ready_at <= ${now}) as oldest_due_at`.execute(db)
  const { due = 0, waiting = 0, oldestDueAt = null } = measured.rows[0] ?? {}
  return {
    due: due < countedDue ? due : Math.max(due, await estimatedPending(db)),
    waiting,
    oldestDueAt,
    subscriptions: await countSubscriptions(db),
  }
}

/** Entries of the queue's index, as the last vacuum or analyze of each partition counted them. */
const estimatedPending = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ pending: number }>`
    select coalesce(sum(greatest(reltuples, 0)), 0)::bigint as pending from pg_class
    where oid in (select inhrelid from pg_inherits where inhparent = 'deliveries_due'::regclass)`.execute(db)
  return rows[0]?.pending ?? 0
}

const countSubscriptions = async (db: Db): Promise<Record<string, number>> => {
  const { rows } = await sql<{ health: string; count: number }>`
    select case when is_active or disabled_reason in ('failing', 'gone') then health else 'off' end as health, count(*)
    from subscriptions where deleted_at is null group by 1`.execute(db)
  return Object.fromEntries(rows.map(({ health, count }) => [health, count]))
}
