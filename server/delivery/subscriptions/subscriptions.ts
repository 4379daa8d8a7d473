import { sql, type ColumnType, type Generated, type GeneratedAlways, type RawBuilder, type Selectable } from 'kysely'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { preparedSelect } from '#platform/db/driver/shared-selects.ts'
import { fixed } from '#platform/db/driver/snake-case.ts'
import { afterCommit } from '#platform/db/transaction.ts'
import type { Health, HealthChange } from '../health/health.ts'
import { appendHealthChanges, type RecordedChange } from '../health/health-history.ts'
import { filterKeys, type EventFilter } from '../subscriber/event-filter.ts'
import { broadest } from '../subscriber/matching.ts'
import type { RetryStrategy } from '../subscriber/retry.ts'
import { openSealed, seal } from '../secrets/sealed.ts'
import { cancelWaiting } from '../queue/queue.ts'
import { newSecrets, replacedSecrets, type Secrets } from '../secrets/secrets.ts'
import { lockSealed, makeSubscriptionSecrets } from '../secrets/subscription-secrets.ts'
import type { Dialect, Subscription, SubscriptionSettings } from '../subscriber/subscription.ts'
import type { Envelope } from '../tables/envelope.ts'
import type { Lane } from '../tables/tables.ts'

interface SubscriptionsTable {
  id: Generated<number>
  scope: string
  dialect: Dialect
  envelope: Generated<Envelope>
  maxAttempts: number | null
  isOrdered: Generated<boolean>
  orderingSince: Date | null
  filter: ColumnType<EventFilter | null, string | null, string | null>
  filterPath: GeneratedAlways<string | null>
  eventTypes: Generated<readonly string[]>
  sealed: string
  retry: ColumnType<RetryStrategy, string, string>
  isActive: boolean
  disabledReason: string | null
  health: Generated<Health>
  failures: Generated<number>
  failingSince: Date | null
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  disabledAt: Date | null
  probeAt: Date | null
  pausedUntil: Date | null
  holdUntil: Date | null
  ratePerSecond: number | null
  rateBurst: number | null
  rateFullAt: Date | null
  alertedAt: Date | null
  alertedChange: HealthChange | null
  listeningSince: Generated<Date>
  deletedAt: Date | null
  version: Generated<number>
  createdAt: Date
  modifiedAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    subscriptions: SubscriptionsTable
    subscriptionEvents: {
      scope: string
      pattern: string
      filterOn: string
      filterValue: string
      subscriptionId: number
    }
  }
}

/** The engine's side of a subscription. Domains keep their own record of it (owner, name, …) beside it. */
export const makeSubscriptions = ({
  vault,
  wake,
}: {
  readonly vault: Vault
  /** Told after commit that a subscription may have become ready: workers look again. */
  readonly wake: (subscriptionIds: readonly number[], lane?: Lane) => void
}) => {
  return {
    /** @returns the id of the new subscription. It gets every matching event that commits after it. */
    async create(tx: Tx, settings: SubscriptionSettings): Promise<number> {
      const now = new Date()
      const made = { createdAt: now, modifiedAt: now }
      const { id } = await tx
        .insertInto('subscriptions')
        .values({ ...columnsOf(settings, seal(vault, settings, newSecrets(settings))), ...made })
        .returning('id')
        .executeTakeFirstOrThrow()
      await listen(tx, id, settings)
      return id
    },

    /** Replaces all settings. What is still due goes to the new address, with the new secret alone. */
    async replace(tx: Tx, id: number, settings: SubscriptionSettings): Promise<void> {
      const stored = await lockSealed(tx, vault, id)
      const secrets = stored === undefined ? newSecrets(settings) : replacedSecrets(stored, settings)
      const before = await healthBefore(tx, id)
      const isMoved = stored?.url !== settings.url
      await tx
        .updateTable('subscriptions')
        .set({
          ...columnsOf(settings, seal(vault, settings, secrets)),
          ...(isMoved || before?.isActive !== settings.isActive ? freshHealth(settings, before) : {}),
          ...orderingSince(settings, before),
          modifiedAt: new Date(),
          listeningSince: sql`now()`,
          version: sql`version + 1`,
        })
        .where('id', '=', id)
        .where('deletedAt', 'is', null)
        .execute()
      await listen(tx, id, settings)
      await keepSwitch(tx, id, settings, before)
      afterCommit(tx, () => {
        for (const lane of [0, 1] as const) wake([id], lane)
      })
    },

    ...makeSubscriptionSecrets(vault),
    switchOff,
    remove: endSubscription,

    /** How many subscriptions listen to an event by its name. */
    countNaming: async (tx: Tx, scope: string, eventType: string): Promise<number> => {
      const named = tx.selectFrom('subscriptions').where('scope', '=', scope)
      const count = named.where(sql<boolean>`${eventType} = any(event_types)`).select(sql<number>`count(*)`.as('count'))
      return (await count.executeTakeFirstOrThrow()).count
    },

    /** The settings with their secrets decrypted. */
    open: (settings: SealedSettings): Subscription => openSettings(vault, settings),

    /** The settings with their secrets decrypted; undefined when there is no such subscription. */
    find: async (db: Db | Tx, id: number): Promise<Subscription | undefined> =>
      (await findSubscriptions(db, vault, [id])).get(id),

    /** The settings of several subscriptions by their ids, in one statement; without ids that name none. */
    findAll: (db: Db | Tx, ids: readonly number[]): Promise<ReadonlyMap<number, Subscription>> =>
      findSubscriptions(db, vault, ids),
  }
}

