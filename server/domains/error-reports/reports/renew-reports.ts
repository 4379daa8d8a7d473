import type { Tx } from '#platform/db/database.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { assignGroups, changeOpenCounts } from '../groups/index.ts'
import type { CreateReports, Outcome } from './create-reports.ts'
import { holdOpenAlike, holdChannelsAndLock } from './creation-store.ts'
import type { SentReport } from './new-report.ts'
import type { Report } from './report.ts'
import { updateReport, type ReportChanges } from './store.ts'

interface Renewal {
  /** An open report. */
  readonly held: Report
  readonly content: ReportChanges
}

/**
 * Writes new failures over reports that are open, each of which counts in its group as one more. One that fails in another
 * way than before moves to another group. The caller holds the lock of all changes.
 */
export const renewReports = async (
  { tx, now }: { readonly tx: Tx; readonly now: Date },
  renewals: readonly Renewal[],
): Promise<void> => {
  const groups = await assignGroups(
    tx,
    renewals.map(({ held, content }) => ({ ...held, ...content, isOk: false, createdAt: now })),
  )
  const leave = new Map<number, number>()
  for (const [index, { held, content }] of renewals.entries()) {
    await updateReport(tx, held, { ...content, groupId: groups[index] ?? null, updatedAt: now })
    // The group that it is in now has counted it as open, once more where it is the same.
    if (held.groupId !== null) leave.set(held.groupId, (leave.get(held.groupId) ?? 0) - 1)
  }
  await changeOpenCounts(tx, leave, now)
}

/**
 * Makes what stores a report of a channel, or renews the open one of the same object and code (contract, section 6). A
 * success is stored like any other, and so resolves what failed before for the object.
 */
export const makeCreateDistinct =
  ({ clock, createAll }: Pick<SliceDeps, 'clock'> & { readonly createAll: CreateReports }) =>
  async (tx: Tx, sent: SentReport): Promise<Outcome | undefined> => {
    await holdChannelsAndLock(tx, sent.channelId === null ? [] : [sent.channelId])
    const held = sent.isOk ? undefined : await holdOpenAlike(tx, sent)
    if (held === undefined) return (await createAll(tx, [sent]))[0]
    const now = clock.now()
    const { targetContentType, targetObjectId, errorDesc, rawRequest, rawResponse } = sent
    const content = { targetContentType, targetObjectId, errorDesc, rawRequest, rawResponse }
    const objModifiedDate = sent.objModifiedDate ?? now
    await renewReports({ tx, now }, [{ held, content: { ...content, objModifiedDate } }])
    return { kind: 'repeated', report: held }
  }
