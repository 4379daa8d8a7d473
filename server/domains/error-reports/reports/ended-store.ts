import { CompiledQuery } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import { changeCounts, lockReports } from './bucket-store.ts'

/** Why nobody has to look at a report: it was a log of success and nothing else, or a failure that was resolved. */
export const waysToEnd = ['succeeded', 'resolved'] as const
export type WayToEnd = (typeof waysToEnd)[number]

interface RemovedRow {
  readonly groupId: number | null
  readonly bucketId: number
  readonly createdAt: Date
}

/**
 * Removes the reports that ended in one way before a time, at most `limit` of them, and the counts that come to nothing.
 * Their groups keep saying how many failures there ever were. Takes the lock of all changes.
 * @returns how many it removed; less than `limit` when none is left.
 */
export const removeEnded = async (
  tx: Tx,
  { way, before, limit }: { readonly way: WayToEnd; readonly before: Date; readonly limit: number },
): Promise<number> => {
  await lockReports(tx)
  const { rows } = await tx.executeQuery<RemovedRow>(CompiledQuery.raw(removeStatements[way], [before, limit]))
  await changeCounts(
    tx,
    rows.map((row) => ({ ...row, change: -1 })),
  )
  if (rows.length > 0) await removeEmptyCounts(tx, rows)
  return rows.length
}

/** Each walks an index of its own (0015_error_reports.sql), so it costs the same whatever is kept. */
const removeStatement = (endedAt: string, isResolved: string): string =>
  prepared(`
  delete from error_reports where id = any (array (
    select id from error_reports where is_ok and resolved_at ${isResolved} and ${endedAt} < $1
    order by ${endedAt} limit $2))
  returning group_id as "groupId", bucket_id as "bucketId", created_at as "createdAt"`)
const removeStatements: Readonly<Record<WayToEnd, string>> = {
  succeeded: removeStatement('created_at', 'is null'),
  resolved: removeStatement('resolved_at', 'is not null'),
}

/** Otherwise there would be one for each day for ever. Those of buckets as a whole stay, as buckets do. */
const removeEmptyCounts = async (tx: Tx, rows: readonly RemovedRow[]): Promise<void> => {
  const days = new Set(rows.map(({ createdAt }) => createdAt.toISOString().slice(0, 10)))
  const groups = new Set(rows.flatMap(({ groupId }) => groupId ?? []))
  await tx.executeQuery(CompiledQuery.raw(emptyStatement, [[...days], [...groups]]))
}
const emptyStatement = prepared(`
  delete from error_report_counts
  where count = 0 and ((group_id = 0 and day = any($1::date[])) or group_id = any($2::bigint[]))`)
