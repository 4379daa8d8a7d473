import { CompiledQuery, sql, type Generated } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import type { PlaceType } from '../open-reports.ts'
import { bucketOf, changeCounts, type Buckets, type CountChange } from './bucket-store.ts'
import type { Report, ResolvedHow } from './report.ts'
import { searchWordsOf } from './search-words.ts'

interface ErrorReportsTable extends Omit<Report, 'id' | 'retryCount'> {
  readonly id: Generated<number>
  readonly targetsChannel: Generated<boolean>
  readonly bucketId: number
  readonly wasOkAtCreation: boolean
  readonly words: readonly string[]
  readonly bodyHash: string
  readonly placeType: PlaceType | null
  readonly remoteCode: string | null
  readonly retryCount: Generated<number>
  readonly lastRetryBy: number | null
}
declare module '#platform/db/database.ts' {
  interface Tables {
    errorReports: ErrorReportsTable
  }
}

export const reportColumns = [
  'id',
  'groupId',
  'channelId',
  'actionContentType',
  'actionObjectId',
  'targetContentType',
  'targetObjectId',
  'objModifiedDate',
  'errorCode',
  'errorDesc',
  'isOk',
  'rawRequest',
  'rawResponse',
  'resolvedAt',
  'resolvedBy',
  'resolvedHow',
  'createdAt',
  'updatedAt',
  'source',
  'links',
  'retryCount',
  'lastRetryAt',
] as const

export const findReport = (db: Db | Tx, id: number): Promise<Report | undefined> =>
  db.selectFrom('errorReports').select(reportColumns).where('id', '=', id).executeTakeFirst()

/** A report with the bucket that counts it. */
export interface HeldReport extends Report {
  readonly bucketId: number
}

