import type { Subscription, SubscriptionSettings } from '#delivery/subscriber/subscription.ts'
import type { Subscriptions } from '#delivery/subscriptions/subscriptions.ts'
import { withSettings } from '#delivery/surface/owned.ts'
import type { SentSettings } from '#delivery/surface/settings.ts'
import { existing } from '#delivery/surface/surface.ts'
import type { Principal } from '#platform/auth/principal.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { invalidField, ruleBroken } from '#platform/errors.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { newSettings, patchedSettings, replacedSettings } from './settings/hook-input.ts'
import { visibleTo } from './hook-surface.ts'
import { findHook, insertHook, listHooks, lockHook, removeHook, updateHook, type Hook } from './hooks-store.ts'
import { allUrlHashes, type UrlKeys } from './url-hashes.ts'

/** A hook with the settings the engine keeps of it. */
export interface FullHook extends Hook {
  readonly settings: Subscription
}

/** Whether the user may have hooks; they do not lose the right before the transaction ends. */
export type HoldOwner = (tx: Tx, userId: number) => Promise<boolean>

export interface ManageHooksDeps extends UrlKeys {
  readonly clock: Clock
  readonly subscriptions: Subscriptions
  readonly holdOwner: HoldOwner
}

/** Subscribing and unsubscribing. Every function that writes does all of it in the transaction it is given. */
export const makeManageHooks = ({ clock, subscriptions, holdOwner, ...keys }: ManageHooksDeps) => {
  /** @throws AppError 404 when the caller has no such hook. */
  const complete = async (db: Db | Tx, hook: Hook | undefined): Promise<FullHook> => {
    const shown = existing(hook)
    return { ...shown, settings: existing(await subscriptions.find(db, shown.id)) }
  }

  const columnsOf = ({ url, eventTypes: [eventType = ''] }: SubscriptionSettings) => ({
    hashes: allUrlHashes(keys, url),
    eventType,
    now: clock.now(),
  })

  const change = async (
    tx: Tx,
    who: Principal,
    id: number,
    next: (stored: SubscriptionSettings) => SubscriptionSettings,
  ): Promise<FullHook> => {
    const seen = await findHook(tx, visibleTo(who), id)
    // The owner before the hook: whoever takes the owner's rights holds them in this order too.
    const mayBeActive = seen !== undefined && (await holdOwner(tx, seen.userId))
    const before = await complete(tx, await lockHook(tx, visibleTo(who), id))
    const settings = next(before.settings)
    if (settings.isActive && !mayBeActive) throw ownerWithoutRights()
    if (!(await updateHook(tx, { id, userId: before.userId, ...columnsOf(settings) }))) throw alreadySubscribed()
    await subscriptions.replace(tx, id, settings)
    return complete(tx, await findHook(tx, before.userId, id))
  }

  return {
    async create(tx: Tx, who: Principal, input: SentSettings): Promise<FullHook> {
      const settings = newSettings(input)
      if (!(await holdOwner(tx, who.userId))) throw ownerWithoutRights()
      const id = await subscriptions.create(tx, settings)
      if (!(await insertHook(tx, { id, userId: who.userId, ...columnsOf(settings) }))) throw alreadySubscribed()
      return complete(tx, await findHook(tx, who.userId, id))
    },

    replace: (tx: Tx, who: Principal, id: number, input: SentSettings): Promise<FullHook> =>
      change(tx, who, id, (stored) => replacedSettings(input, stored)),

    patch: (tx: Tx, who: Principal, id: number, input: SentSettings): Promise<FullHook> =>
      change(tx, who, id, (stored) => patchedSettings(input, stored)),

    async remove(tx: Tx, who: Principal, id: number): Promise<void> {
      existing(await lockHook(tx, visibleTo(who), id))
      await removeHook(tx, id, clock.now())
      await subscriptions.remove(tx, id)
    },

    find: async (db: Db, who: Principal, id: number): Promise<FullHook> =>
      complete(db, await findHook(db, visibleTo(who), id)),

    async list(
      db: Db,
      who: Principal,
      query: Page & { readonly target_url?: string | undefined },
    ): Promise<Rows<FullHook>> {
      const { target_url: url } = query
      const hashes = url === undefined ? undefined : allUrlHashes(keys, url).map(({ foldedUrlHash }) => foldedUrlHash)
      const { rows, ...found } = await listHooks(db, visibleTo(who), query, hashes)
      return { ...found, rows: await withSettings(db, subscriptions, rows, ({ id }) => id) }
    },
  }
}

export type ManageHooks = ReturnType<typeof makeManageHooks>

const alreadySubscribed = () =>
  ruleBroken('hook_exists', 'You already have a hook for this event and URL; change it, or remove it first.')

const ownerWithoutRights = () =>
  invalidField('is_active', 'The owner of this hook is not active staff, so the hook cannot be active.')
