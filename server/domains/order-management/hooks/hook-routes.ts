import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { RetryStrategy } from '#delivery/subscriber/retry.ts'
import { mask, masked, maskedHeaders } from '#delivery/subscriber/mask.ts'
import type { Subscription, SubscriptionSettings } from '#delivery/subscriber/subscription.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import { Type } from 'typebox'
import { backOfficeEventTypes } from '#events/catalogue.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { AppError, invalidField, orNotFound } from '#platform/errors.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { Described, errorResponses, OneOf } from '#platform/http/schemas.ts'
import { canonicalEventName, type EventTypes } from '../event-types/index.ts'
import { HookRecord, PartOfHook, WholeHook } from './hook-schemas.ts'
import { changing, reading, refusing, route, visibleTo } from './hook-surface.ts'
import {
  findHook,
  findSealedHook,
  hookList,
  insertHook,
  listHooks,
  lockHook,
  removeHook,
  updateHook,
  type Hook,
  type SealedHook,
  type SentEvents,
} from './hooks-store.ts'
import { mergedSettings, newSettings, readHookInput, type HookBody, type InputRules } from './settings/hook-input.ts'
import { allUrlHashes, type UrlKeys } from './url-hashes.ts'
import { mapRows } from '#platform/lists/page.ts'

/** Whether the user may have hooks; they do not lose the right before the transaction ends. */
export type HoldOwner = (tx: Tx, userId: number) => Promise<boolean>

export interface HookRoutesDeps extends Surface, UrlKeys, Omit<InputRules, 'ownTypes' | 'stored'> {
  readonly eventTypes: Pick<EventTypes, 'hold' | 'read'>
  readonly baseUrl: () => string
  readonly holdOwner: HoldOwner
  /** `/whisperer/hooks` unless configured otherwise. */
  readonly collection: string
}

/** A hook with the settings the engine keeps of it. */
type FullHook = Hook & { readonly settings: Subscription }

/** Subscriptions to order-management events (document 2; contract, section 4). */
export const hookRoutes =
  ({ collection, holdOwner, eventTypes, ...deps }: HookRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { clock, subscriptions, path, params } = deps
    const columnsOf = ({ url, eventTypes: events }: SubscriptionSettings, sentEvents: SentEvents) => ({
      hashes: allUrlHashes(deps, url),
      eventTypes: events,
      sentEvents,
      now: clock.now(),
    })
    const opened = (hook: SealedHook): FullHook => ({ ...hook, settings: subscriptions.open(hook.settings) })
    const find = async (db: Db | Tx, id: number, { principal }: FastifyRequest): Promise<FullHook> =>
      opened(orNotFound(await findSealedHook(db, visibleTo(principal), id)))
    const read = inputReader(deps, eventTypes)
    const change = async (tx: Tx, id: number, body: HookBody, request: FastifyRequest): Promise<FullHook> => {
      const owner = visibleTo(request.principal)
      const seen = await findHook(tx, owner, id)
      const input = await read(tx, body, [seen?.sentEvents ?? []].flat())
      // The owner before the hook: whoever takes the owner's rights holds them in this order too.
      const mayBeActive = seen !== undefined && (await holdOwner(tx, seen.userId))
      await lockHook(tx, owner, id)
      const before = await find(tx, id, request)
      const settings = mergedSettings(input, before.settings, request.method === 'PUT', body.config)
      if (settings.isActive && !mayBeActive) throw ownerWithoutRights()
      const columns = columnsOf(settings, withDots(body.event_type) ?? before.sentEvents)
      if (!(await updateHook(tx, { id, userId: before.userId, ...columns }))) throw alreadySubscribed()
      await subscriptions.replace(tx, id, settings)
      return find(tx, id, request)
    }

    const hooks = recordRoutes<FullHook>(app, deps, {
      path: collection,
      one: { path, params, idOf: (request) => (request.params as { readonly id: number }).id },
      route: hookRoute,
      record: HookRecord,
      toWire: toRecord,
      pathOf: ({ id }) => `${collection}/${id}/`,
    })
    hooks.list(operations.list, hookList, async (db, query, { principal }) => {
      const { target_url: url } = query
      const hashes = url === undefined ? undefined : allUrlHashes(deps, url).map(({ foldedUrlHash }) => foldedUrlHash)
      return mapRows(await listHooks(db, visibleTo(principal), query, hashes), opened)
    })
    hooks.create(operations.create, WholeHook, async (tx, body, request) => {
      const settings = newSettings(await read(tx, body))
      const { userId } = request.principal
      if (!(await holdOwner(tx, userId))) throw ownerWithoutRights()
      const id = await subscriptions.create(tx, settings)
      const columns = columnsOf(settings, withDots(body.event_type))
      if (!(await insertHook(tx, { id, userId, ...columns }))) throw alreadySubscribed()
      return find(tx, id, request)
    })
    hooks.get(operations.get, find)
    hooks.replace(operations.replace, WholeHook, change)
    hooks.update(operations.patch, PartOfHook, change)
    hooks.remove(operations.remove, async (tx, id, { principal }) => {
      orNotFound(await lockHook(tx, visibleTo(principal), id))
      await removeHook(tx, id, clock.now())
      await subscriptions.remove(tx, id)
    })
    app.get(`${collection}/registry`, registry, () => allNames(deps.db, eventTypes))
  }

