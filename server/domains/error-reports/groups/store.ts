import { CompiledQuery, sql, type Generated } from 'kysely'
import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import { Id, OneOf } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { custom, equals, time, quantity } from '#platform/lists/filters.ts'
import { maxCounted, type Page, type Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { groupStates, type Group } from './group.ts'

interface ErrorReportGroupsTable extends Omit<Group, 'id' | 'note'> {
  readonly id: Generated<number>
  readonly fingerprint: string
  readonly note: Generated<string>
}
declare module '#platform/db/database.ts' {
  interface Tables {
    errorReportGroups: ErrorReportGroupsTable
  }
}

const groupColumns = [
  'id',
  'algorithm',
  'channelId',
  'actionContentType',
  'title',
  'codePattern',
  'state',
  'assignee',
  'note',
  'firstSeenAt',
  'lastSeenAt',
  'count',
  'openCount',
  'resolvedAt',
  'resolvedBy',
  'regressedAt',
] as const

/** Failures of one group that came together. */
export type SeenGroup = { readonly fingerprint: string } & Pick<
  Group,
  'codePattern' | 'channelId' | 'actionContentType' | 'title' | 'count' | 'firstSeenAt' | 'lastSeenAt'
>

/**
 * Makes groups or counts up those that exist, in the order of their keys, and what they have of the day. A resolved group is opened again by any failure,
 * whatever its dates say.
 * @returns fingerprint → id.
 */
export const recordFailures = async (
  tx: Tx,
  algorithm: number,
  groups: readonly SeenGroup[],
): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await tx.executeQuery<{ id: number; fingerprint: string }>(
    CompiledQuery.raw(recordStatement, [algorithm, JSON.stringify(groups)]),
  )
  return new Map(rows.map(({ id, fingerprint }) => [fingerprint, id]))
}

const recordStatement = prepared(`
  with recorded as (
  insert into error_report_groups as known (
    algorithm, fingerprint, channel_id, action_content_type, title, code_pattern, state,
    first_seen_at, last_seen_at, count, open_count)
  select $1::smallint, fingerprint, "channelId", "actionContentType", title, "codePattern", 'open',
    "firstSeenAt", "lastSeenAt", count, count
  from json_to_recordset($2::json) as seen(
    fingerprint text, "channelId" bigint, "actionContentType" integer, title text, "codePattern" text,
    "firstSeenAt" timestamptz, "lastSeenAt" timestamptz, count bigint)
  order by fingerprint
  on conflict (algorithm, fingerprint) do update set
    count = known.count + excluded.count,
    open_count = known.open_count + excluded.open_count,
    first_seen_at = least(known.first_seen_at, excluded.first_seen_at),
    last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at),
    state = case when known.state = 'resolved' then 'open' else known.state end,
    resolved_at = null,
    resolved_by = null,
    regressed_at = case when known.state = 'resolved' then excluded.last_seen_at else known.regressed_at end
  returning id, fingerprint),
  of_day as (
    insert into error_report_group_days as kept (group_id, day, count)
    select recorded.id, (seen."lastSeenAt" at time zone 'UTC')::date, seen.count
    from json_to_recordset($2::json) as seen(fingerprint text, "lastSeenAt" timestamptz, count bigint)
    join recorded on recorded.fingerprint = seen.fingerprint
    on conflict (group_id, day) do update set count = kept.count + excluded.count)
  select id, fingerprint from recorded`)

/**
 * Counts reports that were resolved, reopened or deleted since they were stored. A group whose last open report is
 * resolved is resolved too; one that was resolved and has a report reopened is open again. Locks in the order of keys,
 * as `assignGroups` does; reports are locked before.
 * @param changes group → how many more (or, negative, less) of its reports are open.
 */
export const changeOpenCounts = async (tx: Tx, changes: ReadonlyMap<number, number>, now: Date): Promise<void> => {
  const given = [...changes].filter(([, change]) => change !== 0).map(([id, change]) => ({ id, change }))
  if (given.length === 0) return
  await sql`
    with given as (select * from json_to_recordset(${JSON.stringify(given)}::json) as given(id bigint, change bigint)),
    held as materialized (
      select grp.id, given.change from error_report_groups grp join given on given.id = grp.id
      order by grp.algorithm, grp.fingerprint for no key update of grp)
    update error_report_groups grp set
      open_count = grp.open_count + held.change,
      state = case when ${closes} then 'resolved' when ${opens} then 'open' else grp.state end,
      resolved_at = case when ${closes} then ${now}::timestamptz when ${opens} then null else grp.resolved_at end,
      resolved_by = case when ${opens} then null else grp.resolved_by end
    from held where held.id = grp.id`.execute(tx)
}

