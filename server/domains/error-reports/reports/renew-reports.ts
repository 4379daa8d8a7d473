import type { Tx } from '#platform/db/database.ts'
import { assignGroups, changeOpenCounts } from '../groups/index.ts'
import type { Buckets } from './bucket-store.ts'
import { updateReport, type HeldReport, type ReportChanges } from './store.ts'

interface Renewal {
  /** An open report. */
  readonly held: HeldReport
  readonly content: ReportChanges
}

/**
 * Writes new failures over reports that are open, each of which counts in its group as one more. One that fails in another
 * way than before moves to another group. The caller holds the lock of all changes.
 */
export const renewReports = async (
  { tx, buckets, now }: { readonly tx: Tx; readonly buckets: Buckets; readonly now: Date },
  renewals: readonly Renewal[],
): Promise<void> => {
  const groups = await assignGroups(
    tx,
    renewals.map(({ held, content }) => ({ ...held, ...content, isOk: false, createdAt: now })),
  )
  const leave = new Map<number, number>()
  for (const [index, { held, content }] of renewals.entries()) {
    await updateReport(tx, buckets, held, { ...content, groupId: groups[index] ?? null, updatedAt: now })
    // The group that it is in now has counted it as open, once more where it is the same.
    if (held.groupId !== null) leave.set(held.groupId, (leave.get(held.groupId) ?? 0) - 1)
  }
  await changeOpenCounts(tx, leave, now)
}