const allNames = async (db: Db, eventTypes: Pick<EventTypes, 'read'>): Promise<string[]> =>
  [...backOfficeEventTypes, ...(await eventTypes.read(db)).keys()].toSorted()

/** What reads a body, and holds on to the types of one's own that it names. */
const inputReader =
  (rules: Omit<InputRules, 'ownTypes' | 'stored'>, eventTypes: Pick<EventTypes, 'hold'>) =>
  async (tx: Tx, body: HookBody, stored: readonly string[] = []) => {
    const named = [body.event_type ?? []].flat().map(canonicalEventName)
    return readHookInput(body, {
      ...rules,
      stored,
      ownTypes: named.length === 0 ? [] : await eventTypes.hold(tx, named),
    })
  }

/** `event_type` as it is kept; undefined where a request does not name it. */
const withDots = <T extends SentEvents | undefined>(sent: T): T =>
  (typeof sent === 'string' ? canonicalEventName(sent) : sent?.map(canonicalEventName)) as T

const alreadySubscribed = () =>
  new AppError('webhook_100_2', 406, 'You already have a hook for this event and URL; change it, or remove it first.')

const ownerWithoutRights = () =>
  invalidField('is_active', 'The owner of this hook is not active staff, so the hook cannot be active.')

/** A hook as the API shows it. No secret leaves the server: the signing secret, passwords and headers that carry credentials are masked. */
export const toRecord = ({ id, sentEvents, createdAt, modifiedAt, settings }: FullHook): HookRecord => ({
  id,
  event_type: sentEvents,
  target_url: settings.url,
  is_active: settings.isActive,
  retry_countdown_config: { choice: settings.retry.choice, kwargs: kwargsOf(settings.retry) },
  additional_headers: maskedHeaders(settings.headers ?? {}),
  config: configOf(settings),
  secret_key: masked(settings.secret),
  callback: null,
  created_date: createdAt.toISOString(),
  modified_date: modifiedAt.toISOString(),
})

const kwargsOf = ({ kwargs }: RetryStrategy): Record<string, number> => ({ ...kwargs })

/** What is as usual is not named: clients of the original service know nothing of it. */
const configOf = ({
  auth,
  signature,
  rateLimit = null,
  envelope,
  maxAttempts = null,
  filter = null,
  order = 'none',
  extraConfig,
}: SubscriptionSettings): HookRecord['config'] => ({
  ...extraConfig,
  ...(auth === null ? {} : { auth: { ...auth, password: mask } }),
  ...(signature === 'v1a' ? { signature } : {}),
  ...(rateLimit === null ? {} : { rate_limit: { per_second: rateLimit.perSecond, burst: rateLimit.burst } }),
  ...(envelope === 'standard' ? { format: envelope } : {}),
  ...(maxAttempts === null ? {} : { max_attempts: maxAttempts }),
  ...(filter === null ? {} : { filter }),
  ...(order === 'none' ? {} : { order }),
})

const registry = route(reading('listHookEventNames', 'List the names of all events', 'Events of your own too.'), {
  response: { 200: Type.Array(Type.String()) },
})
const AlreadySubscribed = Type.Object(
  { code: OneOf(['webhook_100_2']), en: Type.String({ description: 'A sentence that says what is wrong.' }) },
  { title: 'HookRefusal', description: 'There is such a hook already.' },
)
const hookRoute = makeRouteOptions('Order-management hooks', {
  ...errorResponses,
  406: Described('The caller has a hook for this event and URL already.', AlreadySubscribed),
})
const operations = {
  create: refusing(
    'createHook',
    'Subscribe to an event',
    'A body may also be a form (urlencoded or multipart), with booleans and integers as text. The same events and URL twice are 406.',
  ),
  list: reading('listHooks', 'List hooks', 'Those of the caller; superusers see all.'),
  get: reading('getHook', 'Get a hook', 'Secrets, passwords and headers with credentials are masked.'),
  replace: refusing(
    'replaceHook',
    'Replace a hook',
    'What the body does not name goes back to its default; a masked secret is kept, unless it would go to another address.',
  ),
  patch: refusing(
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
