import { CompiledQuery, sql, type Generated } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import type { PlaceType } from '../open-reports.ts'
import type { Report, ResolvedHow } from './report.ts'
import { searchWordsOf } from './search-words.ts'

interface ErrorReportsTable extends Omit<Report, 'id' | 'retryCount'> {
  readonly id: Generated<number>
  readonly targetsChannel: Generated<boolean>
  readonly bucketId: Generated<number>
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

/** Holds a report until `tx` ends. The caller holds the lock of all changes. */
export const holdReport = (tx: Tx, id: number): Promise<Report | undefined> =>
  tx.selectFrom('errorReports').select(reportColumns).where('id', '=', id).forUpdate().executeTakeFirst()

export type ReportChanges = Partial<
  Omit<Report, 'id' | 'channelId' | 'createdAt' | 'updatedAt' | 'source' | 'retryCount' | 'lastRetryAt'> & {
    readonly updatedAt: Date
  }
>

/** Changes a report that the caller holds. */
export const updateReport = (tx: Tx, held: Report, changes: ReportChanges): Promise<Report> =>
  tx
    .updateTable('errorReports')
    .set({ ...changes, ...wordsAfter(held, changes) })
    .where('id', '=', held.id)
    .returning(reportColumns)
    .executeTakeFirstOrThrow()

/** What a report is found by, if a text of it changes. */
const wordsAfter = (held: Report, changes: ReportChanges): { readonly words?: string[] } =>
  texts.some((name) => changes[name] !== undefined) ? { words: searchWordsOf({ ...held, ...changes }) } : {}

const texts = ['errorCode', 'errorDesc', 'rawRequest', 'rawResponse'] as const

/** Removes a report that the caller holds. */
export const removeReport = (tx: Tx, id: number): Promise<unknown> =>
  tx.deleteFrom('errorReports').where('id', '=', id).execute()

/** An open report that is about to be resolved. */
export type OpenRow = Pick<Report, 'id' | 'groupId'>

export interface Resolved {
  readonly how: ResolvedHow
  /** Who did it; a function where that is not the same for all. */
  readonly by: number | null | ((row: Pick<OpenRow, 'id'>) => number | null)
  readonly at: Date
}

/**
 * Resolves reports that the caller holds and has seen open.
 * @returns group → how many of its reports are less open than before, as a negative number.
 */
export const resolveRows = async (
  tx: Tx,
  rows: readonly OpenRow[],
  { how, by, at }: Resolved,
): Promise<Map<number, number>> => {
  const groups = new Map<number, number>()
  if (rows.length === 0) return groups
  const whose = rows.map((row) => (typeof by === 'function' ? by(row) : by))
  await tx.executeQuery(CompiledQuery.raw(resolveStatement, [rows.map(({ id }) => id), whose, at, how]))
  for (const { groupId } of rows) if (groupId !== null) groups.set(groupId, (groups.get(groupId) ?? 0) - 1)
  return groups
}
const resolveStatement = prepared(`
  update error_reports report
  set is_ok = true, resolved_at = $3, resolved_by = given.resolved_by, resolved_how = $4, updated_at = $3
  from unnest($1::bigint[], $2::bigint[]) as given(id, resolved_by)
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
export const holdSucceeded = async (tx: Tx, successes: readonly Success[]): Promise<(OpenRow & Success)[]> => {
  const given = sql`unnest(
    ${successes.map(({ id }) => id)}::bigint[],
    ${successes.map(({ channelId }) => channelId)}::bigint[],
    ${successes.map(({ actionContentType }) => actionContentType)}::integer[],
    ${successes.map(({ actionObjectId }) => actionObjectId)}::bigint[]
  ) as success(id, channel_id, action_content_type, action_object_id)`
  return tx
    .selectFrom('errorReports')
    .select(['id', 'groupId', 'channelId', 'actionContentType', 'actionObjectId'])
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
