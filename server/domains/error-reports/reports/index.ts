import type { Dependencies } from '../dependencies.ts'
import { makeCells } from './cell-store.ts'
import { creationRoutes } from './creation-routes.ts'
import { makeOpenReports } from './open-reports-store.ts'
import { reportRoutes } from './routes.ts'

/** The reports themselves. */
export const makeReports = (dependencies: Dependencies) => {
  const cells = makeCells()
  return {
    routes: [reportRoutes(dependencies, cells), creationRoutes(dependencies, cells)],
    /** For the groups and places, which may not know this slice. */
    openReports: makeOpenReports(cells),
  }
}
