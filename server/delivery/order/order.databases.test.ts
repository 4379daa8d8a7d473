import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { endOf, makeDeliveries, packageCreated } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { append } from '../outbox/append.ts'
import { claim, claimOne, leaseMs } from '../queue/claim.ts'
import { finish } from '../queue/finish.ts'
import { dropDelivery } from '../redelivery/drop-delivery.ts'
import { insertDeliveries } from '../redelivery/put-back.ts'
import { retryDeliveries } from '../redelivery/retry-delivery.ts'
import type { DeliveryStatus } from '../tables/tables.ts'
import { endOrder, resumeHeld } from './change-order.ts'
import { hasEnded, releaseEnded } from './release-ended.ts'
import { makeStartOrder } from './start-order.ts'

const { db, engine } = await openTestDatabase()
const clock = makeFakeClock()
const { outbox, subscribe, subscriptions, raise, clear } = makeDeliveries({ db, clock })
const now = (): Date => clock.now()
const releaseSome = () => inTransaction(db, (tx) => releaseEnded(tx, now()))
beforeEach(clear)

/** Statuses of all deliveries, the oldest first, by object. */
const states = async (): Promise<Record<string, DeliveryStatus[]>> => {
  const rows = await db.selectFrom('deliveries').select(['objectId', 'status']).orderBy('eventId').execute()
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ objectId }) => objectId ?? '')].map(([id, those]) => [id, those.map((row) => row.status)]),
  )
}
const ids = async () =>
  (await db.selectFrom('deliveries').select('id').orderBy('eventId').execute()).map(({ id }) => id)
const queues = async () => (await db.selectFrom('objectQueues').selectAll().execute()).length
const claimAll = (subscriptionId: number) => claim(db, now(), [{ subscriptionId, lane: 0, limit: 100 }])
const change = async (id: number, fields: Parameters<typeof subscribe>[0]) =>
  inTransaction(db, async (tx) => {
    const stored = await subscriptions.find(tx, id)
    if (stored !== undefined) await subscriptions.replace(tx, id, { ...stored, ...fields })
  })
/** Later than what was raised before: one step takes all of one moment. */
const raiseLater = async (packageId: number): Promise<void> => {
  clock.advance(1)
  await raise(packageId)
}
/** Steps of a process until order begins, or two walks have found something. @returns whether it has begun. */
const startAll = async (step = makeStartOrder(db, 2)): Promise<boolean> => {
  for (let waits = 0; waits < 3;) {
    const [came] = await step(now())
    if (came?.next === 'begun') return true
    if (came?.next !== 'step') waits += 1
  }
  return false
}

