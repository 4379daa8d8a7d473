import type { RetryReports } from '#failures/retry-report.ts'
import { mayCall } from '#platform/auth/principal.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import { needOf, type FindNeeds } from '#platform/need.ts'
import { channelRoutes } from './channels/index.ts'
import { contentTypeRoutes } from './content-types/index.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { find } from './find-store.ts'
import type { FindPeople } from './dependencies.ts'
import { countOpenGroups, groupRoutes, makeActOnAll } from './groups/index.ts'
import { makeMapPlace, placeRoutes } from './places/index.ts'
import { makeReports, openReports } from './reports/index.ts'
import { makeRetention, type RetentionDeps } from './retention/index.ts'

export interface ErrorReportsDeps extends SliceDeps, Pick<RetentionDeps, 'log' | 'keepDays'> {
  readonly jobs: Pick<Jobs, 'define'>
  readonly retryReports: RetryReports
  /** For what is done later, by whoever may still do it. */
  readonly findPeople: FindPeople
}

const findNeeds: FindNeeds<'error_groups_open' | 'error_groups_regressed'> = async (db, principal) => {
  if (!mayCall(principal, { role: 'staff', scope: 'error-reports:read' })) return []
  const { open, regressed } = await countOpenGroups(db)
  const path = '/error_report_groups?state=open'
  return [
    needOf('error_groups_open', path, open),
    needOf('error_groups_regressed', `${path}&regressed=true`, regressed),
  ]
}

/** What failed, who is to look at it, and how channels call places (document 2; contract, section 6). */
export const makeErrorReports = ({
  jobs,
  retryReports,
  findPeople,
  log,
  keepDays,
  ...dependencies
}: ErrorReportsDeps) => {
  const reports = makeReports({ ...dependencies, retryReports, jobs })
  const shared = { ...dependencies, jobs, reports: openReports }
  return {
    /** For whoever finds out that something of our own failed, or works again. */
    ownFailures: reports.ownFailures,
    find,
    findNeeds,
    /** For processes that work. */
    workers: [makeRetention({ db: dependencies.db, clock: dependencies.clock, log, keepDays })],
    routes: [
      channelRoutes(dependencies),
      contentTypeRoutes(dependencies),
      ...reports.routes,
      groupRoutes(dependencies, makeActOnAll({ ...shared, retryReports, findPeople })),
      placeRoutes(dependencies, makeMapPlace(shared)),
    ],
  }
}
