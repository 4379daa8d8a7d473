import type { FastifyPluginAsync } from 'fastify'
import type { RetryStrategy } from '#delivery/subscriber/retry.ts'
import { mask, masked, maskedHeaders } from '#delivery/subscriber/mask.ts'
import type { Subscription, SubscriptionSettings } from '#delivery/subscriber/subscription.ts'
import { crudRoutes } from '#delivery/surface/crud-routes.ts'
import { withSettings } from '#delivery/surface/owned.ts'
import type { SentSettings } from '#delivery/surface/settings.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import { Type } from 'typebox'
import { backOfficeEventTypes } from '#events/catalogue.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound, ruleBroken } from '#platform/errors.ts'
import { HookRecord, PartOfHook, WholeHook } from './hook-schemas.ts'
import { changing, reading, route, visibleTo } from './hook-surface.ts'
import {
  findHook,
  hookList,
  insertHook,
  listHooks,
  lockHook,
  removeHook,
  updateHook,
  type Hook,
} from './hooks-store.ts'
import { mergedSettings, newSettings, readHookInput, type HookBody, type InputRules } from './settings/hook-input.ts'
import { allUrlHashes, type UrlKeys } from './url-hashes.ts'

/** Whether the user may have hooks; they do not lose the right before the transaction ends. */
export type HoldOwner = (tx: Tx, userId: number) => Promise<boolean>

export interface HookRoutesDeps extends Surface, UrlKeys, InputRules {
  readonly baseUrl: () => string
  readonly holdOwner: HoldOwner
  /** `/whisperer/hooks` unless configured otherwise. */
  readonly collection: string
}

/** A hook with the settings the engine keeps of it. */
type FullHook = Hook & { readonly settings: Subscription }

/** Subscriptions to order-management events (document 2; contract, section 4). */
export const hookRoutes =
  (deps: HookRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    await app.register(hookCrud(deps))
    app.get(`${deps.collection}/registry`, registry, async () => backOfficeEventTypes)
  }

const hookCrud = ({ collection, holdOwner, ...deps }: HookRoutesDeps) => {
  const { clock, subscriptions } = deps
  const columnsOf = ({ url, eventTypes: [eventType = ''] }: SubscriptionSettings) => ({
    hashes: allUrlHashes(deps, url),
    eventType,
    now: clock.now(),
  })
  const complete = async (db: Db | Tx, hook: Hook | undefined): Promise<FullHook> => {
    const shown = orNotFound(hook)
    return { ...shown, settings: orNotFound(await subscriptions.find(db, shown.id)) }
  }

  return crudRoutes<number, SentSettings, FullHook>(deps, {
    collection,
    querystring: hookList.querystring,
    record: HookRecord,
    toRecord,
    bodies: { create: WholeHook, replace: WholeHook, patch: PartOfHook },
    operations,
    idOf: ({ params }) => (params as { readonly id: number }).id,
    pathOf: (_, id) => `${collection}/${id}/`,
    inputOf: ({ body }) => readHookInput(body as HookBody, deps),

    async list(db, { principal, query }, page) {
      const { target_url: url } = query as { readonly target_url?: string }
      const hashes = url === undefined ? undefined : allUrlHashes(deps, url).map(({ foldedUrlHash }) => foldedUrlHash)
      const { rows, ...found } = await listHooks(db, visibleTo(principal), page, hashes)
      return { ...found, rows: await withSettings(db, subscriptions, rows, ({ id }) => id) }
    },

    find: async (db, { principal }, id) => complete(db, await findHook(db, visibleTo(principal), id)),

    async create(tx, { principal: { userId } }, input) {
      const settings = newSettings(input)
      if (!(await holdOwner(tx, userId))) throw ownerWithoutRights()
      const id = await subscriptions.create(tx, settings)
      if (!(await insertHook(tx, { id, userId, ...columnsOf(settings) }))) throw alreadySubscribed()
      return id
    },

    async change(tx, { principal, method }, id, input) {
      const seen = await findHook(tx, visibleTo(principal), id)
      // The owner before the hook: whoever takes the owner's rights holds them in this order too.
      const mayBeActive = seen !== undefined && (await holdOwner(tx, seen.userId))
      const before = await complete(tx, await lockHook(tx, visibleTo(principal), id))
      const settings = mergedSettings(input, before.settings, method === 'PUT')
      if (settings.isActive && !mayBeActive) throw ownerWithoutRights()
      if (!(await updateHook(tx, { id, userId: before.userId, ...columnsOf(settings) }))) throw alreadySubscribed()
      await subscriptions.replace(tx, id, settings)
    },

    async remove(tx, { principal }, id) {
      orNotFound(await lockHook(tx, visibleTo(principal), id))
      await removeHook(tx, id, clock.now())
      await subscriptions.remove(tx, id)
    },
  })
}

const alreadySubscribed = () =>
  ruleBroken('hook_exists', 'You already have a hook for this event and URL; change it, or remove it first.')

const ownerWithoutRights = () =>
  invalidField('is_active', 'The owner of this hook is not active staff, so the hook cannot be active.')

/** A hook as the API shows it. No secret leaves the server: the signing secret, passwords and headers that carry credentials are masked. */
export const toRecord = ({ id, createdAt, modifiedAt, settings }: FullHook): HookRecord => ({
  id,
  event_type: settings.eventTypes[0] ?? '',
  target_url: settings.url,
  is_active: settings.isActive,
  retry_countdown_config: { choice: settings.retry.choice, kwargs: kwargsOf(settings.retry) },
  additional_headers: settings.headers === null ? null : maskedHeaders(settings.headers),
  config: configOf(settings),
  secret_key: masked(settings.secret),
  created_date: createdAt.toISOString(),
  modified_date: modifiedAt.toISOString(),
})

const kwargsOf = ({ kwargs }: RetryStrategy): Record<string, number> => ({ ...kwargs })

/** The usual signature is not named: clients of the original service know nothing of it. */
const configOf = ({ auth, signature, rateLimit = null }: SubscriptionSettings): HookRecord['config'] => ({
  ...(auth === null ? {} : { auth: { ...auth, password: mask } }),
  ...(signature === 'v1a' ? { signature } : {}),
  ...(rateLimit === null ? {} : { rate_limit: { per_second: rateLimit.perSecond, burst: rateLimit.burst } }),
})

const registry = route(reading('listHookEventNames', 'List the names of all events'), {
  response: { 200: Type.Array(Type.String()) },
})
const operations = {
  create: changing('createHook', 'Subscribe to an event'),
  list: reading('listHooks', 'List hooks'),
  get: reading('getHook', 'Get a hook'),
  replace: changing(
    'replaceHook',
    'Replace a hook',
    'What the body does not name goes back to its default; a masked secret is kept, unless it would go to another address.',
  ),
  patch: changing(
    'changeHook',
    'Change a hook',
    'When target_url changes to another scheme, host or port, credentials for the receiver have to be sent again.',
  ),
  remove: changing(
    'removeHook',
    'Unsubscribe',
    'What was still due is cancelled; what was delivered can still be looked up.',
  ),
}
