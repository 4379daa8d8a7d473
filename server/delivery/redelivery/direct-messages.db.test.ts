import { beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeChecker } from '#testing/make-checker.ts'
import { makeRedeliveriesWorld } from '#testing/data/make-redeliveries-world.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { explainDelivery, explainEvent } from '../explain/explain.ts'
import type { DeliveryStatus } from '../tables/tables.ts'

const { db } = await openTestDatabase()
const world = makeRedeliveriesWorld(db)
const { outbox, now, job, subscribe, find, recover, retry, replay, runToEnd, endAs, switchOff, switchOn, stored } =
  world
const { check, checkAll, reset } = makeChecker(db)
beforeEach(async () => {
  await world.clear()
  await reset()
})

/** Two subscriptions, of which the second listens to the type of a message that is sent to the first, which does not. */
const makeTwo = async (): Promise<readonly [addressee: number, listener: number]> => [
  await subscribe({ eventTypes: ['shipment.created'] }),
  await subscribe(),
]
const send = async (subscriptionId: number): Promise<number> => {
  const about = { type: 'package.created', scope: 'back-office', object: { type: 'package', id: 1 } } as const
  const id = await inTransaction(db, (tx) => outbox.send(tx, subscriptionId, { ...about, data: {} }))
  return id ?? 0
}

describe('a message to one subscription', () => {
  test.each<DeliveryStatus>(['held', 'failed'])('that is %s is brought back by a recovery', async (status) => {
    const [addressee] = await makeTwo()
    const id = await send(addressee)
    await send(addressee)
    await endAs(id, status)
    const started = await recover(addressee)
    await runToEnd(started)
    expect(await find(id)).toMatchObject({ status: 'pending', attemptsBefore: 3, lane: 1 })
    expect(await stored(addressee)).toHaveLength(2)
    expect(await job(started)).toMatchObject({ status: 'done', total: 1, queued: 1 })
  })

  test('is brought back together with what the subscription listens to, in the order of time', async () => {
    const subscription = await subscribe()
    await switchOff(subscription)
    await world.raise()
    await send(subscription)
    await world.raise()
    await switchOn(subscription)
    const id = await recover(subscription, { perSecond: 2 })
    await world.redeliveries.runDue()
    expect((await stored(subscription)).map(({ status }) => status)).toEqual(['pending', 'pending', 'held'])
    await runToEnd(id)
    expect(await job(id)).toMatchObject({ total: 3, queued: 3 })
  })

  test('is never recovered for another one', async () => {
    const [addressee, listener] = await makeTwo()
    await send(addressee)
    expect(await recover(listener)).toBeUndefined()
    await endAs(await send(listener), 'held')
    await runToEnd(await recover(listener))
    expect(await stored(listener)).toMatchObject([{ status: 'pending' }])
  })

  test('is put back by a retry of its deliveries', async () => {
    const [addressee] = await makeTwo()
    const id = await send(addressee)
    await endAs(id, 'failed')
    await runToEnd(await retry([addressee]))
    expect(await find(id)).toMatchObject({ status: 'pending', lane: 1 })
  })

  test('is replayed to that one alone', async () => {
    const [addressee, listener] = await makeTwo()
    const id = await send(addressee)
    await endAs(id, 'delivered')
    const { eventId } = await find(id)
    expect(await replay(eventId, [listener])).toEqual([])
    expect(await replay(eventId, [listener, addressee])).toEqual([addressee])
    expect(await stored(listener)).toEqual([])
    expect(await find(id)).toMatchObject({ status: 'pending' })
  })

  test('is missing nowhere else, and found and mended when its own delivery is', async () => {
    const [addressee] = await makeTwo()
    const id = await send(addressee)
    expect([await check(), await checkAll(true)]).toEqual([[], []])
    const { eventId } = await find(id)
    await db.deleteFrom('deliveries').execute()
    expect(await checkAll(false)).toEqual([{ check: 'delivery_missing', found: 1, repaired: 0, examples: [eventId] }])
    expect(await checkAll(true)).toMatchObject([{ found: 1, repaired: 1 }])
    expect(await stored(addressee)).toMatchObject([{ eventId, status: 'pending' }])
    expect(await db.selectFrom('deliveries').select('id').execute()).toHaveLength(1)
    expect(await checkAll(false)).toEqual([])
  })

  test('is explained as what it is, to both', async () => {
    const [addressee, listener] = await makeTwo()
    const id = await send(addressee)
    const { eventId } = await find(id)
    expect((await explainDelivery(db, id, now()))?.verdict).toBe('due')
    expect(await explainEvent(db, eventId, listener, now())).toMatchObject({
      deliveryId: null,
      explanation: {
        verdict: 'other_scope',
        summary: 'Not for this subscription: it was sent to another one alone.',
        advice: null,
      },
    })
    await db.deleteFrom('deliveries').execute()
    expect(await explainEvent(db, eventId, addressee, now())).toMatchObject({ explanation: { verdict: 'lost' } })
  })
})
