import type { RetryReports } from '#failures/retry-report.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import { channelRoutes } from './channels/index.ts'
import { contentTypeRoutes } from './content-types/index.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { FindPeople } from './dependencies.ts'
import { groupRoutes, makeActOnAll } from './groups/index.ts'
import { makeMapPlace, placeRoutes } from './places/index.ts'
import { makeReports, openReports } from './reports/index.ts'
import { makeRetention, type RetentionDeps } from './retention/index.ts'

export interface ErrorReportsDeps extends SliceDeps, Pick<RetentionDeps, 'log' | 'keepDays'> {
  readonly jobs: Pick<Jobs, 'define'>
  readonly retryReports: RetryReports
  /** For what is done later, by whoever may still do it. */
  readonly findPeople: FindPeople
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
  const reports = makeReports({ ...dependencies, retryReports })
  const shared = { ...dependencies, jobs, reports: openReports }
  return {
    /** For whoever finds out that something of our own failed, or works again. */
    ownFailures: reports.ownFailures,
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
