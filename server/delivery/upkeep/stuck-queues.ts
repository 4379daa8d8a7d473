import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { giveHeads, type ObjectQueue } from '../order/object-queues.ts'
import { findingOf, type CheckOptions, type Swept } from './finding.ts'

/** Queues that one statement looks at. */
const sliceSize = 1_000

/** Checks that the deliveries behind a head have one, in the next 1,000 queues: steps through their index from one to the next. */
export const checkQueues = async (
  tx: Tx,
  after: ObjectQueue | null,
  { now, repair }: Pick<CheckOptions, 'now' | 'repair'>,
): Promise<Swept<ObjectQueue>> => {
  const { subscriptionId, objectType, objectId } = after ?? { subscriptionId: 0, objectType: '', objectId: '' }
  const next = (than: ReturnType<typeof sql>) => sql`
    select subscription_id, object_type, object_id, id from deliveries behind
    where not is_head and status in ('waiting', 'held')
      and (behind.subscription_id, behind.object_type, behind.object_id) > ${than}
    order by subscription_id, object_type, object_id, sequence limit 1`
  const { rows } = await sql<ObjectQueue & { id: number; isStuck: boolean }>`
    with recursive queue as (
      (select *, 1 as number from (
        ${next(sql`(${subscriptionId}::bigint, ${objectType}::text, ${objectId}::text)`)}) first)
      union all
      select following.*, number + 1 from queue cross join lateral (
        ${next(sql`(queue.subscription_id, queue.object_type, queue.object_id)`)}
      ) following
      where number < ${sliceSize}
    )
    select subscription_id, object_type, object_id, id, not exists (
      select from deliveries head where head.subscription_id = queue.subscription_id
        and head.object_type = queue.object_type and head.object_id = queue.object_id and is_head) as is_stuck
    from queue order by subscription_id, object_type, object_id`.execute(tx)
  const stuck = rows.filter(({ isStuck }) => isStuck)
  if (repair) await giveHeads(tx, stuck, now)
  const ids = stuck.map(({ id }) => id)
  const findings = [findingOf('order_stuck', ids, repair ? ids.length : 0)]
  return { findings, position: rows.length < sliceSize ? null : (rows.at(-1) ?? null) }
}