describe('with order', () => {
  test('only the first delivery of each object is due, also of one batch', async () => {
    const id = await subscribe({ order: 'object' })
    await inTransaction(db, (tx) => outbox.append(tx, [1, 1, 2].map(packageCreated)))
    await raise(2)
    expect(await states()).toEqual({ 1: ['pending', 'waiting'], 2: ['pending', 'waiting'] })
    expect(await claimAll(id)).toHaveLength(2)
    expect(await queues()).toBe(2)
  })

  test.each(['delivered', 'failed'] as const)('the next goes when the first has %s, and not before', async (status) => {
    const id = await subscribe({ order: 'object' })
    for (let event = 0; event < 3; event++) await raise(1)
    const [first] = await claimAll(id)
    if (first === undefined) throw new Error('Nothing was due.')
    await finish(db, [endOf(first, now(), { status: 'pending', outcome: 'retry', nextAttemptAt: now() })])
    expect(await releaseSome()).toBeUndefined()
    expect(await states()).toEqual({ 1: ['pending', 'waiting', 'waiting'] })
    const [again] = await claim(db, now(), [{ subscriptionId: id, lane: 1, limit: 9 }])
    if (again === undefined) throw new Error('Nothing was due.')
    expect((await finish(db, [endOf(again, now(), { status })])).hasHeads).toBe(true)
    expect(await states()).toEqual({ 1: [status, 'waiting', 'waiting'] })
    expect(await releaseSome()).toEqual([{ subscriptionId: id, lane: 0 }])
    expect(await states()).toEqual({ 1: [status, 'pending', 'waiting'] })
    expect(await releaseSome()).toBeUndefined()
  })

  test('a queue ends with its last delivery, and the next event is due at once', async () => {
    const id = await subscribe({ order: 'object' })
    await raise(1)
    for (const claimed of await claimAll(id)) await finish(db, [endOf(claimed, now())])
    await raise(1)
    expect(await states()).toEqual({ 1: ['delivered', 'waiting'] })
    await releaseSome()
    for (const claimed of await claimAll(id)) await finish(db, [endOf(claimed, now())])
    await releaseSome()
    expect(await queues()).toBe(0)
    await raise(1)
    expect(await states()).toEqual({ 1: ['delivered', 'delivered', 'pending'] })
  })

  test('an event that is being raised while the first ends is not left behind', async () => {
    const id = await subscribe({ order: 'object' })
    await raise(1)
    const [first] = await claimAll(id)
    if (first === undefined) throw new Error('Nothing was due.')
    await inTransaction(db, async (tx) => {
      await outbox.append(tx, [packageCreated(1)])
      await finish(tx, [endOf(first, now())])
    })
    await releaseSome()
    expect(await states()).toEqual({ 1: ['delivered', 'pending'] })
  })

  // Of the embedded database only one transaction is open at a time.
  test.skipIf(engine === 'pglite')('a release steps over an object of which an event is being raised', async () => {
    const id = await subscribe({ order: 'object' })
    await raise(1)
    await inTransaction(db, async (tx) => {
      await outbox.append(tx, [packageCreated(1)])
      for (const claimed of await claimAll(id)) await finish(db, [endOf(claimed, now())])
      expect(await releaseSome()).toBeUndefined()
    })
    expect(await hasEnded(db, now())).toBe(true)
    await releaseSome()
    expect(await states()).toEqual({ 1: ['delivered', 'pending'] })
  })

  test.skipIf(engine === 'pglite')('an event that waited for a release sees what that did', async () => {
    const id = await subscribe({ order: 'object' })
    await raise(1)
    for (const claimed of await claimAll(id)) await finish(db, [endOf(claimed, now())])
    const raised = await inTransaction(db, async (tx) => {
      await releaseEnded(tx, now())
      const raising = raise(1)
      await sleep(50)
      return { raising }
    })
    await raised.raising
    expect(await states()).toEqual({ 1: ['delivered', 'pending'] })
  })

  test('the next goes when the first is dropped by hand', async () => {
    await subscribe({ order: 'object' })
    await raise(1)
    await raise(1)
    const [first = 0] = await ids()
    expect(await inTransaction(db, (tx) => dropDelivery(tx, first, now()))).toBe('dropped')
    await releaseSome()
    expect(await states()).toEqual({ 1: ['cancelled', 'pending'] })
    expect(await inTransaction(db, (tx) => dropDelivery(tx, first, now()))).toBe('ended')
  })

  test('one that waits is not sent by hand, and one that was delivered only when nothing of its object is open', async () => {
    const id = await subscribe({ order: 'object' })
    await raise(1)
    await raise(1)
    const [first = 0, second = 0] = await ids()
    expect(await claimOne(db, now(), second)).toBeUndefined()
    for (const claimed of await claimAll(id)) await finish(db, [endOf(claimed, now())])
    await releaseSome()
    expect(await claimOne(db, now(), first)).toBeUndefined()
    for (const claimed of await claimAll(id)) await finish(db, [endOf(claimed, now())])
    await releaseSome()
    const byHand = await claimOne(db, now(), first)
    expect(byHand).toMatchObject({ status: 'delivered' })
    await raise(1)
    expect(await states()).toEqual({ 1: ['delivered', 'delivered', 'waiting'] })
    expect(await releaseSome()).toBeUndefined()
    if (byHand !== undefined) await finish(db, [endOf(byHand, now())])
    await releaseSome()
    expect(await states()).toEqual({ 1: ['delivered', 'delivered', 'pending'] })
  })

  test('one that is put back goes before those that wait, behind the one that is open', async () => {
    const id = await subscribe({ order: 'object' })
    for (let event = 0; event < 3; event++) await raise(1)
    const [first = 0] = await ids()
    for (const claimed of await claimAll(id)) await finish(db, [endOf(claimed, now(), { status: 'failed' })])
    await releaseSome()
    await inTransaction(db, (tx) => retryDeliveries(tx, [first], {}, now()))
    expect(await states()).toEqual({ 1: ['waiting', 'pending', 'waiting'] })
    for (const claimed of await claimAll(id)) await finish(db, [endOf(claimed, now())])
    await releaseSome()
    expect(await states()).toEqual({ 1: ['pending', 'delivered', 'waiting'] })
  })

  test('one that is put back before the next was made first, is first again', async () => {
    const id = await subscribe({ order: 'object' })
    await raise(1)
    await raise(1)
    const [first = 0] = await ids()
    for (const claimed of await claimAll(id)) await finish(db, [endOf(claimed, now(), { status: 'failed' })])
    await inTransaction(db, (tx) => retryDeliveries(tx, [first], {}, now()))
    expect(await releaseSome()).toBeUndefined()
    expect(await states()).toEqual({ 1: ['pending', 'waiting'] })
  })

  test('what was held goes in order when the subscription is on again, and before what happens then', async () => {
    const id = await subscribe({ order: 'object' })
    await db.updateTable('subscriptions').set({ isActive: false, disabledReason: 'failing' }).execute()
    await raise(1)
    await raise(1)
    expect(await states()).toEqual({ 1: ['held', 'held'] })
    expect(await resumeHeld(db, now())).toBe(false)
    await change(id, { isActive: true })
    await raise(1)
    expect(await states()).toEqual({ 1: ['held', 'held', 'waiting'] })
    expect(await resumeHeld(db, now())).toBe(true)
    expect(await states()).toEqual({ 1: ['pending', 'waiting', 'waiting'] })
  })

  test('switched on, it puts in order what is open; switched off, all that waits is due', async () => {
    const id = await subscribe()
    for (const packageId of [1, 2, 1, 1]) await raise(packageId)
    await change(id, { order: 'object' })
    expect(await startAll()).toBe(true)
    expect(await states()).toEqual({ 1: ['pending', 'waiting', 'waiting'], 2: ['pending'] })
    await change(id, { order: 'none' })
    while (await endOrder(db, now()));
    expect(await states()).toEqual({ 1: ['pending', 'pending', 'pending'], 2: ['pending'] })
    expect(await queues()).toBe(0)
  })

  test('order that is switched on waits for an attempt under way, and sends nothing meanwhile', async () => {
    const id = await subscribe()
    await raise(1)
    await raise(1)
    const [, second] = await claim(db, now(), [{ subscriptionId: id, lane: 0, limit: 2 }])
    if (second === undefined) throw new Error('Nothing was due.')
    await change(id, { order: 'object' })
    const step = makeStartOrder(db, 2)
    expect(await startAll(step)).toBe(false)
    const stored = await append(db, now(), [packageCreated(2)], [{ subscriptionId: id, lane: 0, limit: 2 }])
    expect(stored.claims).toEqual([])
    expect(await claimAll(id)).toEqual([])
    expect(await claimOne(db, now(), (await ids())[2] ?? 0)).toBeUndefined()
    await finish(db, [endOf(second, now(), { status: 'pending', outcome: 'retry', nextAttemptAt: now() })])
    clock.advance(leaseMs + 1)
    expect(await startAll(step)).toBe(true)
    expect(await states()).toEqual({ 1: ['pending', 'waiting'], 2: ['pending'] })
    expect(await claimAll(id)).toHaveLength(2)
  })

  test('a process that dies between two steps leaves no delivery out of order, whatever happens meanwhile', async () => {
    const id = await subscribe()
    for (let event = 0; event < 9; event++) await raiseLater(1 + (event % 2))
    await change(id, { order: 'object' })
    for (let step = 0; step < 6; step++) {
      expect(await claimAll(id)).toEqual([])
      // The event is first to its queue, until an earlier one follows.
      await raiseLater(1 + (step % 3))
      await makeStartOrder(db, 2)(now())
    }
    expect(await startAll()).toBe(true)
    for (const [first, ...others] of Object.values(await states())) {
      expect(first).toBe('pending')
      expect(new Set(others)).toEqual(new Set(['waiting']))
    }
    expect(await claimAll(id)).toHaveLength(3)
  })

  test.skipIf(engine === 'pglite').each([
    { name: 'an event', store: (tx: Tx) => outbox.append(tx, [packageCreated(1)]) },
    {
      name: 'a delivery of an event of the past',
      store: async (tx: Tx, subscriptionId: number) => {
        const { id: eventId } = await tx.selectFrom('events').select('id').executeTakeFirstOrThrow()
        await insertDeliveries(tx, [{ eventId, subscriptionId }], 0, now())
      },
    },
  ])('$name, being stored when order was switched on, is put in order', async ({ store }) => {
    const id = await subscribe()
    await raise(1)
    await db.deleteFrom('deliveries').execute()
    const step = makeStartOrder(db)
    await inTransaction(db, async (tx) => {
      await store(tx, id)
      await change(id, { order: 'object' })
      expect(await startAll(step)).toBe(false)
    })
    expect(await startAll(step)).toBe(true)
    expect(await states()).toEqual({ 1: ['pending'] })
    expect(await queues()).toBe(1)
  })

  test('order that is switched off, or whose subscription ends, while it is switched on, leaves no queue', async () => {
    for (const isRemoved of [false, true]) {
      const id = await subscribe()
      for (const packageId of [1, 1, 1, 2]) await raiseLater(packageId)
      await change(id, { order: 'object' })
      const step = makeStartOrder(db, 2)
      await step(now())
      await step(now())
      expect(await queues()).toBe(1)
      if (isRemoved) await inTransaction(db, (tx) => subscriptions.remove(tx, id))
      else await change(id, { order: 'none' })
      expect(await step(now())).toEqual([])
      while (await endOrder(db, now()));
      const open = isRemoved ? 'cancelled' : 'pending'
      expect(await states()).toEqual({ 1: [open, open, open], 2: [open] })
      expect(await queues()).toBe(0)
      await clear()
    }
  })
})

test('without order nothing waits', async () => {
  await subscribe()
  await raise(1)
  await raise(1)
  expect(await states()).toEqual({ 1: ['pending', 'pending'] })
  expect(await queues()).toBe(0)
})
