import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import { makeChangeMany } from './change-many.ts'
import { changeManyRoutes } from './change-many-routes.ts'
import { creationRoutes } from './creation-routes.ts'
import type { RetryReports } from '#failures/retry-report.ts'
import { makeOwnFailures } from './own-failures.ts'
import { reportRoutes } from './routes.ts'
import { makeShowReports } from './show-reports.ts'

export { lockReports } from './bucket-store.ts'
export { removeEnded, waysToEnd, type WayToEnd } from './ended-store.ts'
export { openReports } from './open-reports-store.ts'

export const makeReports = ({
  retryReports,
  jobs,
  ...dependencies
}: SliceDeps & { readonly retryReports: RetryReports; readonly jobs: Pick<Jobs, 'define'> }) => ({
  routes: [
    reportRoutes(dependencies, retryReports),
    creationRoutes(dependencies),
    changeManyRoutes({
      ...dependencies,
      changeMany: makeChangeMany({ ...dependencies, jobs }),
      show: makeShowReports(retryReports, dependencies.baseUrl),
    }),
  ],
  ownFailures: makeOwnFailures(dependencies),
})
