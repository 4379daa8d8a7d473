import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { overviewRoutes, type OverviewDeps } from './overview/index.ts'
import { searchRoutes, type SearchDeps } from './search/index.ts'
export { systemRoutes, type SystemFacts } from './system/index.ts'
import { viewRoutes } from './views/index.ts'

export type HouseDeps = SliceDeps & OverviewDeps & SearchDeps

/** What is of no one domain: the overview, the search, and views that people save. */
export const makeHouse = (deps: HouseDeps) => ({
  routes: [overviewRoutes(deps), searchRoutes(deps), viewRoutes(deps)],
})
