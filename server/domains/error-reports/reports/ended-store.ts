import { CompiledQuery } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import { lockReports } from './bucket-store.ts'

/** Why nobody has to look at a report: it was a log of success and nothing else, or a failure that was resolved. */
export const waysToEnd = ['succeeded', 'resolved'] as const
export type WayToEnd = (typeof waysToEnd)[number]

/**
 * Removes the reports that ended in one way before a time, at most `limit` of them.
 * Their groups keep saying how many failures there ever were. Takes the lock of all changes.
 * @returns how many it removed; less than `limit` when none is left.
 */
export const removeEnded = async (
  tx: Tx,
  { way, before, limit }: { readonly way: WayToEnd; readonly before: Date; readonly limit: number },
): Promise<number> => {
  await lockReports(tx)
  const { numAffectedRows = 0n } = await tx.executeQuery(CompiledQuery.raw(removeStatements[way], [before, limit]))
  return Number(numAffectedRows)
}

/** Each walks an index of its own (0015_error_reports.sql), so it costs the same whatever is kept. */
const removeStatement = (endedAt: string, isResolved: string): string =>
  prepared(`
  delete from error_reports where id = any (array (
    select id from error_reports where is_ok and resolved_at ${isResolved} and ${endedAt} < $1
    order by ${endedAt} limit $2))`)
const removeStatements: Readonly<Record<WayToEnd, string>> = {
  succeeded: removeStatement('created_at', 'is null'),
  resolved: removeStatement('resolved_at', 'is not null'),
}
