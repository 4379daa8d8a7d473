import { sql, type ColumnType, type Generated, type Selectable } from 'kysely'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { afterCommit } from '#platform/db/transaction.ts'
import type { RetryStrategy } from './retry.ts'
import type { Dialect, ReceiverAuth, Subscription, SubscriptionSettings } from './subscription.ts'

interface SubscriptionsTable {
  id: Generated<number>
  scope: string
  dialect: Dialect
  sealed: string
  retry: ColumnType<RetryStrategy, string, string>
  isActive: boolean
  disabledReason: string | null
  holdUntil: Date | null
  deletedAt: Date | null
  version: Generated<number>
  createdAt: Date
  modifiedAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    subscriptions: SubscriptionsTable
    subscriptionEvents: { scope: string; eventType: string; subscriptionId: number }
  }
}

/** What is encrypted as one text: anything of a subscription that could open a door elsewhere. */
interface Sealed {
  /** Whole: a path or a query is often the receiver's only credential. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>> | null
  readonly secret: string | null
  readonly auth: ReceiverAuth | null
}

export interface SubscriptionsDeps {
  readonly vault: Vault
  /** Told after commit that a subscription may have become ready: workers look again. */
  readonly wake: (subscriptionIds: readonly number[]) => void
}

/** The engine's side of a subscription. Domains keep their own record of it (owner, name, …) beside it. */
export const makeSubscriptions = ({ vault, wake }: SubscriptionsDeps) => {
  const seal = ({ url, headers, secret, auth }: Sealed): string =>
    vault.seal(JSON.stringify({ url, headers, secret, auth }))

  const listen = async (tx: Tx, id: number, { scope, eventTypes }: SubscriptionSettings): Promise<void> => {
    await tx.deleteFrom('subscriptionEvents').where('subscriptionId', '=', id).execute()
    const rows = [...new Set(eventTypes)].map((eventType) => ({ scope, eventType, subscriptionId: id }))
    await tx.insertInto('subscriptionEvents').values(rows).execute()
  }

  return {
    /** @returns the id of the new subscription. It gets every matching event that commits after it. */
    async create(tx: Tx, settings: SubscriptionSettings): Promise<number> {
      const now = new Date()
      const { id } = await tx
        .insertInto('subscriptions')
        .values({
          ...columnsOf(settings, seal(settings)),
          createdAt: now,
          modifiedAt: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await listen(tx, id, settings)
      return id
    },

    /** Replaces all settings. What is still due goes to the new address, with the new secret. */
    async replace(tx: Tx, id: number, settings: SubscriptionSettings): Promise<void> {
      await tx
        .updateTable('subscriptions')
        .set({
          ...columnsOf(settings, seal(settings)),
          disabledReason: null,
          holdUntil: null,
          modifiedAt: new Date(),
          version: sql`version + 1`,
        })
        .where('id', '=', id)
        .where('deletedAt', 'is', null)
        .execute()
      await listen(tx, id, settings)
      afterCommit(tx, () => wake([id]))
    },

    switchOff,
    remove: endSubscription,

    /** The settings with their secrets decrypted; undefined when there is no such subscription. */
    async find(db: Db | Tx, id: number): Promise<Subscription | undefined> {
      const row = await db
        .selectFrom('subscriptions')
        .selectAll()
        .where('id', '=', id)
        .where('deletedAt', 'is', null)
        .executeTakeFirst()
      if (row === undefined) return undefined
      const events = await db
        .selectFrom('subscriptionEvents')
        .select('eventType')
        .where('subscriptionId', '=', id)
        .orderBy('eventType')
        .execute()
      return { ...openRow(vault, row), eventTypes: events.map(({ eventType }) => eventType) }
    },
  }
}

export type Subscriptions = ReturnType<typeof makeSubscriptions>

/** Switches subscriptions off: they get no new events, and what is due waits. One that is off already keeps its reason. */
const switchOff = async (tx: Tx, ids: readonly number[], reason: string): Promise<void> => {
  if (ids.length === 0) return
  await tx
    .updateTable('subscriptions')
    .set({ isActive: false, disabledReason: reason, modifiedAt: new Date(), version: sql`version + 1` })
    .where('id', 'in', ids)
    .where('isActive', '=', true)
    .execute()
}

/** Ends the subscription. What was still due is cancelled; the history stays. */
const endSubscription = async (tx: Tx, id: number): Promise<void> => {
  const now = new Date()
  await tx.deleteFrom('subscriptionEvents').where('subscriptionId', '=', id).execute()
  await tx
    .updateTable('subscriptions')
    .set({ isActive: false, deletedAt: now, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('deliveries')
    .set({ status: 'cancelled', leaseToken: null, leasedUntil: null, finishedAt: now, lastReason: 'unsubscribed' })
    .where('subscriptionId', '=', id)
    .where('status', '=', 'pending')
    .execute()
}

const columnsOf = ({ scope, dialect, retry, isActive }: SubscriptionSettings, sealed: string) => ({
  scope,
  dialect,
  sealed,
  retry: JSON.stringify(retry),
  isActive,
})

/** A row as the sender needs it; which events it listens to does not matter there. */
export const openRow = (
  vault: Vault,
  row: Pick<Selectable<SubscriptionsTable>, 'id' | 'version' | 'scope' | 'dialect' | 'sealed' | 'retry' | 'isActive'>,
): Omit<Subscription, 'eventTypes'> => {
  const { id, version, scope, dialect, retry, isActive } = row
  return { id, version, scope, dialect, retry, isActive, ...(JSON.parse(vault.open(row.sealed)) as Sealed) }
}
