import type { Outbox } from '#delivery/outbox/outbox.ts'
import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { Subscriptions } from '#delivery/subscriptions/subscriptions.ts'
import { healthRoutes } from '#delivery/surface/health-routes.ts'
import { readActivity, type DeliveryActivity } from '#delivery/log/activity.ts'
import { mayCall, type Principal } from '#platform/auth/principal.ts'
import { historyRoutes } from '#delivery/surface/history-routes.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Perform } from '#platform/http/idempotency.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { needOf, type FindNeeds } from '#platform/need.ts'
import { joinRoutes } from '../routes.ts'
import type { EventTypes } from '../event-types/index.ts'
import { attemptRoutes } from './log/attempt-routes.ts'
import { explainRoutes } from './log/explain-routes.ts'
import { eventLogRoutes } from './log/event-log-routes.ts'
import { histogramRoutes } from './log/histogram-routes.ts'
import { hookEventRoutes, type AttemptNow } from './log/hook-event-routes.ts'
import { makeFind } from './find-store.ts'
import { hookRoutes, type HoldOwner } from './hook-routes.ts'
import { formRoutes } from './form-routes.ts'
import { makeHookSurface, reading, visibleTo } from './hook-surface.ts'
import { countTroubledHooks, hookIdsOf, lockHooksOf, ownerOf } from './hooks-store.ts'
import { findOwnedHooks } from './owned-hooks.ts'
import { pingRoutes } from './ping-routes.ts'
import { redeliveryRoutes } from './redelivery/redelivery-routes.ts'
import { tryRoutes } from './try-routes.ts'
import { hookSecretRoutes } from './secret-routes.ts'
import type { UrlKeys } from './url-hashes.ts'

export { unknownEventMessage } from './settings/event-name.ts'
export { renewUrlHashes } from './url-hashes.ts'

export interface HooksDeps extends UrlKeys, SliceDeps {
  /** For the retry, which calls somebody else's machine and so cannot run inside a transaction. */
  readonly perform: Perform
  readonly subscriptions: Subscriptions
  readonly outbox: Pick<Outbox, 'send'>
  readonly eventTypes: EventTypes
  readonly attemptNow: AttemptNow
  readonly redeliveries: Redeliveries
  /** First path segment, `whisperer` by default. */
  readonly servicePath: string
  readonly installationId: string
  /** Whether a user may have hooks, and holds on to it; without it everybody may. */
  readonly holdOwner?: HoldOwner
  /** What speaks against a URL besides its form, such as a literal private address; undefined when nothing does. */
  readonly checkUrl?: (url: string) => string | undefined
}

const access = { role: 'staff', scope: 'hooks:read' } as const

const findNeeds: FindNeeds<'hooks_failing' | 'hooks_switched_off'> = async (db, principal) => {
  if (!mayCall(principal, access)) return []
  const { failing, switchedOff } = await countTroubledHooks(db, visibleTo(principal))
  return [needOf('hooks_failing', '/hooks', failing), needOf('hooks_switched_off', '/hooks', switchedOff)]
}

/** The order-management hook service (document 2; contract, section 4): subscriptions and what was delivered to them. */
export const makeHooks = (deps: HooksDeps) => {
  const { clock, subscriptions, redeliveries, holdOwner = async () => true } = deps
  const root = `/${deps.servicePath}`
  const path = `${root}/hooks`
  const surface = makeHookSurface({ ...deps, path })
  const rules = { registryPath: `${path}/registry/`, checkUrl: deps.checkUrl ?? (() => undefined) }
  const shared = { ...deps, ...surface, root }
  const routes = joinRoutes([
    hookRoutes({ ...shared, ...rules, holdOwner, collection: path }),
    hookSecretRoutes(surface),
    tryRoutes({ ...deps, ...rules, collection: path }),
    hookEventRoutes(shared),
    histogramRoutes(shared),
    eventLogRoutes(deps),
    redeliveryRoutes(shared),
    attemptRoutes(shared),
    pingRoutes(shared),
    explainRoutes(surface),
    healthRoutes(surface, {
      operation: reading(
        'getHookHealth',
        'Get how the receiver of a hook is doing',
        'Since when it fails, whether it was switched off, and how much waits for it.',
      ),
      title: 'ReceiverHealth',
    }),
    historyRoutes(surface, {
      operations: {
        history: reading(
          'listHookHealthChanges',
          'List how the health of a hook has changed',
          'When it was failing, disabled and well again, and when somebody switched it off and on; kept as long as events.',
        ),
        activity: reading(
          'getHookActivity',
          'Get how deliveries to a hook went lately',
          'By the hour or the day: what arrived and failed, how attempts were answered, and how long they took.',
        ),
      },
      title: 'Hook',
      baseUrl: deps.baseUrl,
    }),
  ])
  return {
    /** Switches off every hook of a user who may no longer have any, and ends the jobs they started. What is due waits; rights given back change nothing. */
    switchOffHooksOf: async (tx: Tx, userId: number): Promise<void> => {
      await subscriptions.switchOff(tx, await lockHooksOf(tx, userId), 'owner lost access')
      await redeliveries.cancelOf(tx, userId, clock.now())
    },
    /** The user whose hook it is. */
    ownerOf,
    find: makeFind(deps),
    findNeeds,
    /** What became of the deliveries that the principal may see; undefined for whoever sees none. */
    activityOf: async (principal: Principal): Promise<DeliveryActivity | undefined> =>
      mayCall(principal, access)
        ? readActivity(deps.db, await hookIdsOf(deps.db, visibleTo(principal)), clock.now())
        : undefined,
    findOwned: findOwnedHooks,
    routes: formRoutes(routes),
  }
}
