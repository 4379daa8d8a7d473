import { CompiledQuery, sql, type Generated } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import { afterCommit } from '#platform/db/transaction.ts'
import type { Report } from './report.ts'
import type { Clock } from '#platform/clock.ts'

interface ErrorReportBucketsTable extends Bucket {
  id: Generated<number>
}
interface ErrorReportCountsTable {
  groupId: number
  day: string
  bucketId: number
  count: number
}
declare module '#platform/db/database.ts' {
  interface Tables {
    errorReportBuckets: ErrorReportBucketsTable
    errorReportCounts: ErrorReportCountsTable
  }
}

/** What lists are filtered by most: reports that are alike in it are one bucket of the counts. */
export interface Bucket {
  channelId: number | null
  actionContentType: number
  targetContentType: number | null
  /** The target is the channel itself. */
  targetsChannel: boolean
  isOk: boolean
}

export const bucketOf = (
  report: Pick<Report, 'channelId' | 'actionContentType' | 'targetContentType' | 'targetObjectId' | 'isOk'>,
): Bucket => ({
  channelId: report.channelId,
  actionContentType: report.actionContentType,
  targetContentType: report.targetContentType,
  targetsChannel: report.channelId !== null && report.targetObjectId === String(report.channelId),
  isOk: report.isOk,
})

const nameOf = ({ channelId, actionContentType, targetContentType, targetsChannel, isOk }: Bucket): string =>
  JSON.stringify([channelId, actionContentType, targetContentType, targetsChannel, isOk])

/** A number that nothing else of this server locks. */
export const advisoryLock = 7_239_120_462

/**
 * Takes the lock of all changes of reports, in all processes, until `tx` ends: they all touch the same few counts, so they
 * would wait for each other anyway, and some in a circle. It also makes ids and times of creation go up together.
 */
export const lockReports = async (tx: Tx): Promise<void> => {
  await tx.executeQuery(CompiledQuery.raw(lockStatement, [advisoryLock]))
}
const lockStatement = prepared('select pg_advisory_xact_lock($1)')

/** Finds buckets by what they stand for. Buckets neither change nor go, so what is committed is remembered. */
export const makeBuckets = () => {
  const known = new Map<string, number>()
  return {
    /** The caller holds the lock of all changes. @returns for each bucket its id; those that are missing are made. */
    async idsOf(tx: Tx, buckets: readonly Bucket[]): Promise<number[]> {
      const missing = new Map(buckets.map((bucket) => [nameOf(bucket), bucket]))
      for (const name of missing.keys()) if (known.has(name)) missing.delete(name)
      const found = new Map<string, number>()
      for (const [name, bucket] of missing)
        found.set(name, (await findBucket(tx, bucket)) ?? (await insertBucket(tx, bucket)))
      if (found.size > 0)
        afterCommit(tx, () => {
          for (const [name, id] of found) known.set(name, id)
        })
      return buckets.map((bucket) => known.get(nameOf(bucket)) ?? found.get(nameOf(bucket)) ?? 0)
    },
  }
}

export type Buckets = ReturnType<typeof makeBuckets>

/** What changes of reports need. */
export interface ChangeDeps {
  readonly buckets: Buckets
  readonly clock: Clock
}

const findBucket = async (tx: Tx, bucket: Bucket): Promise<number | undefined> => {
  const row = await tx
    .selectFrom('errorReportBuckets')
    .select('id')
    .where('channelId', 'is not distinct from', bucket.channelId)
    .where('actionContentType', '=', bucket.actionContentType)
    .where('targetContentType', 'is not distinct from', bucket.targetContentType)
    .where('targetsChannel', '=', bucket.targetsChannel)
    .where('isOk', '=', bucket.isOk)
    .executeTakeFirst()
  return row?.id
}

const insertBucket = async (tx: Tx, bucket: Bucket): Promise<number> =>
  (await tx.insertInto('errorReportBuckets').values(bucket).returning('id').executeTakeFirstOrThrow()).id

/** Reports that come into a bucket (or, negative, leave it). */
export interface CountChange {
  readonly bucketId: number
  readonly groupId: number | null
  readonly createdAt: Date
  readonly change: number
}

const allDays = '-infinity'

