import { beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeRedeliveriesWorld } from '#testing/data/make-redeliveries-world.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { attemptsOf } from '../log/delivery-log.ts'
import type { DeliveryStatus } from '../tables/tables.ts'
import type { RetryOutcome } from './retry-delivery.ts'

const { db } = await openTestDatabase()
const world = makeRedeliveriesWorld(db)
const { redeliveries, subscriptions, clock, now, woken, subscribe, queue, find, endAs, lease, switchOff } = world
beforeEach(world.clear)

const retry = (id: number, force = false) => inTransaction(db, (tx) => redeliveries.retryOne(tx, id, { force }, now()))
/** A delivery with three attempts behind it. */
const make = async (status: DeliveryStatus): Promise<readonly [id: number, subscription: number]> => {
  const subscription = await subscribe()
  const [id = 0] = await queue(subscription, 1)
  await endAs(id, status)
  return [id, subscription]
}

describe('one delivery that is asked for again', () => {
  test.each<[DeliveryStatus, force: boolean, RetryOutcome]>([
    ['failed', false, 'queued'],
    ['held', false, 'queued'],
    ['cancelled', false, 'queued'],
    ['pending', false, 'due'],
    ['delivered', false, 'delivered'],
    ['failed', true, 'queued'],
    ['pending', true, 'queued'],
    ['delivered', true, 'queued'],
  ])('and is %s, force being %s, is %s', async (status, force, outcome) => {
    const [id, subscription] = await make(status)
    const before = await find(id)
    clock.advance(1_000)
    expect(await retry(id, force)).toBe(outcome)
    const isQueued = outcome === 'queued'
    const queued = { status: 'pending', lane: 1, attempts: 3, attemptsBefore: 3, finishedAt: null }
    const after = await find(id)
    expect(after).toEqual({ ...before, ...(isQueued ? { ...queued, nextAttemptAt: after.nextAttemptAt } : {}) })
    expect(after.nextAttemptAt <= now()).toBe(true)
    expect(woken()).toEqual(isQueued ? [[[subscription], 1]] : [])
  })

  test('is due at once with force, whenever it was to be tried next', async () => {
    const [id] = await make('pending')
    const nextAttemptAt = new Date(now().getTime() + 3_600_000)
    await db.updateTable('deliveries').set({ nextAttemptAt }).where('id', '=', id).execute()
    expect(await retry(id)).toBe('due')
    expect(await find(id)).toMatchObject({ nextAttemptAt })
    expect(await retry(id, true)).toBe('queued')
    expect((await find(id)).nextAttemptAt <= now()).toBe(true)
  })

  test.each<DeliveryStatus>(['pending', 'held', 'delivered', 'failed'])(
    'is left alone while an attempt is under way (%s)',
    async (status) => {
      const [id] = await make(status)
      await lease(id, new Date(now().getTime() + 30_000))
      const before = await find(id)
      expect([await retry(id), await retry(id, true)]).toEqual(['under_way', 'under_way'])
      expect(await find(id)).toEqual(before)
      expect(woken()).toEqual([])
    },
  )

  test('is queued when the process of its attempt has died, and that attempt is logged', async () => {
    const [id] = await make('held')
    await lease(id, now())
    expect(await retry(id)).toBe('queued')
    expect(await find(id)).toMatchObject({ status: 'pending', leaseToken: null, leasedUntil: null })
    expect(await attemptsOf(db, id)).toMatchObject([{ number: 3, outcome: 'unknown' }])
  })

  test('waits for its subscription when that is switched off', async () => {
    const [id, subscription] = await make('failed')
    await switchOff(subscription, null)
    expect(await retry(id)).toBe('queued')
  })

  test.each<[string, (id: number, subscription: number) => Promise<unknown>]>([
    ['it was removed', (id) => db.deleteFrom('deliveries').where('id', '=', id).execute()],
    ['its event was dropped', () => db.deleteFrom('events').execute()],
    ['its subscription was removed', (_id, one) => inTransaction(db, (tx) => subscriptions.remove(tx, one))],
  ])('is gone when %s', async (_, end) => {
    const [id, subscription] = await make('failed')
    await end(id, subscription)
    expect([await retry(id), await retry(id, true)]).toEqual(['gone', 'gone'])
    expect(woken()).toEqual([])
  })

  test('by many at once is queued once', async () => {
    const [id] = await make('failed')
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => retry(id)))
    expect(outcomes.toSorted()).toEqual([...Array<string>(5).fill('due'), 'queued'])
    expect(woken()).toHaveLength(1)
  })

  test('in a transaction that is rolled back is not queued, and wakes nobody', async () => {
    const [id] = await make('failed')
    const failing = inTransaction(db, async (tx) => {
      await redeliveries.retryOne(tx, id, { force: false }, now())
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await find(id)).toMatchObject({ status: 'failed' })
    expect(woken()).toEqual([])
  })
})

describe('many deliveries that are asked for again', () => {
  const retryMany = (ids: readonly number[], mayWait = false) =>
    inTransaction(db, (tx) => redeliveries.retryMany(tx, ids, { mayWait: () => mayWait }, now()))

  test('each come to what one would, in the order in which they are asked for', async () => {
    const [[failed, one], [pending], [delivered], [held, other], [leased], [removed, ended]] = [
      await make('failed'),
      await make('pending'),
      await make('delivered'),
      await make('held'),
      await make('failed'),
      await make('failed'),
    ]
    await lease(leased, new Date(now().getTime() + 30_000))
    await inTransaction(db, (tx) => subscriptions.remove(tx, ended))
    expect(await retryMany([removed, leased, held, 1, delivered, pending, failed])).toEqual([
      'gone',
      'under_way',
      'queued',
      'gone',
      'delivered',
      'due',
      'queued',
    ])
    for (const id of [held, failed]) expect(await find(id)).toMatchObject({ status: 'pending', attemptsBefore: 3 })
    expect(woken().map(([ids, lane]) => [ids.toSorted((a, b) => a - b), lane])).toEqual([[[one, other], 1]])
  })

  test.each<[who: string, reason: string | null, off: string]>([
    ['a person', null, 'by_person'],
    ['the engine', 'failing', 'by_engine'],
    ['the engine', 'gone', 'by_engine'],
  ])('wait for a subscription that %s has switched off (%s) only where they may', async (_, reason, off) => {
    const [id, subscription] = await make('failed')
    await switchOff(subscription, reason)
    expect(await retryMany([id])).toEqual(['off'])
    expect(await find(id)).toMatchObject({ status: 'failed' })
    const asked: unknown[] = []
    const mayWait = (receiver: unknown): boolean => asked.push(receiver) > 0
    const outcomes = await inTransaction(db, (tx) => redeliveries.retryMany(tx, [id], { mayWait }, now()))
    expect(asked).toEqual([{ id: subscription, scope: 'back-office', off }])
    expect([outcomes, (await find(id)).status]).toEqual([['queued'], 'pending'])
  })

  test('are none at all when none is asked for', async () => {
    expect(await retryMany([])).toEqual([])
    expect(woken()).toEqual([])
  })
})

test('a delivery that is dropped by hand wakes its subscription, where another may have waited for it', async () => {
  const [id, subscription] = await make('pending')
  const drop = () => inTransaction(db, (tx) => redeliveries.dropOne(tx, { id, subscriptionId: subscription }, now()))
  expect(await drop()).toBe('dropped')
  expect(woken()).toEqual([[[subscription], 1]])
  expect(await drop()).toBe('ended')
  expect(woken()).toHaveLength(1)
})
