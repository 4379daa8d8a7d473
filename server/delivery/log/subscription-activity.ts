import { sql } from 'kysely'
import { hourMs } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { firstIdOf, idsPerMs } from '../tables/time-id.ts'
import { growth } from './delivery-histogram.ts'

/** What was delivered and what failed for good of the deliveries made in one hour. */
export interface HourActivity {
  readonly delivered: number
  readonly failed: number
}

/** The last hours of one subscription, the oldest first. */
export interface RecentActivity {
  readonly hours: readonly HourActivity[]
  /** false when an hour had so many deliveries that a part of them was counted, from which the rest is estimated. */
  readonly isExact: boolean
}

/** Hours that are shown. */
export const shownHours = 24
/** Deliveries that are looked at in an hour of one subscription. */
const maxOfHour = 500

/** The last 24 hours of subscriptions, by when their deliveries were made; in one statement. */
export const readRecentActivity = async (
  db: Db,
  subscriptionIds: readonly number[],
  now: Date,
  limit = maxOfHour,
): Promise<ReadonlyMap<number, RecentActivity>> => {
  const width = hourMs * idsPerMs
  const first = firstIdOf(now) + idsPerMs - shownHours * width
  const low = sql`(${first}::bigint + hour * ${width}::bigint)`
  const { rows } = await sql<HourActivity & { id: number; hour: number; examined: number; share: number | null }>`
    select given.id, hour, examined, delivered, failed, (last - ${low} + 1)::float8 / ${width}::bigint as share
    from unnest(${[...subscriptionIds]}::bigint[]) as given (id)
    cross join generate_series(0::bigint, ${shownHours - 1}::bigint) as hour
    cross join lateral (
      select count(*) as examined, max(id) as last,
        count(*) filter (where status = 'delivered') as delivered, count(*) filter (where status = 'failed') as failed
      from (
        select id, status from deliveries
        where subscription_id = given.id and id >= ${low} and id < ${low} + ${width}::bigint
        order by id limit ${limit}
      ) taken
    ) found
    where examined > 0`.execute(db)
  const bySubscription = Map.groupBy(rows, ({ id }) => id)
  return new Map(
    subscriptionIds.map((id) => {
      const byHour = new Map(bySubscription.get(id)?.map((row) => [row.hour, row]))
      const hours = Array.from({ length: shownHours }, (_, hour) => {
        const row = byHour.get(hour)
        if (row === undefined) return { delivered: 0, failed: 0 }
        const factor = growth({ ...row, limit })
        return { delivered: Math.round(row.delivered * factor), failed: Math.round(row.failed * factor) }
      })
      return [id, { hours, isExact: [...byHour.values()].every(({ examined }) => examined < limit) }]
    }),
  )
}
