import { overviewRoutes, type OverviewDeps } from './overview/index.ts'

export type HouseDeps = OverviewDeps

/** What is of no one domain: the overview. */
export const makeHouse = (deps: HouseDeps) => ({ routes: [overviewRoutes(deps)] })
