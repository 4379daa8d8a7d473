import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { DeliveryFilter } from '../log/delivery-filter.ts'
import { firstDeliveryOf, listeningOf, listeningOrAddressed, windowOf as eventWindowOf } from './recover-step.ts'
import { retryable, windowOf as deliveryWindowOf } from './retry-step.ts'
import { firstIdOf, idsPerMs } from '../tables/time-id.ts'

/** How many deliveries a job will queue, and the ids it has to go through for them. */
export interface Counted {
  readonly count: number
  /** Whether `count` is all of it; else there are more ids than are looked at for a count. */
  readonly isExact: boolean
  /** The job begins above this id, and ends at `last`. */
  readonly position: number
  readonly last: number
}

/** Ids that are looked at for a count, which takes a fraction of a second. The job itself has no limit. */
const examinedForCount = 200_000

export interface RecoveryRange {
  readonly subscriptionId: number
  readonly since: Date
  /** See `recoverStep`. Events may also commit this long after the start with an id from before it. */
  readonly settleMs: number
}

/** What a recovery of the subscription would queue now; undefined when there is no such subscription. */
export const countRecovery = async (
  tx: Tx,
  { subscriptionId, since, settleMs }: RecoveryRange,
): Promise<Counted | undefined> => {
  const subscription = await tx
    .selectFrom('subscriptions')
    .select('createdAt')
    .where('id', '=', subscriptionId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (subscription === undefined) return undefined
  const { createdAt } = subscription
  const position = Math.max(firstIdOf(since > createdAt ? since : createdAt), 1) - 1
  const last = await newestEvent(tx)
  const window = await eventWindowOf(tx, { position, last, most: examinedForCount, settleMs: 0 })
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from events event ${listeningOf(subscriptionId)}
    left join deliveries delivery on delivery.event_id = event.id and delivery.subscription_id = ${subscriptionId}
      and delivery.id >= ${firstDeliveryOf(window)}::bigint
    where event.id > ${window.start}::bigint and event.id <= ${window.end}::bigint
      and ${listeningOrAddressed(subscriptionId)}
      and (delivery.id is null or delivery.status in ('held', 'failed', 'cancelled'))`.execute(tx)
  const lastOfJob = settleMs === 0 ? last : (await databaseNow(tx)) + settleMs * idsPerMs
  return { count: rows[0]?.count ?? 0, isExact: !window.isFull, position, last: lastOfJob }
}

/** What a retry of these deliveries would queue now. */
export const countRetry = async (tx: Tx, filter: DeliveryFilter): Promise<Counted> => {
  const position = filter.createdFrom === undefined ? 0 : Math.max(firstIdOf(filter.createdFrom), 1) - 1
  const newest = await tx.selectFrom('deliveries').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const before = filter.createdBefore === undefined ? Infinity : firstIdOf(filter.createdBefore) - 1
  const last = Math.max(Math.min(newest?.id ?? 0, before), position)
  const window = await deliveryWindowOf(tx, filter, { position, last, most: examinedForCount })
  const { count } = await retryable(tx, filter, window)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return { count, isExact: !window.isFull, position, last }
}

const newestEvent = async (db: Db | Tx): Promise<number> =>
  (await db.selectFrom('events').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ?? 0

/** The first id that the database would give out now. */
const databaseNow = async (tx: Tx): Promise<number> =>
  (await sql<{ id: number }>`select time_id_floor(clock_timestamp()) as id`.execute(tx)).rows[0]?.id ?? 0
