import { pino } from 'pino'
import { makeRedeliveries, type Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { RecoveryRequest, RetryRequest } from '#delivery/redelivery/redelivery-requests.ts'
import { findRedelivery, type Redelivery } from '#delivery/redelivery/redelivery-store.ts'
import type { DeliveryStatus, Lane } from '#delivery/tables/tables.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeFakeClock } from '../fake-clock.ts'
import { makeDeliveries, packageCreated } from '../make-deliveries.ts'

/** Before anything that a test makes. */
export const longAgo = new Date('2026-01-02T00:00:00Z')

/** Subscriptions with deliveries in any state, and jobs that put those back in the queue, a step at a time. */
export const makeRedeliveriesWorld = (db: Db) => {
  const clock = makeFakeClock()
  const deliveries = makeDeliveries({ db, clock })
  const now = (): Date => clock.now()
  let woken: [readonly number[], Lane | undefined][] = []

  /** Another process, by default on the same database and reckoning with no transactions in flight. */
  const process = (on: Db = db, settleMs = 0): Redeliveries =>
    makeRedeliveries({
      db: on,
      clock,
      log: pino({ level: 'silent' }),
      wake: (ids, lane) => void woken.push([ids, lane]),
      settleMs,
    })
  const redeliveries = process()

  const job = async (id: number | undefined): Promise<Redelivery> => {
    const found = await findRedelivery(db, id ?? 0, 'all')
    if (found === undefined) throw new Error('There is no such job.')
    return found
  }
  const change = (id: number, fields: { isActive: boolean; disabledReason: string | null }) =>
    db.updateTable('subscriptions').set(fields).where('id', '=', id).execute()

  return {
    ...deliveries,
    clock,
    now,
    process,
    redeliveries,
    job,
    woken: () => woken,
    clear: async (): Promise<void> => {
      await deliveries.clear()
      woken = []
    },

    recover: (subscriptionId: number, fields: Partial<RecoveryRequest> = {}): Promise<number | undefined> =>
      inTransaction(db, (tx) =>
        redeliveries.startRecovery(tx, { subscriptionId, since: longAgo, requestedBy: null, ...fields }, now()),
      ),
    retry: (subscriptionIds: readonly number[], fields: Partial<RetryRequest> = {}): Promise<number | undefined> =>
      inTransaction(db, (tx) =>
        redeliveries.startRetry(tx, { filter: { subscriptionIds }, force: false, requestedBy: null, ...fields }, now()),
      ),
    replay: (eventId: number, subscriptionIds: readonly number[]): Promise<number[]> =>
      inTransaction(db, (tx) => redeliveries.replay(tx, eventId, subscriptionIds, now())),

    /** Makes steps, a second apart, until nothing is left to do. */
    runToEnd: async (id: number | undefined, by = redeliveries): Promise<void> => {
      for (let step = 0; step < 200 && (await job(id)).status === 'running'; step++) {
        await by.runDue()
        clock.advance(1_000)
      }
    },

    /** A delivery as it is after three attempts. */
    endAs: (id: number, status: DeliveryStatus) =>
      db
        .updateTable('deliveries')
        .set({ status, attempts: 3, finishedAt: now(), lastStatus: 500, lastReason: 'http_500' })
        .where('id', '=', id)
        .execute(),
    lease: (id: number, leasedUntil: Date) =>
      db.updateTable('deliveries').set({ leaseToken: 7, leasedAt: now(), leasedUntil }).where('id', '=', id).execute(),
    switchOff: (id: number, disabledReason: string | null = 'failing') =>
      change(id, { isActive: false, disabledReason }),
    switchOn: (id: number) => change(id, { isActive: true, disabledReason: null }),

    /** Raises many events at once. */
    raiseMany: async (count: number): Promise<void> => {
      for (let done = 0; done < count; done += 1_000) {
        const some = Math.min(1_000, count - done)
        const events = Array.from({ length: some }, (_, index) => packageCreated(done + index + 1))
        await inTransaction(db, (tx) => deliveries.outbox.append(tx, events))
      }
    },
    stored: (subscriptionId: number) =>
      db.selectFrom('deliveries').selectAll().where('subscriptionId', '=', subscriptionId).orderBy('id').execute(),
    setAll: (subscriptionId: number, status: DeliveryStatus) =>
      db
        .updateTable('deliveries')
        .set({ status, attempts: 3, finishedAt: now() })
        .where('subscriptionId', '=', subscriptionId)
        .execute(),
  }
}
