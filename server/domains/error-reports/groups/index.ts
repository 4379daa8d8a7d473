import type { Jobs } from '#platform/jobs/jobs.ts'
import type { Dependencies, FindPeople } from '../dependencies.ts'
import type { OpenReports } from '../open-reports.ts'
import { makeActOnAll } from './act-on-all.ts'
import type { RetryReports } from '#failures/retry-report.ts'
import { groupRoutes } from './routes.ts'

export { assignGroups } from './assign-groups.ts'
export { changeOpenCounts, removeOldGroups } from './store.ts'

export interface GroupsDeps extends Dependencies {
  readonly jobs: Pick<Jobs, 'define'>
  readonly reports: OpenReports
  readonly retryReports: RetryReports
  readonly findPeople: FindPeople
  /** More open reports than these are resolved by a job. */
  readonly mostAtOnce?: number
  /** The same of those that are tried again. */
  readonly mostRetriedAtOnce?: number
  /** How many of them in one transaction: creations wait for it. */
  readonly step?: number
}

/** Reports with one cause, and who looks at it. */
export const makeGroups = ({
  jobs,
  reports,
  retryReports,
  findPeople,
  mostAtOnce = 5_000,
  mostRetriedAtOnce = 1_000,
  step = 1_000,
  ...dependencies
}: GroupsDeps) => {
  const { db, clock } = dependencies
  const limits = { mostAtOnce, mostRetriedAtOnce, step }
  const actOnAll = makeActOnAll({ db, clock, jobs, reports, retryReports, findPeople, ...limits })
  return { routes: [groupRoutes(dependencies, actOnAll)] }
}