/** Keeps the counts. The caller holds the lock of all changes, so that no other transaction changes them now. */
export const changeCounts = async (tx: Tx, changes: readonly CountChange[]): Promise<void> => {
  const sums = new Map<string, { group: number; day: string; bucket: number; change: number }>()
  const add = (group: number, day: string, { bucketId: bucket, change }: CountChange): void => {
    const key = `${group} ${day} ${bucket}`
    sums.set(key, { group, day, bucket, change: change + (sums.get(key)?.change ?? 0) })
  }
  for (const one of changes) {
    add(0, allDays, one)
    add(0, one.createdAt.toISOString().slice(0, 10), one)
    if (one.groupId !== null) add(one.groupId, allDays, one)
  }
  const rows = [...sums.values()].filter(({ change }) => change !== 0)
  if (rows.length === 0) return
  const parameters = [
    rows.map(({ group }) => group),
    rows.map(({ day }) => day),
    rows.map(({ bucket }) => bucket),
    rows.map(({ change }) => change),
  ]
  await tx.executeQuery(CompiledQuery.raw(changeStatement, parameters))
}

const changeStatement = prepared(`
  with given as (
    select * from unnest($1::bigint[], $2::date[], $3::integer[], $4::bigint[]) as given(group_id, day, bucket_id, change)
  ),
  changed as (
    update error_report_counts counted set count = counted.count + given.change
    from given
    where counted.group_id = given.group_id and counted.day = given.day and counted.bucket_id = given.bucket_id
    returning counted.group_id, counted.day, counted.bucket_id
  )
  insert into error_report_counts (group_id, day, bucket_id, count)
  select group_id, day, bucket_id, change from given
  where not exists (select from changed where (changed.group_id, changed.day, changed.bucket_id) = (given.group_id, given.day, given.bucket_id))`)

/** A bucket with how many reports it has: all, or those of one group. */
export interface CountedBucket {
  readonly id: number
  readonly channelId: number | null
  readonly targetsChannel: boolean
  readonly count: number
  /** Reports of all buckets and groups. */
  readonly total: number
}

/** What buckets are filtered by. Each kind of object is named by any number of filters, which all have to fit. */
export interface BucketFilters {
  readonly channelId?: number | undefined
  /** Name of the catalogue of the channel. */
  readonly catalog?: string | undefined
  readonly actionContentTypes: readonly number[]
  readonly targetContentTypes: readonly number[]
  readonly isOk?: boolean | undefined
}

/** The buckets that fit and have reports, of one group or of any. */
export const countedBuckets = async (
  db: Db,
  filters: BucketFilters,
  groupId: number | undefined,
): Promise<CountedBucket[]> => {
  const { channelId, catalog, isOk } = filters
  const rows = await db
    .selectFrom('errorReportBuckets as bucket')
    .innerJoin('errorReportCounts as counted', 'counted.bucketId', 'bucket.id')
    .where('counted.groupId', '=', groupId ?? 0)
    .where('counted.day', '=', allDays)
    .where('counted.count', '>', 0)
    .where((eb) =>
      eb.and([
        ...(channelId === undefined ? [] : [eb('bucket.channelId', '=', channelId)]),
        ...(catalog === undefined ? [] : [inCatalog(catalog)]),
        ...filters.actionContentTypes.map((type) => eb('bucket.actionContentType', '=', type)),
        ...filters.targetContentTypes.map((type) => eb('bucket.targetContentType', '=', type)),
        ...(isOk === undefined ? [] : [eb('bucket.isOk', '=', isOk)]),
      ]),
    )
    .select(['bucket.id', 'bucket.channelId', 'bucket.targetsChannel', 'counted.count'])
    .select(totalCount.as('total'))
    .execute()
  return rows
}

const inCatalog = (name: string) =>
  sql<boolean>`bucket.channel_id in (
    select channels.id from channels join catalogs on catalogs.id = channels.catalog_id where catalogs.name = ${name})`

/** How many reports there are. */
export const totalCount = sql<number>`(
  select coalesce(sum(count), 0)::bigint from error_report_counts where group_id = 0 and day = '-infinity')`

/** How many reports of the buckets (`undefined`: of all) were created on the days from one (inclusive) to another (not). */
export const countOnDays = async (
  db: Db,
  { from, before }: { readonly from: string; readonly before: string },
  bucketIds: readonly number[] | undefined,
): Promise<number> => {
  const { count } = await db
    .selectFrom('errorReportCounts')
    .where('groupId', '=', 0)
    .where('day', '!=', allDays)
    .where('day', '>=', from)
    .where('day', '<', before)
    .$if(bucketIds !== undefined, (query) => query.where(sql<boolean>`bucket_id = any(${bucketIds ?? []}::integer[])`))
    .select(sql<number>`coalesce(sum(count), 0)::bigint`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}