const closes = sql<boolean>`(grp.state = 'open' and held.change < 0 and grp.open_count + held.change = 0)`
const opens = sql<boolean>`(grp.state = 'resolved' and held.change > 0)`

export const findGroup = (db: Db | Tx, id: number): Promise<Group | undefined> =>
  db.selectFrom('errorReportGroups').select(groupColumns).where('id', '=', id).executeTakeFirst()

export const groupList = defineList({
  orderings: { id: 'id', last_seen: 'lastSeenAt', first_seen: 'firstSeenAt', count: 'count', open_count: 'openCount' },
  defaultOrdering: '-last_seen',
  filters: {
    state: equals('state', OneOf(groupStates)),
    channel: equals('channelId', Id),
    action_content_type: equals('actionContentType', Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    assignee: equals('assignee', Id),
    first_seen: time('firstSeenAt', 'Seen first'),
    last_seen: time('lastSeenAt', 'Seen last'),
    count: quantity('count', 'Failures ever'),
    open_count: quantity('openCount', 'Reports that are open'),
    regressed: custom(
      Type.Boolean({ description: 'true: those that came back after they had been resolved; false: the others.' }),
      (isWanted) => sql<boolean>`(regressed_at is not null) = ${isWanted}`,
    ),
    q: custom(
      Type.String({ maxLength: 200, description: 'Is in the title or the code, in any case.' }),
      (text) => sql<boolean>`strpos(lower(title || ' ' || code_pattern), lower(${text})) > 0`,
    ),
  },
})

/** How many groups are open, and how many of those had been resolved: each among the first 10,001. */
export const countOpenGroups = async (db: Db) => {
  const { rows } = await sql<{ open: number; regressed: number }>`
    select count(*) as open, count(regressed_at) as regressed
    from (select regressed_at from error_report_groups where state = 'open' limit ${maxCounted + 1}) open`.execute(db)
  return rows[0] ?? { open: 0, regressed: 0 }
}

export const listGroups = (db: Db, query: Page): Promise<Rows<Group>> =>
  readList(db, groupList, query, db.selectFrom('errorReportGroups').select(groupColumns))

/** Keeps others from changing the group until the transaction ends. Reports are locked before groups. */
export const lockGroup = (tx: Tx, id: number): Promise<Group | undefined> =>
  tx.selectFrom('errorReportGroups').select(groupColumns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export type GroupChanges = Partial<Pick<Group, 'state' | 'assignee' | 'note' | 'resolvedAt' | 'resolvedBy'>>

/** Changes a group that the caller has locked. */
export const updateGroup = (tx: Tx, id: number, changes: GroupChanges): Promise<Group> =>
  tx
    .updateTable('errorReportGroups')
    .set(changes)
    .where('id', '=', id)
    .returning(groupColumns)
    .executeTakeFirstOrThrow()

/** Whether there is such a user, who cannot be removed before the transaction ends. */
export const isUser = async (tx: Tx, id: number): Promise<boolean> => {
  const { rows } = await sql`
    select id from users where id = ${id} and is_active and (is_staff or is_superuser) for key share`.execute(tx)
  return rows.length > 0
}

/**
 * Removes groups that were resolved before a time, have no reports any more, and say nothing else that somebody wrote: at
 * most `limit`. The caller holds the lock of all changes, so none gets a report meanwhile.
 * @returns how many it removed; less than `limit` when none is left.
 */
export const removeOldGroups = async (
  tx: Tx,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> => {
  const { rows } = await sql`
    with old as materialized (
      select grp.id from error_report_groups grp
      where grp.state = 'resolved' and grp.resolved_at < ${before}::timestamptz and grp.open_count = 0 and grp.note = ''
        and not exists (select from error_reports report where report.group_id = grp.id)
      order by grp.algorithm, grp.fingerprint limit ${limit}
      for update of grp)
    delete from error_report_groups where id in (select id from old) returning id`.execute(tx)
  return rows.length
}
