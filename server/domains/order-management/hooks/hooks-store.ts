import { sql, type ColumnType, type SelectQueryBuilder } from 'kysely'
import { Type } from 'typebox'
import { troubled } from '#delivery/health/troubled.ts'
import { sealedSettings, type SealedSettings } from '#delivery/subscriptions/subscriptions.ts'
import { contentHash } from '#platform/crypto/digests.ts'
import type { Db, Tables, Tx } from '#platform/db/database.ts'
import { unlessTaken } from '#platform/db/sql-errors.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { custom, truth, time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { canonicalEventName } from '../event-types/index.ts'
import type { UrlHashes } from './url-hashes.ts'

/** `event_type` as it was sent, with dots: a name or a pattern, or several. */
export type SentEvents = string | readonly string[]

interface HooksTable {
  subscriptionId: number
  userId: number
  urlHash: string
  foldedUrlHash: string
  eventType: string
  sentEvents: ColumnType<SentEvents, string, string>
  createdAt: Date
  modifiedAt: Date
  removedAt: Date | null
}
declare module '#platform/db/database.ts' {
  interface Tables {
    hooks: HooksTable
  }
}

/** The owner's side of a subscription. */
export interface Hook {
  readonly id: number
  readonly userId: number
  readonly sentEvents: SentEvents
  readonly createdAt: Date
  readonly modifiedAt: Date
}

/** A hook with the settings that the engine keeps of it. */
export interface SealedHook extends Hook {
  readonly settings: SealedSettings
}

/** A hook as its history needs it, removed or not. */
export interface HistoricHook extends Hook {
  readonly settings: SealedSettings | null
}

/** Whose hooks a caller may see: one user's, or everybody's. */
export type Owner = number | 'anyone'

export const hookList = defineList({
  key: 'hooks.subscription_id',
  orderings: {
    id: 'hooks.subscription_id',
    event_type: 'hooks.event_type',
    is_active: 'subscriptions.is_active',
    created_date: 'hooks.created_at',
    modified_date: 'hooks.modified_at',
  },
  defaultOrdering: 'id',
  // Clients of the original read all of them without paging.
  defaultLimit: 1_000,
  filters: {
    event_type: custom(
      Type.String({ description: 'A name or a pattern that the hook was given, with dots or hyphens.' }),
      (name) => sql`${canonicalEventName(name.toLowerCase())} = any(subscriptions.event_types)`,
    ),
    is_active: truth('subscriptions.is_active'),
    created_date: time('hooks.created_at', 'Made'),
    modified_date: time('hooks.modified_at', 'Changed'),
  },
  // Looked for by the hashes with the present key and with any that was used before.
  parameters: { target_url: Type.Optional(Type.String({ description: 'The whole URL; case makes no difference.' })) },
})

/** What a hook is written with. */
export interface HookRow {
  readonly id: number
  readonly userId: number
  readonly eventTypes: readonly string[]
  readonly sentEvents: SentEvents
  /** Of its URL, with every key there is; the first is stored. */
  readonly hashes: readonly [UrlHashes, ...UrlHashes[]]
  readonly now: Date
}

/** @returns false when the user already has a hook for this event and URL; the transaction is then of no more use. */
export const insertHook = async (tx: Tx, hook: HookRow): Promise<boolean> => {
  const { id, userId, hashes, now } = hook
  const row = { subscriptionId: id, userId, createdAt: now, modifiedAt: now, removedAt: null, ...eventColumns(hook) }
  const insert = tx.insertInto('hooks').values({ ...hashes[0], ...row })
  return (await unlessTaken(insert.execute(), 'hooks_once')) !== 'taken' && !(await hasSecond(tx, hook))
}

/** @returns false when the owner already has another hook for this event and URL; the transaction is then of no more use. */
export const updateHook = async (tx: Tx, hook: HookRow): Promise<boolean> => {
  const { id, hashes, now } = hook
  const update = tx.updateTable('hooks').set({ ...hashes[0], ...eventColumns(hook), modifiedAt: now })
  const change = update.where('subscriptionId', '=', id).execute()
  return (await unlessTaken(change, 'hooks_once')) !== 'taken' && !(await hasSecond(tx, hook))
}

const eventColumns = ({ eventTypes, sentEvents }: HookRow) => ({
  eventType: keyOf(eventTypes),
  sentEvents: JSON.stringify(sentEvents),
})

/** The same for the same events in any order. An index takes no longer ones than this as they are. */
const keyOf = (eventTypes: readonly string[]): string => {
  const key = eventTypes.toSorted().join(' ')
  return key.length <= 1_000 ? key : contentHash(key)
}

/** Whether there is such a hook under the hash of an earlier key, which the unique index cannot see. */
const hasSecond = async (tx: Tx, { id, userId, eventTypes, hashes: [, ...earlier] }: HookRow): Promise<boolean> => {
  if (earlier.length === 0) return false
  const hashes = earlier.map(({ urlHash }) => urlHash)
  const second = await ownedBy(userId, live(tx))
    .where('hooks.subscriptionId', '!=', id)
    .where('hooks.eventType', '=', keyOf(eventTypes))
    .where('hooks.urlHash', 'in', hashes)
    .executeTakeFirst()
  return second !== undefined
}

