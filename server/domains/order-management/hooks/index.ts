import type { Subscriptions } from '#delivery/subscriptions.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import type { Perform, Write } from '#platform/http/idempotency.ts'
import { joinRoutes } from '../routes.ts'
import { hookEventRoutes } from './hook-event-routes.ts'
import { hookRoutes } from './hook-routes.ts'
import { makeManageHooks } from './manage-hooks.ts'
import type { AttemptNow } from './retry-hook-event.ts'

export interface HooksDeps {
  readonly db: Db
  readonly clock: Clock
  readonly write: Write
  /** For the retry, which calls somebody else's machine and so cannot run inside a transaction. */
  readonly perform: Perform
  readonly baseUrl: () => string
  readonly subscriptions: Subscriptions
  readonly attemptNow: AttemptNow
  /** First path segment, `whisperer` by default. */
  readonly servicePath: string
  readonly installationId: string
  /** What speaks against a URL besides its form, such as a literal private address; undefined when nothing does. */
  readonly checkUrl?: (url: string) => string | undefined
}

/** The order-management hook service (document 2; contract, section 4): subscriptions and what was delivered to them. */
export const makeHooks = (deps: HooksDeps) => {
  const { db, clock, write, perform, baseUrl, subscriptions, attemptNow, servicePath, installationId } = deps
  const path = `/${servicePath}/hooks`
  const hooks = makeManageHooks({ clock, subscriptions })
  const rules = { registryPath: `${path}/registry/`, checkUrl: deps.checkUrl ?? (() => undefined) }
  return {
    routes: joinRoutes([
      hookRoutes({ db, write, baseUrl, hooks, path, rules }),
      hookEventRoutes({ db, perform, baseUrl, path: `/${servicePath}/hook_events`, installationId, attemptNow }),
    ]),
  }
}
