import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { FailureSource } from '#failures/own-failure.ts'
import { maxCounted } from '#platform/lists/page.ts'
import type { ChangeKind } from '../open-reports.ts'
import { countedParts } from './list-reports.ts'
import { pageOfIds, type Part, type ReportQuery } from './list-store.ts'
import { openReportIds } from './own-failures-store.ts'
import type { OpenRow } from './store.ts'

/** Which reports to resolve or reopen: these, those that the list has, or those that were changed at a time. */
export type Selection =
  | { readonly ids: readonly number[] }
  | { readonly query: ReportQuery }
  | { readonly changedAt: Date }

export interface IdRange {
  readonly afterId: number
  /** Inclusive. */
  readonly upToId: number
  readonly limit: number
}

/** What reports are before a change of this kind. */
const isOkBefore = { resolve: false, reopen: true } as const

export const newestId = async (tx: Tx): Promise<number> => {
  const { id } = await tx
    .selectFrom('errorReports')
    .select(({ fn }) => fn.coalesce(fn.max<number>('id'), sql<number>`0`).as('id'))
    .executeTakeFirstOrThrow()
  return id
}

/** Those of the list that can be changed; a log of success was never a failure, so none is opened. */
const partsIn = async (db: Db | Tx, kind: ChangeKind, query: ReportQuery) => {
  const isOk = isOkBefore[kind]
  if (query.is_ok !== undefined && query.is_ok !== isOk) return { parts: [], count: 0 }
  const also: Part['conditions'] = isOk ? { failed: sql<boolean>`resolved_at is not null` } : {}
  return countedParts(db, { ...query, is_ok: isOk }, { also })
}

const selected = (db: Db | Tx, kind: ChangeKind, selection: Exclude<Selection, { readonly query: ReportQuery }>) =>
  db
    .selectFrom('errorReports')
    .where('isOk', '=', isOkBefore[kind])
    .where(
      'ids' in selection
        ? sql<boolean>`id = any(${[...selection.ids]}::bigint[])`
        : sql<boolean>`updated_at = ${selection.changedAt}`,
    )

/** How many would be changed; infinitely many where the count by words stopped. */
export const countSelected = async (db: Db | Tx, kind: ChangeKind, selection: Selection): Promise<number> => {
  if ('query' in selection) return (await partsIn(db, kind, selection.query)).count
  const { count } = await selected(db, kind, selection)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** A count as answers have it. */
export const shownCount = (count: number) => ({
  count: Math.min(count, Number.isFinite(count) ? count : maxCounted),
  is_exact: Number.isFinite(count),
})

/** Some of those that would be changed, the oldest first. */
export const selectedIds = async (
  db: Db | Tx,
  kind: ChangeKind,
  selection: Selection,
  { afterId, upToId, limit }: IdRange,
): Promise<number[]> => {
  if ('query' in selection) {
    const { parts } = await partsIn(db, kind, selection.query)
    const ranged = parts.map((part) => ({
      ...part,
      from: Math.max(part.from ?? 0, afterId + 1),
      before: Math.min(part.before ?? Number.MAX_SAFE_INTEGER, upToId + 1),
    }))
    return ranged.length === 0 ? [] : pageOfIds(db, ranged, { field: 'id', direction: 'asc', offset: 0, limit })
  }
  const rows = await selected(db, kind, selection)
    .select('id')
    .where('id', '>', afterId)
    .where('id', '<=', upToId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** A report that is about to be changed. */
export interface HeldRow extends OpenRow {
  readonly source: FailureSource | null
  readonly actionObjectId: number
}

/** Holds reports that can be changed, in the order of their ids. The caller holds the lock of all changes. */
export const holdToChange = (tx: Tx, kind: ChangeKind, ids: readonly number[]): Promise<HeldRow[]> =>
  selected(tx, kind, { ids }).select(['id', 'groupId', 'source', 'actionObjectId']).orderBy('id').forUpdate().execute()

/** Of reports to reopen those that can be: of a thing of our own one report is open at most, the newest of them. */
export const reopenable = async (tx: Tx, rows: readonly HeldRow[]): Promise<HeldRow[]> => {
  const newest = new Map(rows.map((row) => [`${row.source} ${row.actionObjectId}`, row.id]))
  const open = new Set<string>()
  for (const [source, ours] of Map.groupBy(rows, (row) => row.source)) {
    if (source === null) continue
    const ids = ours.map(({ actionObjectId }) => actionObjectId)
    for (const id of (await openReportIds(tx, source, ids)).keys()) open.add(`${source} ${id}`)
  }
  return rows.filter((row) => {
    const key = `${row.source} ${row.actionObjectId}`
    return row.source === null || (!open.has(key) && newest.get(key) === row.id)
  })
}

/**
 * Opens reports again that the caller holds and has seen resolved.
 * @returns group → how many more of its reports are open than before.
 */
export const reopenRows = async (tx: Tx, rows: readonly HeldRow[], at: Date): Promise<Map<number, number>> => {
  const groups = new Map<number, number>()
  if (rows.length === 0) return groups
  await tx
    .updateTable('errorReports')
    .set({ isOk: false, resolvedAt: null, resolvedBy: null, resolvedHow: null, updatedAt: at })
    .where(sql<boolean>`id = any(${rows.map(({ id }) => id)}::bigint[])`)
    .execute()
  for (const { groupId } of rows) if (groupId !== null) groups.set(groupId, (groups.get(groupId) ?? 0) + 1)
  return groups
}
