import type { Dependencies } from '../dependencies.ts'
import { makeCells } from './cell-store.ts'
import { creationRoutes } from './creation-routes.ts'
import type { RetryReports } from '#failures/retry-report.ts'
import { makeOpenReports } from './open-reports-store.ts'
import { makeOwnFailures } from './own-failures.ts'
import { makeRetryReport } from './retry-report.ts'
import { retryRoutes } from './retry-routes.ts'
import { reportRoutes } from './routes.ts'
import { makeShowReports } from './show-reports.ts'

export { takeTurn } from './cell-store.ts'
export { removeEnded, waysToEnd, type WayToEnd } from './ended-store.ts'

/** The reports themselves. */
export const makeReports = ({
  retryReports,
  ...dependencies
}: Dependencies & { readonly retryReports: RetryReports }) => {
  const cells = makeCells()
  const { clock } = dependencies
  const openReports = makeOpenReports(cells)
  const show = makeShowReports({ ...dependencies, retryReports })
  return {
    routes: [
      reportRoutes(dependencies, { cells, show }),
      creationRoutes(dependencies, cells),
      retryRoutes(dependencies, { retry: makeRetryReport({ clock, retryReports, openReports }), show }),
    ],
    ownFailures: makeOwnFailures({ cells, clock }),
    /** For the groups and places, which may not know this slice. */
    openReports,
  }
}