/** A subscription as it is stored, with what it listens to. */
export interface SealedSettings extends StoredSettings {
  readonly eventTypes: readonly string[]
}

/** The settings of a subscription as a column of a statement that reads its owner; null of one that was removed. */
export const sealedSettings = (id: RawBuilder<unknown>) =>
  fixed(sql<SealedSettings | null>`(
    select json_build_object('eventTypes', event_types,
      ${sql.join(openColumns.flatMap((name) => [sql.lit(name), sql.ref(name)]))})
    from subscriptions where id = ${id} and deleted_at is null)`)

const openSettings = (vault: Vault, { eventTypes, ...row }: SealedSettings): Subscription => {
  const { privateKey: _, previous: __, ...subscription } = openRow(vault, row)
  return { ...subscription, eventTypes }
}

const findSubscriptions = async (
  db: Db | Tx,
  vault: Vault,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Subscription>> => {
  if (ids.length === 0) return new Map()
  const rows = await preparedSelect(
    db,
    sql<{ settings: SealedSettings | null }>`
      select ${givenSettings} as settings from unnest(${[...ids]}::bigint[]) as given (id)`,
  )
  return new Map(
    rows.flatMap(({ settings }) => (settings === null ? [] : [[settings.id, openSettings(vault, settings)] as const])),
  )
}

export type Subscriptions = ReturnType<typeof makeSubscriptions>

const listen = async (tx: Tx, id: number, { scope, eventTypes, filter }: SubscriptionSettings): Promise<void> => {
  await tx.deleteFrom('subscriptionEvents').where('subscriptionId', '=', id).execute()
  const { on, values } = filter ? filterKeys(filter) : { on: '', values: [] }
  const keys =
    on === '' ? sql`values ('')` : sql`select filter_value(jsonb_array_elements(${JSON.stringify(values)}::jsonb))`
  await sql`
    insert into subscription_events (scope, pattern, filter_on, filter_value, subscription_id)
    select distinct ${scope}::text, pattern, ${on}::text, key, ${id}::bigint
    from unnest(${broadest(eventTypes)}::text[]) pattern cross join (${keys}) keys (key)`.execute(tx)
}

/**
 * Switches subscriptions off: they get no new events, and what is due waits. One that somebody has switched
 * off already keeps its reason; one that the engine did must not come back by itself any more.
 */
const switchOff = async (tx: Tx, ids: readonly number[], reason: string): Promise<void> => {
  if (ids.length === 0) return
  const switched = await tx
    .updateTable('subscriptions')
    .set({ isActive: false, disabledReason: reason, probeAt: null, modifiedAt: new Date(), version: sql`version + 1` })
    .where('id', 'in', ids)
    .where((eb) => eb.or([eb('isActive', '=', true), eb('disabledReason', 'in', ['failing', 'gone'])]))
    .returning(['id', 'failures', 'failingSince'])
    .execute()
  await appendHealthChanges(
    tx,
    switched.map(({ id, ...before }) => ({ ...switchOf(id, 'switched_off', before), reason })),
  )
}

const switchOf = (
  subscriptionId: number,
  change: 'switched_on' | 'switched_off',
  { failures, failingSince }: Pick<RecordedChange, 'failures' | 'failingSince'>,
): RecordedChange => ({ subscriptionId, at: new Date(), change, reason: null, failures, failingSince })

/** Keeps that somebody switched it on or off, if they did. */
const keepSwitch = async (
  tx: Tx,
  id: number,
  { isActive }: SubscriptionSettings,
  before: HealthBefore | undefined,
): Promise<void> => {
  if (before !== undefined && before.isActive !== isActive)
    await appendHealthChanges(tx, [switchOf(id, isActive ? 'switched_on' : 'switched_off', before)])
}

/** Ends the subscription. What was still due is cancelled and never sent; the history stays. */
const endSubscription = async (tx: Tx, id: number): Promise<void> => {
  const now = new Date()
  await tx.deleteFrom('subscriptionEvents').where('subscriptionId', '=', id).execute()
  await tx
    .updateTable('subscriptions')
    .set({ isActive: false, deletedAt: now, eventTypes: [], version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
  await cancelWaiting(tx, id)
}

const columnsOf = (
  {
    scope,
    dialect,
    envelope,
    retry,
    maxAttempts = null,
    filter = null,
    eventTypes,
    order = 'none',
    isActive,
    rateLimit = null,
  }: SubscriptionSettings,
  sealed: string,
) => ({
  scope,
  dialect,
  envelope,
  maxAttempts,
  filter: filter === null ? null : JSON.stringify(filter),
  eventTypes: [...new Set(eventTypes)].toSorted(),
  isOrdered: order === 'object',
  sealed,
  retry: JSON.stringify(retry),
  isActive,
  ratePerSecond: rateLimit?.perSecond ?? null,
  rateBurst: rateLimit?.burst ?? null,
})

const healthBefore = (tx: Tx, id: number): Promise<HealthBefore | undefined> =>
  tx
    .selectFrom('subscriptions')
    .select(['isActive', 'disabledReason', 'isOrdered', 'failures', 'failingSince'])
    .where('id', '=', id)
    .executeTakeFirst()
type HealthBefore = Pick<
  Selectable<SubscriptionsTable>,
  'isActive' | 'disabledReason' | 'isOrdered' | 'failures' | 'failingSince'
>

/**
 * After a change of the address, or of the switch: nothing is known of the new one. A subscription that the engine had
 * switched off is tried with one delivery first, and reported when that succeeds.
 */
const freshHealth = ({ isActive }: SubscriptionSettings, before: HealthBefore | undefined) => ({
  health: isActive && isEngines(before?.disabledReason ?? null) ? ('probing' as const) : ('healthy' as const),
  failures: 0,
  failingSince: null,
  disabledReason: null,
  disabledAt: null,
  probeAt: null,
  pausedUntil: null,
  holdUntil: null,
})

/** Order that is switched on begins when what is open has been put in order, see order/start-order.ts. */
const orderingSince = ({ order }: SubscriptionSettings, before: HealthBefore | undefined) => {
  if (order !== 'object') return { orderingSince: null }
  return before?.isOrdered === false ? { orderingSince: new Date() } : {}
}

/** Whether it was the engine that switched a subscription off. */
const isEngines = (reason: string | null): boolean => reason === 'failing' || reason === 'gone'

/** What `openRow` reads. */
export const openColumns = [
  ...(['id', 'version', 'scope', 'dialect', 'envelope', 'sealed', 'retry', 'maxAttempts', 'filter'] as const),
  ...(['isOrdered', 'isActive', 'ratePerSecond', 'rateBurst'] as const),
] as const

const givenSettings = sealedSettings(sql`given.id`)

type StoredSettings = Readonly<Pick<Selectable<SubscriptionsTable>, (typeof openColumns)[number]>>

/** A row as the sender needs it; which events it listens to does not matter there. */
export const openRow = (
  vault: Vault,
  { sealed, isOrdered, ratePerSecond, rateBurst, ...row }: StoredSettings,
): Omit<Subscription, 'eventTypes'> & Secrets => {
  const rateLimit = ratePerSecond === null || rateBurst === null ? null : { perSecond: ratePerSecond, burst: rateBurst }
  return { ...row, order: isOrdered ? 'object' : 'none', rateLimit, ...openSealed(vault, sealed) }
}
