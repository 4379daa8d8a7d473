import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { creationRoutes } from './creation-routes.ts'
import type { RetryReports } from '#failures/retry-report.ts'
import { makeOwnFailures } from './own-failures.ts'
import { reportRoutes } from './routes.ts'

export { lockReports } from './bucket-store.ts'
export { removeEnded, waysToEnd, type WayToEnd } from './ended-store.ts'
export { openReports } from './open-reports-store.ts'

export const makeReports = ({
  retryReports,
  ...dependencies
}: SliceDeps & { readonly retryReports: RetryReports }) => ({
  routes: [reportRoutes(dependencies, retryReports), creationRoutes(dependencies)],
  ownFailures: makeOwnFailures(dependencies),
})
