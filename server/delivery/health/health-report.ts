import { sql } from 'kysely'
import { dayMs } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { healthColumns, latest, type HealthState } from './health.ts'
import { lastDeliveredAt } from './record-health.ts'
import { firstIdOf } from '../tables/time-id.ts'

/** How an endpoint is doing, and how much waits for it. */
export interface HealthReport extends HealthState {
  /** Each counted up to `maxCounted`. */
  readonly counts: Readonly<Record<HealthCount, number>>
  /** Since then what is open is being put in order, and nothing is sent. */
  readonly orderingSince: Date | null
}

/** `waiting`: behind another about the same object, held or not. `failed24h`: failed for good in the last 24 hours. */
export type HealthCount = 'pending' | 'waiting' | 'held' | 'failed24h'

/** Enough to know that it is many; more takes longer to count. */
export const maxCounted = 10_000

/** The longest that a delivery can be retried is a matter of its strategy; those that fail after more than this are not counted. */
const maxRetryMs = 14 * dayMs

/** The state of a subscription's health with what waits for it and what failed for good in the last 24 hours. */
export const readHealth = async (db: Db, subscriptionId: number, now: Date): Promise<HealthReport | undefined> => {
  const state = await db
    .selectFrom('subscriptions')
    .select([...healthColumns, 'orderingSince'])
    .where('id', '=', subscriptionId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (state === undefined) return undefined
  const counts = (await readCounts(db, [subscriptionId], now)).get(subscriptionId) ?? noCounts
  const lastSuccessAt = latest(state.lastSuccessAt, await lastDeliveredAt(db, subscriptionId))
  return { ...state, lastSuccessAt, counts }
}

type Counts = HealthReport['counts']
const noCounts: Counts = { pending: 0, waiting: 0, held: 0, failed24h: 0 }

/** What waits for subscriptions and what failed for good in the last 24 hours, in one statement. */
export const readCounts = async (
  db: Db,
  subscriptionIds: readonly number[],
  now: Date,
): Promise<ReadonlyMap<number, Counts>> => {
  const since = new Date(now.getTime() - dayMs)
  const oldest = firstIdOf(new Date(now.getTime() - maxRetryMs))
  const { rows } = await sql<Counts & { id: number }>`
    select given.id,
      (select count(*) from (
         select from deliveries where subscription_id = given.id and status = 'pending' limit ${maxCounted}
       ) pending) as pending,
      (select count(*) from (
         select from deliveries
         where subscription_id = given.id and not is_head and status in ('waiting', 'held')
         limit ${maxCounted}
       ) waiting) as waiting,
      (select count(*) from (
         select from deliveries where subscription_id = given.id and status = 'held' limit ${maxCounted}
       ) held) as held,
      (select count(*) from (
         select from deliveries
         where subscription_id = given.id and status = 'failed' and finished_at > ${since}::timestamptz
           and id >= ${oldest}::bigint
         limit ${maxCounted}
       ) failed) as failed24h
    from unnest(${[...subscriptionIds]}::bigint[]) as given (id)`.execute(db)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** How each of these subscriptions is doing, without those that were removed. */
export const readStates = async (
  db: Db,
  subscriptionIds: readonly number[],
): Promise<ReadonlyMap<number, HealthState>> => {
  if (subscriptionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('subscriptions')
    .select(['id', ...healthColumns])
    .where(sql<boolean>`id = any(${[...subscriptionIds]}::bigint[])`)
    .where('deletedAt', 'is', null)
    .execute()
  return new Map(rows.map(({ id, ...state }) => [id, state]))
}
