import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { Subscriptions } from '#delivery/subscriptions/subscriptions.ts'
import { healthRoutes } from '#delivery/surface/health-routes.ts'
import type { CheckUrl } from '#delivery/surface/target-url.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import type { Write } from '#platform/http/idempotency.ts'
import { makeManageFlows } from './manage-flows.ts'
import { makeFlowSurface, operation } from './flow-surface.ts'
import { flowRoutes } from './routes.ts'
import { flowSecretRoutes } from './secret-routes.ts'

export { makeAlertedFlow, makeFailedRun } from './alerted-flow.ts'
export { isFlowScope, scopeOf } from './flow.ts'
export { operation, route } from './flow-surface.ts'
export { FlowParams } from './schemas.ts'
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
  const flows = makeManageFlows(deps)
  const surface = makeFlowSurface(deps)
  const health = healthRoutes(surface, {
    operation: operation(
      'getFlowHealth',
      'Get how the target of a flow is doing',
      'Since when it fails, whether it was switched off and when it is next tried, and until when nothing is sent: `hold_until` when ' +
        'the target has asked for quiet (`Retry-After`), `paused_until` while it is failing. 409 for an inbound flow.',
    ),
    title: 'ReceiverHealth',
    viewOf: (view) => view,
  })
  return [flowRoutes({ ...deps, flows }), health, flowSecretRoutes(surface)]
}
