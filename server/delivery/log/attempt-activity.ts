import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { firstIdOf, idsPerMs } from '../tables/time-id.ts'
import { growth, type CutRange } from './delivery-histogram.ts'

/** What has become of deliveries, and how the attempts of them went. */
export interface AttemptCounts {
  readonly delivered: number
  readonly failed: number
  readonly attempts: number
  readonly http2xx: number
  readonly http3xx: number
  readonly http4xx: number
  readonly http5xx: number
  /** Without an answer: a timeout, no connection, or the process died. What a broker says is an answer. */
  readonly noAnswer: number
  /** Half of the attempts took no longer; null without attempts that ended. */
  readonly p50Ms: number | null
  readonly p95Ms: number | null
}

export interface AttemptActivity {
  readonly buckets: readonly (AttemptCounts & { readonly at: Date })[]
  readonly total: AttemptCounts
  /** false when a part had so many deliveries that some were counted, from which the rest is estimated. */
  readonly isExact: boolean
}

const countNames = ['delivered', 'failed', 'attempts', 'http2xx', 'http3xx', 'http4xx', 'http5xx', 'noAnswer'] as const
type Counts = Pick<AttemptCounts, (typeof countNames)[number]>

interface Row extends Counts {
  readonly bucket: number
  readonly examined: number
  readonly share: number | null
  readonly durations: readonly number[] | null
}

/** Deliveries of a part that are looked at, with their attempts. */
const maxOfBucket = 500

/** The activity of one subscription in each part of a range, by when its deliveries were made. */
export const readAttemptActivity = async (
  db: Db,
  subscriptionId: number,
  { from, to, bucketMs }: CutRange,
  limit = maxOfBucket,
): Promise<AttemptActivity> => {
  const count = Math.ceil((to.getTime() - from.getTime()) / bucketMs)
  const width = bucketMs * idsPerMs
  const low = sql`(${firstIdOf(from)}::bigint + bucket * ${width}::bigint)`
  const high = sql`least(${low} + ${width}::bigint, ${firstIdOf(to)}::bigint)`
  const { rows } = await sql<Row>`
    select bucket, found.*, (last - ${low} + 1)::float8 / (${high} - ${low}) as share
    from generate_series(0::bigint, ${count - 1}::bigint) as bucket
    cross join lateral (
      with taken as materialized (
        select id, status from deliveries
        where subscription_id = ${subscriptionId}::bigint and id >= ${low} and id < ${high}
        order by id limit ${limit}
      ),
      tried as (
        -- With an offset it stays a look-up for each delivery.
        select one.* from taken cross join lateral (
          select duration_ms, response_status, reason from attempts where delivery_id = taken.id offset 0
        ) one
      )
      select ended.*, gone.* from (
        select count(*) as examined, max(id) as last, count(*) filter (where status = 'delivered') as delivered,
          count(*) filter (where status = 'failed') as failed from taken
      ) ended
      cross join (
        select count(*) as attempts,
          count(*) filter (where response_status between 200 and 299) as "http2xx",
          count(*) filter (where response_status between 300 and 399) as "http3xx",
          count(*) filter (where response_status between 400 and 499) as "http4xx",
          count(*) filter (where response_status between 500 and 599) as "http5xx",
          count(*) filter (where response_status is null and coalesce(reason, '') not in ('delivered', 'broker_refused')) as no_answer,
          array_agg(duration_ms) filter (where duration_ms is not null) as durations
        from tried
      ) gone
    ) found
    where examined > 0`.execute(db)
  const byBucket = new Map(rows.map((row) => [row.bucket, row]))
  const buckets = Array.from({ length: count }, (_, bucket) => {
    const row = byBucket.get(bucket)
    const at = new Date(from.getTime() + bucket * bucketMs)
    const factor = row === undefined ? 1 : growth({ ...row, limit })
    return { at, ...countsBy((name) => Math.round((row?.[name] ?? 0) * factor)), ...percentiles(row?.durations ?? []) }
  })
  return {
    buckets,
    total: {
      ...countsBy((name) => buckets.reduce((sum, bucket) => sum + bucket[name], 0)),
      ...percentiles(rows.flatMap(({ durations }) => durations ?? [])),
    },
    isExact: rows.every(({ examined }) => examined < limit),
  }
}

const countsBy = (of: (name: keyof Counts) => number): Counts =>
  Object.fromEntries(countNames.map((name) => [name, of(name)])) as Record<keyof Counts, number>

const percentiles = (durations: readonly number[]): Pick<AttemptCounts, 'p50Ms' | 'p95Ms'> => {
  const sorted = durations.toSorted((one, other) => one - other)
  const at = (share: number): number | null => sorted[Math.ceil(sorted.length * share) - 1] ?? null
  return { p50Ms: at(0.5), p95Ms: at(0.95) }
}
