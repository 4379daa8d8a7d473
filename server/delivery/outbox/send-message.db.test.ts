import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeDeliveries, packageCreated } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import type { Message } from './message.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const woken: (readonly number[])[] = []
const { outbox, subscriptions, subscribe, raise, clear } = makeDeliveries({
  db,
  clock,
  wake: (ids) => woken.push(ids),
})
beforeEach(async () => {
  await clear()
  await sql`delete from object_sequences`.execute(db)
  woken.length = 0
})

/** Of a type, in a scope, that subscriptions listen to: only who it is sent to counts. */
const about = { type: 'package.created', scope: 'back-office', object: { type: 'package', id: 7 } } as const
const ping: Message = { ...about, data: { hello: 'world' } }
const send = (subscriptionId: number, message: Message = ping) =>
  inTransaction(db, (tx) => outbox.send(tx, subscriptionId, message))
const events = () => db.selectFrom('events').selectAll().orderBy('id').execute()
const deliveries = () => db.selectFrom('deliveries').selectAll().orderBy('id').execute()
const switchOff = (id: number, disabledReason: string | null) =>
  db.updateTable('subscriptions').set({ isActive: false, disabledReason }).where('id', '=', id).execute()

describe('a message to one subscription', () => {
  test('becomes one event with one delivery to it, due at once, whatever it and others listen to', async () => {
    const [deaf] = [await subscribe({ eventTypes: ['shipment.created'], scope: 'project:a' }), await subscribe()]
    woken.length = 0
    const id = await send(deaf)
    expect(await deliveries()).toMatchObject([
      { id, subscriptionId: deaf, status: 'pending', lane: 0, attempts: 0, nextAttemptAt: clock.now() },
    ])
    const [event] = await events()
    expect(event).toMatchObject({ type: 'package.created', scope: 'back-office', objectType: 'package', objectId: '7' })
    expect(event).toMatchObject({ sequence: 1, addressee: deaf, contentType: null, occurredAt: clock.now() })
    expect(event?.body).toBe(
      `{"type":"package.created","timestamp":"${clock.now().toISOString()}","data":{"hello":"world"}}`,
    )
    expect(woken).toEqual([[deaf]])
  })

  test('takes its number among the events of its object', async () => {
    const subscription = await subscribe()
    await raise(7)
    await send(subscription)
    await inTransaction(db, (tx) => outbox.append(tx, [packageCreated(7)]))
    expect((await events()).map(({ sequence, addressee }) => [sequence, addressee])).toEqual([
      [1, null],
      [2, subscription],
      [3, null],
    ])
  })

  test.each(['failing', 'gone'])('is held, and wakes nobody, when the engine switched it off as %s', async (reason) => {
    const subscription = await subscribe()
    await switchOff(subscription, reason)
    woken.length = 0
    const id = await send(subscription)
    expect(await deliveries()).toMatchObject([{ id, subscriptionId: subscription, status: 'held' }])
    expect(woken).toEqual([])
  })

  test.each<[string, (id: number) => Promise<unknown>]>([
    ['somebody switched it off', (id) => switchOff(id, null)],
    ['it was switched off for its owner', (id) => switchOff(id, 'owner_inactive')],
    ['it was removed', (id) => inTransaction(db, (tx) => subscriptions.remove(tx, id))],
    ['there never was one', (id) => db.deleteFrom('subscriptions').where('id', '=', id).execute()],
  ])('is not stored when %s', async (_, end) => {
    const subscription = await subscribe()
    await end(subscription)
    woken.length = 0
    expect(await send(subscription)).toBeUndefined()
    expect([await events(), await deliveries(), woken]).toEqual([[], [], []])
    expect((await sql`select * from object_sequences`.execute(db)).rows).toEqual([])
  })

  test('is gone with a transaction that is rolled back, and wakes nobody', async () => {
    const subscription = await subscribe()
    woken.length = 0
    const failing = inTransaction(db, async (tx) => {
      await outbox.send(tx, subscription, ping)
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect([await events(), await deliveries(), woken]).toEqual([[], [], []])
  })

  test('may be content of any kind', async () => {
    const subscription = await subscribe()
    const bytes = Buffer.from([0, 255, 10, 34])
    await send(subscription, { ...about, content: { mediaType: 'application/x-thing', bytes } })
    expect(await events()).toMatchObject([
      { contentType: 'application/x-thing', body: bytes.toString('base64url'), addressee: subscription },
    ])
  })

  test('sent many times at once gets as many numbers', async () => {
    const [one, other] = [await subscribe(), await subscribe()]
    await Promise.all(Array.from({ length: 10 }, (_, index) => send(index % 2 === 0 ? one : other)))
    expect((await events()).map(({ sequence }) => Number(sequence)).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 10 }, (_, index) => index + 1),
    )
  })
})
