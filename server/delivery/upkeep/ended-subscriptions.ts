import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { findingOf, type CheckOptions, type Finding } from './finding.ts'

/** Deliveries closed by one statement. */
const maxAtOnce = 10_000

/** What waits for a subscription that ends is cancelled in steps; a million takes workers a minute or two. */
const cancelMs = 600_000

/** Each status with the index that holds it, which the planner only recognizes by the whole order. */
const waiting = [
  { status: sql`'pending'`, order: sql`subscription_id, lane, next_attempt_at` },
  { status: sql`'held'`, order: sql`subscription_id, id` },
  { status: sql`'waiting' and not is_head`, order: sql`subscription_id, object_type, object_id, sequence` },
]

/** Deliveries that wait although their subscription ended a while ago. Steps through the index from one subscription to the next. */
const orphansOf = ({ status, order }: (typeof waiting)[number], settleMs: number) => sql<{ id: number }>`
  with recursive waiting as (
    (select subscription_id from deliveries where status = ${status} order by ${order} limit 1)
    union all
    select following.subscription_id from waiting cross join lateral (
      select subscription_id from deliveries
      where status = ${status} and subscription_id > waiting.subscription_id
      order by ${order} limit 1
    ) following
  )
  select delivery.id
  from waiting
  left join subscriptions subscription on subscription.id = waiting.subscription_id
  join deliveries delivery on delivery.subscription_id = waiting.subscription_id and delivery.status = ${status}
  where (subscription.id is null or subscription.deleted_at < clock_timestamp() - interval '${sql.raw(String(cancelMs))} ms')
    and delivery.id < time_id_floor(clock_timestamp() - ${settleMs} * interval '1 ms')
  limit ${maxAtOnce}`

const cancel = async (tx: Tx, ids: readonly number[]): Promise<number> => {
  const { rows } = await sql`
    update deliveries
    set status = 'cancelled', last_reason = 'unsubscribed', finished_at = clock_timestamp(),
        lease_token = null, leased_at = null, leased_until = null
    where status in ('pending', 'held', 'waiting') and id = any(${ids}::bigint[])
    returning id`.execute(tx)
  return rows.length
}

/** Checks that nothing waits for a subscription that has ended: what is left after ten minutes escaped the workers. */
export const checkEnded = async (tx: Tx, { settleMs, repair }: Omit<CheckOptions, 'now'>): Promise<Finding> => {
  const ids: number[] = []
  for (const one of waiting) ids.push(...(await orphansOf(one, settleMs).execute(tx)).rows.map(({ id }) => id))
  return findingOf('subscription_ended', ids, repair && ids.length > 0 ? await cancel(tx, ids) : 0)
}
