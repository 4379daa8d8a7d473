import type { Outbox } from '#delivery/outbox/outbox.ts'
import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { Subscriptions } from '#delivery/subscriptions/subscriptions.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import type { Write } from '#platform/http/idempotency.ts'
import { problemDetails } from '#platform/http/errors/problem-details.ts'
import { makeAlertedFlow, makeFailedRun, makeFlowRoutes } from './flows/index.ts'
import { loginErrors, loginRoutes, type LogIn } from './login/index.ts'
import { dataRoutes, runRoutes } from './runs/index.ts'

export { isFlowScope } from './flows/index.ts'

export interface FlowsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly write: Write
  readonly baseUrl: () => string
  readonly outbox: Outbox
  readonly subscriptions: Subscriptions
  readonly redeliveries: Redeliveries
  /** What speaks against a URL besides its form, such as a literal private address; undefined when nothing does. */
  readonly checkUrl: (url: string) => string | undefined
  readonly installationId: string
  /** Path segment of the service: FLOW_ENGINE. */
  readonly engine: string
  /** Another domain's: makes tokens that routes with `audience: 'flows'` accept. */
  readonly logIn: LogIn
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
    /** The flow of a subscription, and whom to tell of its health. */
    alertedFlow: makeAlertedFlow(path),
    /** The flow of a subscription, as a report of a failed run shows it. */
    failedRun: makeFailedRun(path),
    errorShapes: [problemDetails(base), loginErrors(login)],
  }
}
