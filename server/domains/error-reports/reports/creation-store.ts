import { CompiledQuery, sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import { advisoryLock } from './bucket-store.ts'
import type { NewReport } from './new-report.ts'
import type { Report } from './report.ts'
import { searchWordsOf } from './search-words.ts'
import { reportColumns } from './store.ts'

/**
 * Holds channels, so that none of them goes and no place of it is mapped while reports of it are stored, and then takes the
 * lock of all changes (`lockReports`): a mapping holds its channel while it waits for that, so who has it waits for no channel.
 * @returns those of the channels that there are.
 */
export const holdChannelsAndLock = async (tx: Tx, ids: readonly number[]): Promise<ReadonlySet<number>> => {
  const { rows } = await tx.executeQuery<{ held: number[] }>(CompiledQuery.raw(holdStatement, [ids, advisoryLock]))
  return new Set(rows[0]?.held.map(Number))
}
// The lock is taken over the result of the other query, so after it.
const holdStatement = prepared(`
  select held, pg_advisory_xact_lock($2)
  from (
    select coalesce(array_agg(id), '{}') as held
    from (select id from channels where id = any($1::bigint[]) order by id for share) as channel
    offset 0
  ) as channels`)

/** What there was before a batch of reports. */
export interface Earlier {
  /** Reports of the same bodies since the time, the newest of each, by body. */
  readonly repeated: ReadonlyMap<string, Report>
  /** Bodies of those whose group was resolved since, so that the same again is a new failure. */
  readonly resolvedSince: ReadonlySet<string>
  /** When the newest report was created. */
  readonly lastAt: Date | null
}

/** Looks for reports of the same bodies since a time. The caller holds the lock of all changes. */
export const findEarlier = async (tx: Tx, bodyHashes: readonly string[], since: Date): Promise<Earlier> => {
  const { rows } = await tx.executeQuery<{ id: number | null; createdAt: Date | null; lastAt: Date | null }>(
    CompiledQuery.raw(earlierStatement, [bodyHashes]),
  )
  const ids = rows.flatMap(({ id, createdAt }) => (id !== null && createdAt !== null && createdAt > since ? [id] : []))
  return { ...(await readByBody(tx, ids)), lastAt: rows[0]?.lastAt ?? null }
}
// Body by body, and without the time: all reports of the last ten minutes would be read for it.
const earlierStatement = prepared(`
  select report.id, report.created_at as "createdAt", newest.last_at as "lastAt"
  from (select max(created_at) as last_at from error_reports) as newest
  left join (
    select found.id, found.created_at
    from unnest($1::text[]) as sent(body_hash)
    cross join lateral (
      select id, created_at from error_reports where body_hash = sent.body_hash order by id desc limit 1) as found
  ) as report on true`)

const readByBody = async (tx: Tx, ids: readonly number[]): Promise<Omit<Earlier, 'lastAt'>> => {
  if (ids.length === 0) return { repeated: new Map(), resolvedSince: new Set() }
  const found = await tx
    .selectFrom('errorReports')
    .select([...reportColumns, 'bodyHash', wasResolvedSince.as('wasResolvedSince')])
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .orderBy('id')
    .execute()
  return {
    repeated: new Map(found.map(({ bodyHash, wasResolvedSince: _since, ...report }) => [bodyHash, report])),
    resolvedSince: new Set(found.flatMap((row) => (row.wasResolvedSince ? [row.bodyHash] : []))),
  }
}

/** Whether somebody said that the cause is gone, after a report. It may have come back with another one. */
const wasResolvedSince = sql<boolean>`exists (
  select from error_report_groups grp where grp.id = error_reports.group_id
    and (grp.state = 'resolved' or error_reports.created_at < grp.regressed_at))`

/**
 * Holds the newest open report of the same object and code by the same channel, unless it is one of a place. The caller
 * holds the lock of all changes.
 */
export const holdOpenAlike = (tx: Tx, report: NewReport): Promise<Report | undefined> =>
  tx
    .selectFrom('errorReports')
    .select(reportColumns)
    .where('isOk', '=', false)
    .where('actionObjectId', '=', report.actionObjectId)
    .where('actionContentType', '=', report.actionContentType)
    .where('channelId', 'is not distinct from', report.channelId)
    .where('errorCode', '=', report.errorCode)
    .where('source', 'is', null)
    .where('placeType', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()

/** A report with all that is known when it is stored. */
export interface StoredReport extends NewReport {
  readonly objModifiedDate: Date
  readonly groupId: number | null
  readonly resolvedHow: 'mapped' | null
}

type Column = readonly [name: string, type: string, valueOf: (report: StoredReport) => unknown]
const columns: readonly Column[] = [
  ['group_id', 'bigint', ({ groupId }) => groupId],
  ['channel_id', 'bigint', ({ channelId }) => channelId],
  ['action_content_type', 'integer', ({ actionContentType }) => actionContentType],
  ['action_object_id', 'bigint', ({ actionObjectId }) => actionObjectId],
  ['target_content_type', 'integer', ({ targetContentType }) => targetContentType],
  ['target_object_id', 'text', ({ targetObjectId }) => targetObjectId],
  ['obj_modified_date', 'timestamptz', ({ objModifiedDate }) => objModifiedDate.toISOString()],
  ['error_code', 'text', ({ errorCode }) => errorCode],
  ['error_desc', 'text', ({ errorDesc }) => errorDesc],
  ['is_ok', 'boolean', ({ isOk }) => isOk],
  ['was_ok_at_creation', 'boolean', ({ isOk, resolvedHow }) => isOk && resolvedHow === null],
  ['raw_request', 'text', ({ rawRequest }) => rawRequest],
  ['raw_response', 'text', ({ rawResponse }) => rawResponse],
  ['body_hash', 'text', ({ bodyHash }) => bodyHash],
  ['place_type', 'text', ({ place }) => place?.placeType ?? null],
  ['remote_code', 'text', ({ place }) => place?.remoteCode ?? null],
  ['source', 'text', ({ source }) => source],
  ['links', 'text', ({ links }) => links],
  ['resolved_how', 'text', ({ resolvedHow }) => resolvedHow],
]
const given: readonly Column[] = [...columns, ['words', 'text', (report) => searchWordsOf(report).join(' ')]]

const names = columns.map(([name]) => name).join(', ')
const insertStatement = prepared(`
  insert into error_reports (${names}, words, resolved_at, created_at, updated_at)
  select ${names}, string_to_array(words, ' '), case when resolved_how is not null then $1::timestamptz end, $1, $1
  from unnest(${given.map(([, type], index) => `$${index + 2}::${type}[]`).join(', ')})
    with ordinality as given(${names}, words, position)
  order by position
  returning id, body_hash as "bodyHash"`)

/** Stores reports, each with another body. @returns their ids, which go up in their order. */
export const insertReports = async (tx: Tx, reports: readonly StoredReport[], now: Date): Promise<number[]> => {
  const parameters = [now, ...given.map(([, , valueOf]) => reports.map(valueOf))]
  const { rows } = await tx.executeQuery<{ id: number; bodyHash: string }>(
    CompiledQuery.raw(insertStatement, parameters),
  )
  const ids = new Map(rows.map(({ id, bodyHash }) => [bodyHash, id]))
  return reports.map(({ bodyHash }) => ids.get(bodyHash) ?? 0)
}