export const touchHook = (tx: Tx, id: number, now: Date): Promise<unknown> =>
  tx.updateTable('hooks').set({ modifiedAt: now }).where('subscriptionId', '=', id).execute()

export const removeHook = (tx: Tx, id: number, now: Date): Promise<unknown> =>
  tx.updateTable('hooks').set({ removedAt: now, modifiedAt: now }).where('subscriptionId', '=', id).execute()

/** The hook, unless it was removed or belongs to somebody else. */
export const findHook = (db: Db | Tx, owner: Owner, id: number): Promise<Hook | undefined> =>
  ownedBy(owner, live(db)).where('hooks.subscriptionId', '=', id).executeTakeFirst()

export const findSealedHook = (db: Db | Tx, owner: Owner, id: number): Promise<SealedHook | undefined> =>
  ownedBy(owner, live(db))
    .select(settings)
    .$castTo<SealedHook>()
    .where('hooks.subscriptionId', '=', id)
    .executeTakeFirst()

/** Like findHook, removed ones included. */
export const findHookWithRemoved = (db: Db | Tx, owner: Owner, id: number): Promise<{ id: number } | undefined> =>
  ownedBy(owner, db.selectFrom('hooks').select('hooks.subscriptionId as id'))
    .where('hooks.subscriptionId', '=', id)
    .executeTakeFirst()

/** Like findHook, and nobody else changes it until the transaction ends. */
export const lockHook = (tx: Tx, owner: Owner, id: number): Promise<Hook | undefined> =>
  ownedBy(owner, live(tx)).where('hooks.subscriptionId', '=', id).forUpdate('hooks').executeTakeFirst()

/** Ids of the user's hooks; nobody else changes them until the transaction ends. */
export const lockHooksOf = async (tx: Tx, userId: number): Promise<number[]> => {
  const rows = await ownedBy(userId, live(tx)).orderBy('hooks.subscriptionId').forUpdate('hooks').execute()
  return rows.map(({ id }) => id)
}

export const listHooks = (
  db: Db,
  owner: Owner,
  query: Page,
  foldedUrlHashes: readonly string[] | undefined,
): Promise<Rows<SealedHook>> => {
  const owned = ownedBy(owner, live(db).innerJoin('subscriptions', 'subscriptions.id', 'hooks.subscriptionId'))
  const at = foldedUrlHashes === undefined ? owned : owned.where('hooks.foldedUrlHash', 'in', foldedUrlHashes)
  return readList(db, hookList, query, at.select(settings).$castTo<SealedHook>())
}

/** These hooks, those that were removed too. */
export const findHooksWithRemoved = async (db: Db, ids: readonly number[]): Promise<HistoricHook[]> => {
  if (ids.length === 0) return []
  return db
    .selectFrom('hooks')
    .select(['subscriptionId as id', 'userId', 'sentEvents', 'createdAt', 'modifiedAt', settings])
    .where('subscriptionId', 'in', ids)
    .execute()
}

/** Every hook the owner has or had: what was delivered to a removed one can still be looked up. */
export const hookIdsOf = async (db: Db | Tx, owner: Owner): Promise<number[]> => {
  const rows = await ownedBy(owner, db.selectFrom('hooks').select('hooks.subscriptionId as id')).execute()
  return rows.map(({ id }) => id)
}

/** How many hooks of the owner fail, and how many the server has switched off. */
export const countTroubledHooks = (db: Db, owner: Owner) =>
  ownedBy(owner, db.selectFrom('hooks').innerJoin('subscriptions', 'subscriptions.id', 'hooks.subscriptionId'))
    .select(troubled)
    .where('hooks.removedAt', 'is', null)
    .executeTakeFirstOrThrow()

/** Like hookIdsOf, without those that were removed. */
export const liveHookIdsOf = async (db: Db | Tx, owner: Owner): Promise<number[]> =>
  (await ownedBy(owner, live(db)).execute()).map(({ id }) => id)

const settings = sealedSettings(sql`hooks.subscription_id`).as('settings')

const live = (db: Db | Tx) =>
  db
    .selectFrom('hooks')
    .select(['hooks.subscriptionId as id', 'hooks.userId', 'hooks.sentEvents', 'hooks.createdAt', 'hooks.modifiedAt'])
    .where('hooks.removedAt', 'is', null)

const ownedBy = <From extends 'hooks' | 'subscriptions', Row>(
  owner: Owner,
  query: SelectQueryBuilder<Tables, From | 'hooks', Row>,
): SelectQueryBuilder<Tables, From | 'hooks', Row> =>
  owner === 'anyone' ? query : query.where(sql<boolean>`hooks.user_id = ${owner}`)

/** The user whose hook it is, removed ones included. */
export const ownerOf = async (db: Db | Tx, id: number): Promise<number | undefined> => {
  const row = await db.selectFrom('hooks').select('userId').where('subscriptionId', '=', id).executeTakeFirst()
  return row?.userId
}
