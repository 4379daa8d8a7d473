import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { makeBuckets } from './bucket-store.ts'
import { creationRoutes } from './creation-routes.ts'
import type { RetryReports } from '#failures/retry-report.ts'
import { makeOpenReports } from './open-reports-store.ts'
import { makeOwnFailures } from './own-failures.ts'
import { makeRetryReport } from './retry-report.ts'
import { reportRoutes } from './routes.ts'

export { lockReports } from './bucket-store.ts'
export { removeEnded, waysToEnd, type WayToEnd } from './ended-store.ts'

export const makeReports = ({ retryReports, ...dependencies }: SliceDeps & { readonly retryReports: RetryReports }) => {
  const buckets = makeBuckets()
  const { clock } = dependencies
  const openReports = makeOpenReports(buckets)
  return {
    routes: [
      reportRoutes(dependencies, {
        buckets,
        retryReports,
        retry: makeRetryReport({ clock, retryReports, openReports }),
      }),
      creationRoutes(dependencies, buckets),
    ],
    ownFailures: makeOwnFailures({ buckets, clock }),
    /** For the groups and places, which may not know this slice. */
    openReports,
  }
}
