import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'

/**
 * Removes groups that were resolved before a time, have no reports any more, and say nothing else that somebody wrote: at
 * most `limit`. The caller has taken the turn of all changes of reports, so none gets a report meanwhile.
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
