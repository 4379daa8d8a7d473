import { sql, type Generated } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { ChangeKind, ReportChange } from '../open-reports.ts'

interface ErrorReportChangesTable extends Omit<ReportChange, 'id'> {
  readonly id: Generated<number>
  readonly undoneAt: Date | null
}
declare module '#platform/db/database.ts' {
  interface Tables {
    errorReportChanges: ErrorReportChangesTable
  }
}

/**
 * Writes down that somebody changes many reports, at a time that no other such change has. The caller holds the lock of
 * all changes of reports.
 */
export const insertChange = async (
  tx: Tx,
  { kind, changedBy, now }: { readonly kind: ChangeKind; readonly changedBy: number; readonly now: Date },
): Promise<ReportChange> =>
  tx
    .insertInto('errorReportChanges')
    .values({
      kind,
      changedBy,
      undoneAt: null,
      changedAt: sql<Date>`(
        select greatest(${now}::timestamptz, max(changed_at) + interval '1 ms') from error_report_changes)`,
    })
    .returning(['id', 'kind', 'changedBy', 'changedAt'])
    .executeTakeFirstOrThrow()

/** Says that a change is undone. @returns it; undefined when there is none of this kind. */
export const markUndone = (tx: Tx, id: number, kind: ChangeKind, now: Date): Promise<ReportChange | undefined> =>
  tx
    .updateTable('errorReportChanges')
    .set({ undoneAt: sql<Date>`coalesce(undone_at, ${now}::timestamptz)` })
    .where('id', '=', id)
    .where('kind', '=', kind)
    .returning(['id', 'kind', 'changedBy', 'changedAt'])
    .executeTakeFirst()

export const isUndone = async (tx: Tx, id: number): Promise<boolean> => {
  const change = await tx.selectFrom('errorReportChanges').select('undoneAt').where('id', '=', id).executeTakeFirst()
  return change?.undoneAt !== null
}

export const findChange = (db: Db | Tx, id: number, kind: ChangeKind): Promise<ReportChange | undefined> =>
  db
    .selectFrom('errorReportChanges')
    .select(['id', 'kind', 'changedBy', 'changedAt'])
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst()
