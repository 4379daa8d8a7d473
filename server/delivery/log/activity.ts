import { sql } from 'kysely'
import { hourMs } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { maxCounted } from '#platform/lists/page.ts'
import { matches } from './delivery-filter.ts'
import { readHistogram, type Histogram } from './delivery-histogram.ts'

export interface DeliveryActivity {
  /** By the hour in which they were made: the last 24, the oldest first; the present one has only begun. */
  readonly hours: Histogram['buckets']
  readonly isExact: boolean
  /** Deliveries that are due, now or later; up to 10,000. */
  readonly pending: { readonly count: number; readonly isMore: boolean }
}

const shownHours = 24

/** What goes on with the deliveries of some subscriptions. */
export const readActivity = async (
  db: Db,
  subscriptionIds: readonly number[],
  now: Date,
): Promise<DeliveryActivity> => {
  const to = new Date((Math.floor(now.getTime() / hourMs) + 1) * hourMs)
  const range = { from: new Date(to.getTime() - shownHours * hourMs), to, bucketMs: hourMs }
  const [{ buckets, isExact }, pending] = await Promise.all([
    readHistogram(db, { subscriptionIds }, range),
    countPending(db, subscriptionIds),
  ])
  return { hours: buckets, isExact, pending }
}

const countPending = async (db: Db, subscriptionIds: readonly number[]): Promise<DeliveryActivity['pending']> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from deliveries where ${matches({ subscriptionIds, statuses: ['pending'] })} limit ${maxCounted + 1}
    ) pending`.execute(db)
  const count = rows[0]?.count ?? 0
  return { count: Math.min(count, maxCounted), isMore: count > maxCounted }
}
