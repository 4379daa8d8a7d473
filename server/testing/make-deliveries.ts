import { makeOutbox, type NewEvent, type Outbox } from '#delivery/outbox/outbox.ts'
import type { Claimed } from '#delivery/queue/claim.ts'
import type { AttemptResult } from '#delivery/queue/finish.ts'
import type { SubscriptionSettings } from '#delivery/subscriber/subscription.ts'
import { makeSubscriptions, type Subscriptions } from '#delivery/subscriptions/subscriptions.ts'
import type { Lane } from '#delivery/tables/tables.ts'
import { catalogue } from '#events/catalogue.ts'
import type { Clock } from '#platform/clock.ts'
import { makeVault } from '#platform/crypto/vault.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'

export const testVault = makeVault('a key for the tests of the delivery engine')

export interface DeliveriesOptions {
  readonly db: Db
  readonly clock: Clock
  /** Told what was woken after each commit. */
  readonly wake?: (subscriptionIds: readonly number[], lane?: Lane) => void
}

export interface Deliveries {
  readonly outbox: Outbox
  readonly subscriptions: Subscriptions
  /** A new subscription to package.created of the back office, changed by the fields. */
  subscribe(fields?: Partial<SubscriptionSettings>): Promise<number>
  /** Raises package.created for one package. */
  raise(packageId?: number): Promise<void>
  /** The same within a transaction of the caller's. */
  append(tx: Tx, packageId?: number): Promise<void>
  /** Raises so many events of different packages. @returns the deliveries of a subscription, the oldest first. */
  queue(subscriptionId: number, count: number): Promise<number[]>
  /** A delivery as it is stored. */
  find(id: number): Promise<StoredDelivery>
  /** Empties the tables. */
  clear(): Promise<void>
}

type StoredDelivery = Awaited<ReturnType<typeof findDelivery>>

const tables = [
  ...(['redeliveries', 'attempts', 'deliveries', 'objectQueues', 'events'] as const),
  ...(['subscriptionEvents', 'subscriptions'] as const),
]
export const settings: SubscriptionSettings = {
  scope: 'back-office',
  dialect: 'standard',
  envelope: 'standard',
  eventTypes: ['package.created'],
  url: 'http://127.0.0.1:9/',
  headers: null,
  secret: null,
  signature: 'v1',
  auth: null,
  retry: { choice: 'fixed', kwargs: { seconds: 60 } },
  isActive: true,
  rateLimit: null,
}

export const packageCreated = (id: number): NewEvent => ({
  type: 'package.created',
  scope: 'back-office',
  object: { type: 'package', id },
  data: { ...catalogue['package.created'].example, id },
})

/** Subscriptions, events and deliveries for tests, made by the engine's own code. */
export const makeDeliveries = ({ db, clock, wake = () => undefined }: DeliveriesOptions): Deliveries => {
  const outbox = makeOutbox({ clock, wake })
  const subscriptions = makeSubscriptions({ vault: testVault, wake })
  let packages = 0

  const append = (tx: Tx, id = ++packages): Promise<void> => outbox.append(tx, [packageCreated(id)])
  const raise = (packageId?: number): Promise<void> => inTransaction(db, (tx) => append(tx, packageId))

  return {
    outbox,
    subscriptions,
    append,
    raise,
    subscribe: (fields = {}) => inTransaction(db, (tx) => subscriptions.create(tx, { ...settings, ...fields })),
    queue: async (subscriptionId, count) => {
      for (let event = 0; event < count; event++) await raise()
      const rows = await db
        .selectFrom('deliveries')
        .select('id')
        .where('subscriptionId', '=', subscriptionId)
        .orderBy('id', 'desc')
        .limit(count)
        .execute()
      return rows.map(({ id }) => id).toReversed()
    },
    find: (id) => findDelivery(db, id),
    clear: async () => {
      for (const table of tables) await db.deleteFrom(table).execute()
    },
  }
}

const findDelivery = (db: Db, id: number) =>
  db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** The end of a claimed attempt: delivered, unless the fields say otherwise. */
export const endOf = (
  { id, token, subscriptionId, attempt }: Claimed,
  at: Date,
  fields: Partial<AttemptResult> = {},
): AttemptResult => ({
  id,
  token,
  subscriptionId,
  attempt,
  status: 'delivered',
  nextAttemptAt: null,
  outcome: 'delivered',
  reason: 'delivered',
  startedAt: at,
  finishedAt: at,
  durationMs: 12,
  detail: null,
  timing: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: 11 },
  address: '127.0.0.1',
  responseStatus: 200,
  requestHeaders: { 'webhook-id': 'x' },
  responseHeaders: {},
  responseBody: '',
  ...fields,
})
