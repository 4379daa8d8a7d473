import { snakeCase } from '#delivery/surface/shape.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import { conflict, orNotFound } from '#platform/errors.ts'
import { problemResponses } from '#platform/http/errors/problem-details.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import type { Flow, OutboundFlow } from './flow.ts'
import { FlowParams } from './schemas.ts'
import { findFlow, findFlowWithRemoved, lockFlow, updateFlow } from './store.ts'

export const route = makeRouteOptions('Flows', problemResponses)

/** No scope: there is none for flows, so limited keys are refused. */
export const operation = operationsFor({ access: { role: 'staff', audience: 'flows' } })

/** Changes of flows. */
export const changing = operationsFor({ access: { role: 'staff', audience: 'flows' }, audited: true })

/** One that is 409 for an inbound flow, whatever its method. */
export const outboundOperation = operationsFor({
  access: { role: 'staff', audience: 'flows' },
  also: [409],
  audited: true,
})

/** `path` is `/api/nifi/flows` unless configured otherwise. */
type FlowSurfaceDeps = Pick<Surface, 'db' | 'clock' | 'write' | 'subscriptions' | 'path'>

/** Outbound flows as owners of subscriptions; of an inbound one everything is 409. */
export const makeFlowSurface = ({ path, ...deps }: FlowSurfaceDeps): Surface => ({
  ...deps,
  noun: 'flow',
  naming: snakeCase,
  route,
  path: `${path}/:flowId`,
  params: FlowParams,
  owner: ({ params }) => {
    const { flowId } = params as { readonly flowId: number }
    return {
      find: async (db) => outbound(await findFlow(db, flowId)).subscriptionId,
      findHistory: async (db) => outbound(await findFlowWithRemoved(db, flowId)).subscriptionId,
      lock: async (tx, changedAt) => {
        const flow = outbound(await lockFlow(tx, flowId))
        if (changedAt !== undefined) await updateFlow(tx, { ...flow, modifiedAt: changedAt })
        return flow.subscriptionId
      },
    }
  },
})

const outbound = (flow: Flow | undefined): OutboundFlow => {
  const found = orNotFound(flow)
  if (found.direction === 'outbound') return found
  throw conflict('flow_inbound', 'This flow is inbound; nothing is sent through it, so it has no target and no secret.')
}
