import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { deliveryStatuses, type DeliveryStatus } from '../tables/tables.ts'
import { firstIdOf, idsPerMs } from '../tables/time-id.ts'
import { matches, type DeliveryFilter } from './delivery-filter.ts'

/** What deliveries are counted by. `retrying`: those of `pending` that were tried before. */
export const countedOutcomes = [...deliveryStatuses, 'retrying'] as const
export type OutcomeCounts = Readonly<Record<DeliveryStatus | 'retrying', number>>

/** Moments from one (inclusive) to another (not), cut into parts of the same length. */
export interface CutRange {
  readonly from: Date
  readonly to: Date
  readonly bucketMs: number
}

export interface Histogram {
  readonly buckets: readonly (OutcomeCounts & { readonly at: Date })[]
  readonly total: OutcomeCounts
  /** false when there are so many that a part of them was counted, from which the rest is estimated. */
  readonly isExact: boolean
}

/** Deliveries up to which all are counted. Both together take about 0.1 s. */
export const maxExactlyCounted = 15_000
/** Of more than that, deliveries that are looked at. */
const maxSampled = 15_000
/** A bucket is sampled in so many places, because load changes within it. */
const placesOfBucket = 4

/** How many deliveries that match were made in each part of a range, by what has become of them until now. */
export const readHistogram = async (
  db: Db,
  filter: DeliveryFilter,
  range: CutRange,
  max: { readonly exactly: number; readonly sampled: number } = { exactly: maxExactlyCounted, sampled: maxSampled },
): Promise<Histogram> => {
  const wanted = { ...filter, createdFrom: range.from, createdBefore: range.to }
  const count = Math.ceil((range.to.getTime() - range.from.getTime()) / range.bucketMs)
  const all = filter.subscriptionIds.length === 0 ? [] : await countAll(db, wanted, range, max.exactly)
  const isExact = all !== undefined
  const counted = all ?? (await estimate(db, wanted, range, { count, max: max.sampled }))
  const byBucket = new Map(counted.map((one) => [one.bucket, one]))
  const buckets = Array.from({ length: count }, (_, bucket) => ({
    at: new Date(range.from.getTime() + bucket * range.bucketMs),
    ...pick((outcome) => byBucket.get(bucket)?.[outcome] ?? 0),
  }))
  const total = pick((outcome) => buckets.reduce((sum, bucket) => sum + bucket[outcome], 0))
  return { buckets, total, isExact }
}

type Counted = OutcomeCounts & { readonly bucket: number }

/** Exact counts; undefined where there are more deliveries than `max`. */
const countAll = async (
  db: Db,
  filter: DeliveryFilter,
  { from, bucketMs }: CutRange,
  max: number,
): Promise<readonly Counted[] | undefined> => {
  const bucket = sql`(id - ${firstIdOf(from)}::bigint) / ${bucketMs * idsPerMs}::bigint`
  const { rows } = await sql<Counted & { examined: number }>`
    select ${bucket} as bucket, count(*) as examined, ${outcomeColumns}
    from (select id, status, ${attemptsIf(filter)} from deliveries where ${matches(filter)} limit ${max + 1}) taken
    group by 1`.execute(db)
  return rows.reduce((sum, { examined }) => sum + examined, 0) > max ? undefined : rows
}

/**
 * Walks the first deliveries of some places of each bucket. A place that has more of them goes on as it begins: its counts
 * grow by how much longer it is than what was walked.
 */
const estimate = async (
  db: Db,
  filter: DeliveryFilter,
  { from, to, bucketMs }: CutRange,
  { count, max }: { readonly count: number; readonly max: number },
): Promise<readonly Counted[]> => {
  const places = count * placesOfBucket
  const width = Math.ceil(bucketMs / placesOfBucket) * idsPerMs
  const limit = Math.max(2, Math.ceil(max / places))
  const low = sql`(${firstIdOf(from)}::bigint + place * ${width}::bigint)`
  const high = sql`least(${low} + ${width}::bigint, ${firstIdOf(to)}::bigint)`
  const { rows } = await sql<OutcomeCounts & { place: number; examined: number; share: number | null }>`
    select place, examined, (last - ${low} + 1)::float8 / (${high} - ${low}) as share, ${outcomeNames}
    from generate_series(0::bigint, ${places - 1}::bigint) as place
    cross join lateral (
      select count(*) as examined, max(id) as last, ${outcomeColumns}
      from (
        select id, status, ${attemptsIf(filter)} from deliveries
        where ${matches(filter)} and id >= ${low} and id < ${high} order by id limit ${limit}
      ) taken
    ) found
    where examined > 0`.execute(db)
  const widthOfBucket = bucketMs * idsPerMs
  const sums = new Map<number, Counted>()
  for (const { place, examined, share, ...row } of rows) {
    const factor = growth({ examined, limit, share })
    const bucket = Math.floor((place * width) / widthOfBucket)
    const before = sums.get(bucket)
    sums.set(bucket, { bucket, ...pick((outcome) => (before?.[outcome] ?? 0) + Math.round(row[outcome] * factor)) })
  }
  return [...sums.values()]
}

/**
 * By how much counts of a walk grow to those of its whole place.
 * @param share of the place that was walked; null where nothing is.
 */
export const growth = (walk: { readonly examined: number; readonly limit: number; readonly share: number | null }) => {
  const { examined, limit, share } = walk
  if (examined < limit || share === null) return 1
  // Between so many deliveries there is one step less, and the first of them may stand anywhere.
  return Math.max(1, (examined - 1) / examined / share)
}

/** Read only where it tells pending ones apart: whatever else is counted of failed ones is in the index of what is not delivered. */
const attemptsIf = ({ statuses, lastStatus, lastReason }: DeliveryFilter): RawBuilder<unknown> => {
  if (statuses?.includes('pending') === false) return sql`0 as attempts`
  // What has an answer or a reason and is pending was tried.
  return lastStatus === undefined && lastReason === undefined ? sql`attempts` : sql`1 as attempts`
}

const countOf = (outcome: (typeof countedOutcomes)[number]): RawBuilder<unknown> =>
  outcome === 'retrying'
    ? sql`count(*) filter (where status = 'pending' and attempts > 0)`
    : sql`count(*) filter (where status = ${sql.lit(outcome)})`

const outcomeColumns = sql.join(countedOutcomes.map((outcome) => sql`${countOf(outcome)} as ${sql.ref(outcome)}`))
const outcomeNames = sql.join(countedOutcomes.map((outcome) => sql.ref(outcome)))

const pick = (of: (outcome: keyof OutcomeCounts) => number): OutcomeCounts =>
  Object.fromEntries(countedOutcomes.map((outcome) => [outcome, of(outcome)])) as Record<keyof OutcomeCounts, number>
