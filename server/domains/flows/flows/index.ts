import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { Subscriptions } from '#delivery/subscriptions/subscriptions.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import type { Write } from '#platform/http/idempotency.ts'
import type { CheckUrl } from './flow-input.ts'
import { makeFlowSubscriptions } from './flow-subscription.ts'
import { makeManageFlows } from './manage-flows.ts'
import { makeManageTarget } from './manage-target.ts'
import { flowRoutes } from './routes.ts'
import { secretRoutes } from './secret-routes.ts'

export { makeAlertedFlow } from './alerted-flow.ts'
export { makeFailedRun } from './failed-run.ts'
export { isFlowScope, scopeOf } from './flow.ts'
export { findFlowWithRemoved, holdFlow, takesData } from './store.ts'

export interface FlowSliceDeps {
  readonly db: Db
  readonly clock: Clock
  readonly write: Write
  readonly baseUrl: () => string
  readonly subscriptions: Subscriptions
  readonly redeliveries: Redeliveries
  readonly checkUrl: CheckUrl
  /** `/api/nifi/flows` unless configured otherwise. */
  readonly path: string
}

/** What data is sent through: its target, whether it takes any, and what signs it. */
export const makeFlowRoutes = (deps: FlowSliceDeps) => {
  const subscriptions = makeFlowSubscriptions(deps)
  const target = makeManageTarget({ ...deps, subscriptions })
  const flows = makeManageFlows({ ...deps, subscriptions })
  return [flowRoutes({ ...deps, flows, target }), secretRoutes({ ...deps, target })]
}
