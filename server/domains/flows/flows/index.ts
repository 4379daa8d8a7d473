import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import { healthRoutes } from '#delivery/surface/health-routes.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import type { CheckUrl } from '#delivery/surface/target-url.ts'
import { flowRoutes } from './flow-routes.ts'
import { makeFlowSurface, outboundOperation } from './flow-surface.ts'
import { flowSecretRoutes } from './secret-routes.ts'

export { makeAlertedFlow, makeFailedRun } from './alerted-flow.ts'
export { findOwnedFlows } from './owned-flows.ts'
export { isFlowScope, scopeOf } from './flow.ts'
export { operation, route } from './flow-surface.ts'
export { FlowParams } from './schemas.ts'
export { countTroubledFlows, findFlowWithRemoved, holdFlow, takesData } from './store.ts'

export interface FlowSliceDeps extends Pick<Surface, 'db' | 'clock' | 'write' | 'subscriptions'> {
  readonly baseUrl: () => string
  readonly redeliveries: Redeliveries
  readonly checkUrl: CheckUrl
  /** `/api/nifi/flows` unless configured otherwise. */
  readonly path: string
}

/** What data is sent through: its target, whether it takes any, and what signs it. */
export const makeFlowRoutes = ({ path, baseUrl, redeliveries, checkUrl, ...deps }: FlowSliceDeps) => {
  const surface = makeFlowSurface({ ...deps, path })
  const health = healthRoutes(surface, {
    operation: outboundOperation(
      'getFlowHealth',
      'Get how the target of a flow is doing',
      'Since when it fails, whether it was switched off and when it is next tried, and until when nothing is sent: `hold_until` when ' +
        'the target has asked for quiet (`Retry-After`), `paused_until` while it is failing. 409 for an inbound flow.',
    ),
    title: 'ReceiverHealth',
  })
  const flows = flowRoutes({ ...surface, baseUrl, redeliveries, checkUrl, collection: path })
  return [flows, health, flowSecretRoutes(surface)]
}
