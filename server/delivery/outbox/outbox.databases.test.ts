import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { catalogue } from '#events/catalogue.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeDeliveries, packageCreated } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { standardBody } from '../tables/envelope.ts'
import type { NewEvent } from './outbox.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const woken: (readonly number[])[] = []
const { outbox, subscriptions, subscribe, raise, append, clear } = makeDeliveries({
  db,
  clock,
  wake: (ids) => woken.push(ids),
})
beforeEach(async () => {
  await clear()
  await sql`delete from object_sequences`.execute(db)
  woken.length = 0
})

const { example } = catalogue['package.created']
const created = (id: number, scope = 'back-office'): NewEvent => ({ ...packageCreated(id), scope })
const packed = (id: number): NewEvent => ({ ...created(id), type: 'package.status.packed' }) as NewEvent
const write = (events: readonly NewEvent[]): Promise<void> => inTransaction(db, (tx) => outbox.append(tx, events))
const stored = () => db.selectFrom('events').selectAll().orderBy('id').execute()
const deliveriesOf = async (subscriptionId: number) => {
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
    .select(['type', 'deliveries.objectId', 'status', 'attempts', 'nextAttemptAt'])
    .where('subscriptionId', '=', subscriptionId)
    .orderBy('deliveries.id')
    .execute()
  return rows
}
const count = async (table: 'events' | 'deliveries' | 'attempts'): Promise<number> =>
  (
    await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count
class Rollback extends Error {}

describe('a transaction that is rolled back', () => {
  test('leaves no event, no delivery, no number, and wakes nobody', async () => {
    await subscribe()
    const failing = inTransaction(db, async (tx) => {
      await append(tx, 1)
      throw new Rollback()
    })
    await expect(failing).rejects.toThrow(Rollback)
    expect([await count('events'), await count('deliveries')]).toEqual([0, 0])
    expect(woken).toEqual([])
    await raise(1)
    expect(await stored()).toMatchObject([{ objectId: '1', sequence: 1 }])
  })
})

describe('an event gets a delivery', () => {
  test('for each active subscription that listens to it in its scope, due at once', async () => {
    const one = await subscribe()
    const many = await subscribe({ eventTypes: ['package.status.packed', 'package.created'] })
    const others = [
      await subscribe({ eventTypes: ['package.status.packed'] }),
      await subscribe({ scope: 'project:1' }),
      await subscribe({ isActive: false }),
    ]
    await write([created(1)])
    for (const id of [one, many]) {
      expect(await deliveriesOf(id)).toEqual([
        { type: 'package.created', objectId: '1', status: 'pending', attempts: 0, nextAttemptAt: clock.now() },
      ])
    }
    for (const id of others) expect(await deliveriesOf(id)).toEqual([])
    expect(woken.flat().toSorted((a, b) => a - b)).toEqual([one, many])
  })

  test('for nobody when nobody listens, and nobody is woken', async () => {
    await write([created(1)])
    expect([await count('events'), await count('deliveries'), woken.length]).toEqual([1, 0, 0])
  })

  test('in its own scope only', async () => {
    const [here, there] = [await subscribe({ scope: 'project:1' }), await subscribe({ scope: 'project:2' })]
    await write([created(1, 'project:2'), created(2, 'project:1'), created(3)])
    expect(await deliveriesOf(here)).toMatchObject([{ objectId: '2' }])
    expect(await deliveriesOf(there)).toMatchObject([{ objectId: '1' }])
  })

  test('not when the subscription ended, was switched off or stopped listening before', async () => {
    const [ended, off, other] = [await subscribe(), await subscribe(), await subscribe()]
    await inTransaction(db, (tx) => subscriptions.remove(tx, ended))
    for (const [id, fields] of [
      [off, { isActive: false }],
      [other, { eventTypes: ['package.status.packed'] }],
    ] as const) {
      await inTransaction(db, async (tx) => {
        const settings = await subscriptions.find(tx, id)
        if (settings !== undefined) await subscriptions.replace(tx, id, { ...settings, ...fields })
      })
    }
    await write([created(1)])
    expect(await count('deliveries')).toBe(0)
  })

  test('of many in one call, in the order they are named', async () => {
    const subscription = await subscribe({ eventTypes: ['package.created', 'package.status.packed'] })
    const events = Array.from({ length: 200 }, (_, index) => (index % 3 === 0 ? packed(index % 7) : created(index % 7)))
    await write(events)
    const rows = await deliveriesOf(subscription)
    expect(rows.map(({ type, objectId }) => [type, objectId])).toEqual(
      events.map(({ type, object }) => [type, String(object.id)]),
    )
    expect(woken).toEqual([[subscription]])
  })

  test('of none is nothing', async () => {
    await write([])
    expect(await count('events')).toBe(0)
  })
})

describe('sequence numbers', () => {
  test('count the events of each object, whatever else is written', async () => {
    await write([created(1), created(2), packed(1)])
    await write([packed(2), created(1)])
    await write([{ ...created(1), object: { type: 'shipment', id: 1 } }])
    const rows = await stored()
    expect(rows.map(({ objectType, objectId, sequence }) => [objectType, objectId, sequence])).toEqual([
      ['package', '1', 1],
      ['package', '2', 1],
      ['package', '1', 2],
      ['package', '2', 2],
      ['package', '1', 3],
      ['shipment', '1', 1],
    ])
  })

  test('of 30 transactions at once on one object have no gaps and follow the order of commits, rolled back ones left out', async () => {
    const order: number[] = []
    const transactions = Array.from({ length: 40 }, (_, index) =>
      inTransaction(db, async (tx) => {
        await append(tx, 7)
        const [last] = await tx.selectFrom('events').select('sequence').orderBy('sequence', 'desc').limit(1).execute()
        await sleep(index % 5)
        if (index % 4 === 3) throw new Rollback()
        // The counter is locked until the commit: nobody else gets here in between.
        order.push(last?.sequence ?? 0)
      }),
    )
    const outcomes = await Promise.allSettled(transactions)
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(10)
    const numbers = Array.from({ length: 30 }, (_, index) => index + 1)
    expect(order).toEqual(numbers)
    expect((await stored()).map(({ sequence }) => sequence).toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(numbers)
  })

  test('of transactions that write several objects in any order do not block each other for good', async () => {
    const writes = Array.from({ length: 30 }, (_, index) =>
      write(index % 2 === 0 ? [created(1), created(2), created(3)] : [created(3), created(2), created(1)]),
    )
    await Promise.all(writes)
    const rows = await stored()
    for (const id of ['1', '2', '3']) {
      const numbers = rows.filter(({ objectId }) => objectId === id).map(({ sequence }) => sequence ?? 0)
      expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
    }
  })
})

describe('the body that is sent', () => {
  test.each<[string, unknown]>([
    ['letters of every kind', 'ışık, ÅÄÖ, 日本語, العربية, עברית'],
    ['characters of four bytes', '🎁👩‍👩‍👧‍👦𝒳'],
    ['characters that look alike but are not normalized', 'é é ﬁ'],
    ['quotes, backslashes and controls', '"\\/\b\f\n\r\t\u0001\u001f\u007f\u2028\u2029'],
    ['NUL', 'a\0b'],
    ['a lone surrogate', '\ud83d'],
    ['text that looks like an escape', "\\u0000 \\ud83d %00 &#0; {{x}} $1 ${a} ':a'"],
    [
      'numbers at their limits',
      [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, -0],
    ],
    ['numbers as text', ['123456789012345678901234567890', '1.10', '1e400']],
    ['keys in their order, doubled in meaning', { b: 1, a: 2, A: 3, '': 4, '10': 5, '9': 6, __proto__x: 7 }],
    ['empty things', [{}, [], '', null, [[[]]]]],
    ['half a megabyte', 'ü'.repeat(250_000)],
  ])('is stored to the byte: %s', async (_, order) => {
    const data = { ...example, order_number: order } as typeof example
    await write([{ ...created(1), data } as NewEvent])
    const [event] = await stored()
    const expected = JSON.stringify({ type: 'package.created', timestamp: '2026-11-21T09:30:00.000Z', data })
    expect(event?.body === expected).toBe(true)
    const { rows } = await sql<{ bytes: number }>`select octet_length(body) as bytes from events`.execute(db)
    expect(rows).toEqual([{ bytes: Buffer.byteLength(expected) }])
  })

  test('has the type, the time with milliseconds, and the data, in this order', () => {
    expect(standardBody('a.b', new Date(0), { x: 1 })).toBe(
      '{"type":"a.b","timestamp":"1970-01-01T00:00:00.000Z","data":{"x":1}}',
    )
  })
})
