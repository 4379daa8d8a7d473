import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import type { Write } from '#platform/http/idempotency.ts'
import { dataRoutes } from './data-routes.ts'
import { makeManageRuns, type ManageRunsDeps } from './manage-runs.ts'
import { runRoutes } from './run-routes.ts'

export interface RunSliceDeps extends ManageRunsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly write: Write
  readonly baseUrl: () => string
  readonly installationId: string
  /** `/api/nifi/flows` unless configured otherwise. */
  readonly path: string
}

/** Data that is sent through flows, and what became of it. */
export const makeRunRoutes = (deps: RunSliceDeps) => {
  const runs = makeManageRuns(deps)
  return [dataRoutes({ ...deps, runs }), runRoutes({ ...deps, runs })]
}
