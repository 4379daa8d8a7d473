import type { Subscriptions } from '#delivery/subscriptions.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Perform, Write } from '#platform/http/idempotency.ts'
import { joinRoutes } from '../routes.ts'
import { hookEventRoutes } from './hook-event-routes.ts'
import { hookRoutes } from './hook-routes.ts'
import { lockHooksOf } from './hooks-store.ts'
import { makeManageHooks, type HoldOwner } from './manage-hooks.ts'
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
  /** Keys the hashes that URLs are found by. */
  readonly urlKey: Buffer
  /** Whether a user may have hooks, and holds on to it; without it everybody may. */
  readonly holdOwner?: HoldOwner
  /** What speaks against a URL besides its form, such as a literal private address; undefined when nothing does. */
  readonly checkUrl?: (url: string) => string | undefined
}

/** The order-management hook service (document 2; contract, section 4): subscriptions and what was delivered to them. */
export const makeHooks = (deps: HooksDeps) => {
  const { db, clock, write, perform, baseUrl, subscriptions, attemptNow, servicePath, installationId, urlKey } = deps
  const { holdOwner = async () => true } = deps
  const path = `/${servicePath}/hooks`
  const hooks = makeManageHooks({ clock, subscriptions, holdOwner, urlKey })
  const rules = { registryPath: `${path}/registry/`, checkUrl: deps.checkUrl ?? (() => undefined) }
  return {
    /** Switches off every hook of a user who may no longer have any. What is due waits; rights given back change nothing. */
    switchOffHooksOf: async (tx: Tx, userId: number): Promise<void> =>
      subscriptions.switchOff(tx, await lockHooksOf(tx, userId), 'owner lost access'),
    routes: joinRoutes([
      hookRoutes({ db, write, baseUrl, hooks, path, rules }),
      hookEventRoutes({ db, perform, baseUrl, path: `/${servicePath}/hook_events`, installationId, attemptNow }),
    ]),
  }
}
