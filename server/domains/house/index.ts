import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { dayMs } from '#platform/clock.ts'
import { forgetAudit } from '#platform/audit/audit-store.ts'
import { auditRoutes } from './audit/index.ts'
import { overviewRoutes, type OverviewDeps } from './overview/index.ts'
import { searchRoutes, type SearchDeps } from './search/index.ts'
export { systemRoutes, type SystemFacts } from './system/index.ts'
import { viewRoutes } from './views/index.ts'

export type HouseDeps = SliceDeps & OverviewDeps & SearchDeps

const auditDays = 365

/** What is of no one domain: the overview, the search, and views that people save. */
export const makeHouse = (deps: HouseDeps) => ({
  routes: [overviewRoutes(deps), searchRoutes(deps), viewRoutes(deps), auditRoutes(deps)],
  /** Forgets what was done more than a year ago. */
  tidy: () => forgetAudit(deps.db, new Date(deps.clock.now().getTime() - auditDays * dayMs)),
})
