import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { changeOpenCounts } from '../groups/index.ts'
import type { OwnFailures, OwnObject } from '#failures/own-failure.ts'
import { lockReports } from './bucket-store.ts'
import { later, storeReports } from './create-reports.ts'
import { findEarlier } from './creation-store.ts'
import { ownContentOf, ownReportOf } from './new-report.ts'
import { markRetried } from './open-reports-store.ts'
import { haveOpenReports, holdOpenReports, openReportIds, type OwnReport } from './own-failures-store.ts'
import { renewReports } from './renew-reports.ts'
import { resolveRows, type Resolved } from './store.ts'

/**
 * Keeps the reports of what this server does itself. Of each object one report at most is open: another failure renews
 * it, and counts in its group as one more. What works again resolves it. Held in this order: the lock of all changes, reports, groups.
 */
export const makeOwnFailures = ({ clock }: Pick<SliceDeps, 'clock'>): OwnFailures => ({
  async report(tx, failures) {
    if (failures.length === 0) return
    await lockReports(tx)
    const now = later(clock.now(), (await findEarlier(tx, [], clock.now())).lastAt)
    // Of one that failed several times only the last failure is of interest.
    const last = new Map(failures.map((failure) => [keyOf(failure), failure]))
    const open = new Map((await holdOpenReports(tx, [...last.values()])).map((held) => [keyOf(held), held]))
    const fresh = [...last].filter(([key]) => !open.has(key)).map(([, failure]) => ownReportOf(failure))
    await storeReports({ tx, now }, fresh, new Set())
    const renewals = [...open].flatMap(([key, held]) => {
      const failure = last.get(key)
      return failure === undefined ? [] : [{ held, content: ownContentOf(failure) }]
    })
    await renewReports({ tx, now }, renewals)
  },

  async resolve(tx, objects) {
    if (objects.length === 0 || !(await haveOpenReports(tx, objects))) return
    await lockReports(tx)
    const now = clock.now()
    const groups = new Map<number, number>()
    const alike = Map.groupBy(await holdOpenReports(tx, objects), (held) => retrierOf(held))
    for (const [by, reports] of alike) {
      const resolved: Resolved = { how: by === null ? 'later_success' : 'retried', by, at: now }
      for (const [group, change] of await resolveRows(tx, reports, resolved))
        groups.set(group, change + (groups.get(group) ?? 0))
    }
    await changeOpenCounts(tx, groups, now)
  },

  lockReports,

  async retried(tx, objects, by) {
    if (objects.length === 0) return
    const open = (await holdOpenReports(tx, objects)).map(({ id }) => id)
    await markRetried(tx, open, { by, at: clock.now() })
  },

  openReports: openReportIds,
})

const keyOf = ({ source, actionObjectId }: Pick<OwnReport, 'source' | 'actionObjectId'> | OwnObject): string =>
  `${source} ${actionObjectId}`

/** Who had it tried again since it failed the last time; null when nobody did, so that others made it work. */
const retrierOf = ({ lastRetryAt, lastRetryBy, objModifiedDate }: OwnReport): number | null =>
  lastRetryAt !== null && lastRetryAt >= objModifiedDate ? lastRetryBy : null
