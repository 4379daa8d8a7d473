import { CompiledQuery, sql, type Generated } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'

/** What lists are filtered by most: reports that are alike in it are one bucket of the counts. Triggers keep both (0046). */
interface ErrorReportBucketsTable {
  id: Generated<number>
  channelId: number | null
  actionContentType: number
  targetContentType: number | null
  /** The target is the channel itself. */
  targetsChannel: boolean
  isOk: boolean
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

const allDays = '-infinity'

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
