import type { Outbox } from '#delivery/outbox/outbox.ts'
import { mayCall } from '#platform/auth/principal.ts'
import { needOf, type FindNeeds } from '#platform/need.ts'
import { problemDetails } from '#platform/http/errors/problem-details.ts'
import {
  countTroubledFlows,
  findOwnedFlows,
  makeAlertedFlow,
  makeFailedRun,
  makeFlowRoutes,
  type FlowSliceDeps,
} from './flows/index.ts'
import { find } from './find-store.ts'
import { loginErrors, loginRoutes, type LogIn } from './login/index.ts'
import { dataRoutes, runRoutes } from './runs/index.ts'

export { isFlowScope } from './flows/index.ts'

export interface FlowsDeps extends Omit<FlowSliceDeps, 'path'> {
  readonly outbox: Outbox
  readonly installationId: string
  /** Path segment of the service: FLOW_ENGINE. */
  readonly engine: string
  /** Another domain's: makes tokens that routes with `audience: 'flows'` accept. */
  readonly logIn: LogIn
}

const findNeeds: FindNeeds<'flows_failing' | 'flows_switched_off'> = async (db, principal) => {
  if (!mayCall(principal, { role: 'staff' })) return []
  const { failing, switchedOff } = await countTroubledFlows(db)
  return [needOf('flows_failing', '/flows', failing), needOf('flows_switched_off', '/flows', switchedOff)]
}

/** The flow-integration service (document 1; contract, sections 1, 9 and 11: Flows). */
export const makeFlows = ({ engine, logIn, ...deps }: FlowsDeps) => {
  const base = `/api/${engine}`
  const login = `${base}/login`
  const path = `${base}/flows`
  return {
    routes: [
      loginRoutes({ path: login, logIn }),
      ...makeFlowRoutes({ ...deps, path }),
      dataRoutes({ ...deps, path }),
      runRoutes({ ...deps, path }),
    ],
    findOwned: findOwnedFlows,
    /** The flow of a subscription, and who gets messages about its health. */
    alertedFlow: makeAlertedFlow(path),
    /** The flow of a subscription, as a report of a failed run shows it. */
    failedRun: makeFailedRun(path),
    find,
    findNeeds,
    errorShapes: [problemDetails(base), loginErrors(login)],
  }
}
