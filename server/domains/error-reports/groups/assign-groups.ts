import { contentHash } from '#platform/crypto/digests.ts'
import type { Tx } from '#platform/db/database.ts'
import { currentAlgorithm, type Algorithm, type NewFailure } from './fingerprint.ts'
import { recordFailures, type SeenGroup } from './store.ts'

/**
 * Counts new reports in their groups, and makes the groups that are missing: one statement, whatever their number. A
 * group that was resolved is reopened as `recordFailures` says. Holds the rows of the groups until `tx` ends, taken in
 * the order of their keys, so that calls of several processes cannot wait for each other in a circle.
 * @param reports only those that become rows: not the repeated ones.
 * @param algorithm which one; groups of another are left alone.
 * @returns for each report the id of its group; null for one that is ok at creation.
 */
export const assignGroups = async (
  tx: Tx,
  reports: readonly NewFailure[],
  algorithm: Algorithm = currentAlgorithm,
): Promise<(number | null)[]> => {
  const prints = reports.map((report) => (report.isOk ? undefined : printOf(report, algorithm)))
  const seen = new Map<string, SeenGroup>()
  for (const [index, report] of reports.entries()) {
    const print = prints[index]
    if (print === undefined) continue
    const earlier = seen.get(print.fingerprint)
    seen.set(print.fingerprint, earlier === undefined ? firstOf(report, print) : withAnother(earlier, report))
  }
  if (seen.size === 0) return reports.map(() => null)
  const ids = await recordFailures(tx, algorithm.version, [...seen.values()])
  return prints.map((print) => (print === undefined ? null : (ids.get(print.fingerprint) ?? null)))
}

interface Print {
  readonly fingerprint: string
  readonly codePattern: string
}

const printOf = (report: NewFailure, { partsOf }: Algorithm): Print => {
  const { key, codePattern } = partsOf(report)
  return { fingerprint: contentHash(key), codePattern }
}

/** Characters of a description that name a group. Half of one, at the end, would be refused by the database. */
const titleLength = 255
const beginningOf = (text: string): string => text.slice(0, titleLength).replace(/[\uD800-\uDBFF]$/, '')

const firstOf = (report: NewFailure, print: Print): SeenGroup => ({
  ...print,
  channelId: report.channelId,
  actionContentType: report.actionContentType,
  title: beginningOf(report.errorDesc),
  count: 1,
  firstSeenAt: report.createdAt,
  lastSeenAt: report.createdAt,
})

const withAnother = (group: SeenGroup, { createdAt }: NewFailure): SeenGroup => ({
  ...group,
  count: group.count + 1,
  firstSeenAt: createdAt < group.firstSeenAt ? createdAt : group.firstSeenAt,
  lastSeenAt: createdAt > group.lastSeenAt ? createdAt : group.lastSeenAt,
})
