import { sql } from 'kysely'
import { hourMs, minuteMs, type Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { maxCounted } from '#platform/lists/page.ts'
import { firstIdOf } from '../tables/time-id.ts'

/** What became, by now, of the deliveries that were made in an hour. */
export interface HourCounts {
  readonly at: Date
  readonly delivered: number
  readonly failed: number
}

export interface DeliveryActivity {
  /** The last 24 hours, the oldest first; the present one has only begun. */
  readonly hours: readonly HourCounts[]
  /** Deliveries that are due, now or later; up to 10,000. */
  readonly pending: { readonly count: number; readonly isMore: boolean }
}

/** Whose deliveries are counted. */
export interface Counted {
  /** Tells readers apart. */
  readonly reader: string
  /** The subscriptions that the reader may see; undefined: all. */
  readonly subscriptionIds?: readonly number[] | undefined
}

type Remembered = Omit<HourCounts, 'at'> & { readonly goodUntil: number }

const countedHours = 24
/** A million deliveries a day take milliseconds for one hour, and tenths of a second for all of them. */
const presentMs = 10_000
/** Of hours that are over only retries still change. */
const endedMs = 10 * minuteMs
const maxReaders = 100

/** Counts deliveries by the hour in which they were made, and remembers hours that are over for ten minutes. */
export const makeReadActivity = ({ db, clock }: { readonly db: Db; readonly clock: Clock }) => {
  const readers = new Map<string, Map<number, Remembered>>()
  const rememberedOf = (reader: string): Map<number, Remembered> => {
    const known = readers.get(reader)
    if (known !== undefined) return known
    if (readers.size >= maxReaders) readers.clear()
    const fresh = new Map<number, Remembered>()
    readers.set(reader, fresh)
    return fresh
  }
  return async ({ reader, subscriptionIds }: Counted): Promise<DeliveryActivity> => {
    const now = clock.now().getTime()
    const present = Math.floor(now / hourMs) * hourMs
    const hours = Array.from({ length: countedHours }, (_, index) => present - (countedHours - 1 - index) * hourMs)
    const remembered = rememberedOf(reader)
    for (const hour of remembered.keys()) if (hour < (hours[0] ?? 0)) remembered.delete(hour)
    const unknown = hours.filter((hour) => (remembered.get(hour)?.goodUntil ?? 0) <= now)
    for (const { hour, ...counts } of await countHours(db, unknown, subscriptionIds))
      remembered.set(hour, { ...counts, goodUntil: now + (hour === present ? presentMs : endedMs) })
    return {
      hours: hours.map((hour) => {
        const { delivered = 0, failed = 0 } = remembered.get(hour) ?? {}
        return { at: new Date(hour), delivered, failed }
      }),
      pending: await countPending(db, subscriptionIds),
    }
  }
}

export type ReadActivity = ReturnType<typeof makeReadActivity>

const visible = (ids: readonly number[] | undefined) =>
  ids === undefined ? sql`` : sql`and subscription_id = any(${[...ids]}::bigint[])`

/** Each hour is a range of the primary key. */
const countHours = async (db: Db, hours: readonly number[], ids: readonly number[] | undefined) => {
  if (hours.length === 0) return []
  const from = hours.map((hour) => firstIdOf(new Date(hour)))
  const to = hours.map((hour) => firstIdOf(new Date(hour + hourMs)))
  const { rows } = await sql<{ hour: number; delivered: number; failed: number }>`
    select asked.hour, counted.delivered, counted.failed
    from unnest(${hours}::bigint[], ${from}::bigint[], ${to}::bigint[]) as asked (hour, first, next)
    cross join lateral (
      select count(*) filter (where status = 'delivered') as delivered, count(*) filter (where status = 'failed') as failed
      from deliveries where id >= asked.first and id < asked.next ${visible(ids)}
    ) counted`.execute(db)
  return rows
}

/** In the collation of the log's index of statuses (migration 0048). */
const countPending = async (db: Db, ids: readonly number[] | undefined) => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from deliveries where status collate "C" = 'pending' ${visible(ids)} limit ${maxCounted + 1}
    ) pending`.execute(db)
  const count = rows[0]?.count ?? 0
  return { count: Math.min(count, maxCounted), isMore: count > maxCounted }
}