/** Holds a report until `tx` ends. The caller holds the lock of all changes. */
export const holdReport = (tx: Tx, id: number): Promise<HeldReport | undefined> =>
  tx
    .selectFrom('errorReports')
    .select([...reportColumns, 'bucketId'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export type ReportChanges = Partial<
  Omit<Report, 'id' | 'channelId' | 'createdAt' | 'updatedAt' | 'source' | 'retryCount' | 'lastRetryAt'> & {
    readonly updatedAt: Date
  }
>

/** Changes a report that the caller holds, and counts it where it now belongs. */
export const updateReport = async (
  tx: Tx,
  buckets: Buckets,
  held: HeldReport,
  changes: ReportChanges,
): Promise<Report> => {
  const [bucketId = 0] = await buckets.idsOf(tx, [bucketOf({ ...held, ...changes })])
  const report = await tx
    .updateTable('errorReports')
    .set({ ...changes, ...wordsAfter(held, changes), bucketId })
    .where('id', '=', held.id)
    .returning(reportColumns)
    .executeTakeFirstOrThrow()
  await changeCounts(tx, moved(held, { bucketId, groupId: report.groupId }))
  return report
}

/** What a report is found by, if a text of it changes. */
const wordsAfter = (held: HeldReport, changes: ReportChanges): { readonly words?: string[] } =>
  texts.some((name) => changes[name] !== undefined) ? { words: searchWordsOf({ ...held, ...changes }) } : {}

const texts = ['errorCode', 'errorDesc', 'rawRequest', 'rawResponse'] as const

/** Removes a report that the caller holds. */
export const removeReport = async (tx: Tx, held: HeldReport): Promise<void> => {
  await tx.deleteFrom('errorReports').where('id', '=', held.id).execute()
  await changeCounts(tx, [{ ...held, change: -1 }])
}

const moved = (
  from: Omit<CountChange, 'change'>,
  to: Partial<Pick<CountChange, 'bucketId' | 'groupId'>>,
): CountChange[] => [
  { ...from, change: -1 },
  { ...from, ...to, change: 1 },
]

export const openColumns = [
  'id',
  'groupId',
  'bucketId',
  'channelId',
  'actionContentType',
  'targetContentType',
  'targetObjectId',
  'createdAt',
] as const

/** An open report that is about to be resolved. */
export type OpenRow = Pick<HeldReport, (typeof openColumns)[number]>

export interface Resolved {
  readonly how: ResolvedHow
  /** Who did it; a function where that is not the same for all. */
  readonly by: number | null | ((row: Pick<OpenRow, 'id'>) => number | null)
  readonly at: Date
}

/**
 * Resolves reports that the caller holds and has seen open, and counts them as such.
 * @returns group → how many of its reports are less open than before, as a negative number.
 */
export const resolveRows = async (
  tx: Tx,
  buckets: Buckets,
  rows: readonly OpenRow[],
  { how, by, at }: Resolved,
): Promise<Map<number, number>> => {
  const groups = new Map<number, number>()
  if (rows.length === 0) return groups
  const bucketIds = await buckets.idsOf(
    tx,
    rows.map((row) => bucketOf({ ...row, isOk: true })),
  )
  const whose = rows.map((row) => (typeof by === 'function' ? by(row) : by))
  await tx.executeQuery(CompiledQuery.raw(resolveStatement, [rows.map(({ id }) => id), bucketIds, at, whose, how]))
  await changeCounts(
    tx,
    rows.flatMap((row, index) => moved(row, { bucketId: bucketIds[index] ?? 0 })),
  )
  for (const { groupId } of rows) if (groupId !== null) groups.set(groupId, (groups.get(groupId) ?? 0) - 1)
  return groups
}

const resolveStatement = prepared(`
  update error_reports report
  set is_ok = true, bucket_id = given.bucket_id, resolved_at = $3, resolved_by = given.resolved_by, resolved_how = $5,
    updated_at = $3
  from unnest($1::bigint[], $2::integer[], $4::bigint[]) as given(id, bucket_id, resolved_by)
  where report.id = given.id`)

/** A success, which ends the failures before it. */
export interface Success {
  readonly id: number
  readonly channelId: number | null
  readonly actionContentType: number
  readonly actionObjectId: number
}

/**
 * Holds the open reports that are older than a success of the same object, by the same channel. Not those of failures of our
 * own: whether that works again only this server knows.
 */
export const holdSucceeded = async (
  tx: Tx,
  successes: readonly Success[],
): Promise<(OpenRow & Pick<Report, 'actionObjectId'>)[]> => {
  const given = sql`unnest(
    ${successes.map(({ id }) => id)}::bigint[],
    ${successes.map(({ channelId }) => channelId)}::bigint[],
    ${successes.map(({ actionContentType }) => actionContentType)}::integer[],
    ${successes.map(({ actionObjectId }) => actionObjectId)}::bigint[]
  ) as success(id, channel_id, action_content_type, action_object_id)`
  return tx
    .selectFrom('errorReports')
    .select([...openColumns, 'actionObjectId'])
    .where('isOk', '=', false)
    .where(
      'id',
      'in',
      sql<number>`(
        select older.id from ${given} join error_reports older
          on older.action_object_id = success.action_object_id
          and older.action_content_type = success.action_content_type
          and older.channel_id is not distinct from success.channel_id
          and older.id < success.id and not older.is_ok and older.source is null
          -- That one thing works in a country says nothing of the names of its cities.
          and older.place_type is null)`,
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Of some successes those whose object is not well any more, as far as somebody else than this server says. */
export const findFailedSince = async (tx: Tx, successes: readonly Success[]): Promise<ReadonlySet<number>> => {
  const { rows } = await sql<{ id: number }>`
    select success.id from error_reports success
    where success.id = any(${successes.map(({ id }) => id)}::bigint[]) and exists (
      select from error_reports failure
      where failure.action_object_id = success.action_object_id
        and failure.action_content_type = success.action_content_type
        and failure.channel_id is not distinct from success.channel_id
        and not failure.is_ok and failure.source is null and failure.place_type is null)`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
