import { beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { endOf, makeDeliveries } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { attemptsOf } from '../log/delivery-log.ts'
import { claim, claimOne, leaseMs, type Claimed, type Want } from './claim.ts'
import { finish } from './finish.ts'
import { cancelOrphans, nextDue, release, releaseAll } from './queue.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const { subscriptions, subscribe, queue, raise, find, clear } = makeDeliveries({ db, clock })
beforeEach(clear)

const now = (): Date => clock.now()
const after = (milliseconds: number): Date => new Date(now().getTime() + milliseconds)
const claimFor = (subscriptionId: number, limit = 1_000): Promise<Claimed[]> =>
  claim(
    db,
    now(),
    ([0, 1] as const).map((lane) => ({ subscriptionId, lane, limit })),
  )
const claimFirst = async (subscriptionId: number): Promise<Claimed> => {
  const [claimed] = await claimFor(subscriptionId, 1)
  if (claimed === undefined) throw new Error('Nothing was due.')
  return claimed
}
const idsOf = (claims: readonly Claimed[]): number[] => claims.map(({ id }) => id)
const change = (id: number, fields: { isActive?: boolean; holdUntil?: Date | null; deletedAt?: Date }) =>
  db.updateTable('subscriptions').set(fields).where('id', '=', id).execute()

describe('a claim', () => {
  test('takes what is due, the oldest first, up to its limit, and says what to send', async () => {
    const subscription = await subscribe()
    const [first = 0, second = 0] = await queue(subscription, 3)
    const claims = await claimFor(subscription, 2)
    expect(idsOf(claims)).toEqual([first, second])
    expect(claims[0]).toMatchObject({
      subscriptionId: subscription,
      attempt: 1,
      status: 'pending',
      eventType: 'package.created',
      sequence: 1,
      version: 1,
    })
    expect(JSON.parse(claims[0]?.body ?? '')).toMatchObject({ type: 'package.created', timestamp: now().toISOString() })
    expect(await find(first)).toMatchObject({
      attempts: 1,
      leaseToken: claims[0]?.token,
      leasedAt: now(),
      leasedUntil: after(leaseMs),
    })
  })

  test('takes for each subscription up to its own limit', async () => {
    const [one, two, three] = [await subscribe(), await subscribe(), await subscribe()]
    for (let event = 0; event < 5; event++) await raise()
    const claims = await claim(db, now(), [
      { subscriptionId: one, lane: 0, limit: 2 },
      { subscriptionId: two, lane: 0, limit: 4 },
      { subscriptionId: three, lane: 0, limit: 100 },
    ])
    const counts = [one, two, three].map((id) => claims.filter(({ subscriptionId }) => subscriptionId === id).length)
    expect(counts).toEqual([2, 4, 5])
    expect(await claim(db, now(), [{ subscriptionId: 999_999, lane: 0, limit: 5 }])).toEqual([])
    expect(await claim(db, now(), [])).toEqual([])
  })

  test('is exclusive among 20 at once, and together they take everything', async () => {
    const [one, two] = [await subscribe(), await subscribe()]
    for (let event = 0; event < 100; event++) await raise()
    const wants: Want[] = [
      { subscriptionId: one, lane: 0, limit: 7 },
      { subscriptionId: two, lane: 0, limit: 9 },
    ]
    const taken: number[] = []
    const drain = async (): Promise<void> => {
      for (let claims = await claim(db, now(), wants); claims.length > 0; claims = await claim(db, now(), wants))
        taken.push(...idsOf(claims))
    }
    await Promise.all(Array.from({ length: 20 }, drain))
    // Rows that another claim was just holding may have been stepped over by the last ones.
    await drain()
    expect(taken).toHaveLength(200)
    expect(new Set(taken).size).toBe(200)
    const attempts = await db.selectFrom('deliveries').select('attempts').distinct().execute()
    expect(attempts).toEqual([{ attempts: 1 }])
  })

  test('does not take what is due later, and does when its time has come', async () => {
    const subscription = await subscribe()
    await queue(subscription, 1)
    const claimed = await claimFirst(subscription)
    await finish(db, [endOf(claimed, now(), { status: 'pending', outcome: 'retry', nextAttemptAt: after(60_000) })])
    clock.advance(59_999)
    expect(await claimFor(subscription)).toEqual([])
    clock.advance(1)
    expect(await claimFor(subscription)).toMatchObject([{ id: claimed.id, attempt: 2 }])
  })

  test('takes nothing of a subscription that is off or on hold', async () => {
    const subscription = await subscribe()
    await queue(subscription, 1)
    await change(subscription, { isActive: false })
    expect(await claimFor(subscription)).toEqual([])
    await change(subscription, { isActive: true, holdUntil: after(1_000) })
    expect(await claimFor(subscription)).toEqual([])
    clock.advance(999)
    expect(await claimFor(subscription)).toEqual([])
    clock.advance(1)
    expect(await claimFor(subscription)).toHaveLength(1)
  })

  test('names the version of the subscription that is current', async () => {
    const subscription = await subscribe()
    await queue(subscription, 1)
    await inTransaction(db, async (tx) => {
      const settings = await subscriptions.find(tx, subscription)
      if (settings !== undefined) await subscriptions.replace(tx, subscription, settings)
    })
    expect(await claimFirst(subscription)).toMatchObject({ version: 2 })
  })
})

describe('a lease', () => {
  test('keeps a delivery until it runs out; the next claim logs the lost attempt as unknown', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    const startedAt = now()
    const lost = await claimFirst(subscription)
    clock.advance(leaseMs - 1)
    expect(await claimFor(subscription)).toEqual([])
    expect(await claimOne(db, now(), id)).toBeUndefined()
    expect(await attemptsOf(db, id)).toEqual([])

    clock.advance(1)
    const again = await claimFirst(subscription)
    expect(again).toMatchObject({ id, attempt: 2 })
    expect(again.token).not.toBe(lost.token)
    const unknown = {
      number: 1,
      startedAt,
      outcome: 'unknown',
      reason: 'process_lost',
      durationMs: null,
      responseStatus: null,
    }
    expect(await attemptsOf(db, id)).toMatchObject([unknown])

    clock.advance(leaseMs)
    const third = await claimFirst(subscription)
    await finish(db, [endOf(third, now())])
    expect(await attemptsOf(db, id)).toMatchObject([
      unknown,
      { number: 2, outcome: 'unknown' },
      { number: 3, outcome: 'delivered' },
    ])
  })

  test('that was lost gives no right: a finish changes nothing and is not logged', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    const late = await claimFirst(subscription)
    clock.advance(leaseMs)
    const current = await claimFirst(subscription)
    const before = await find(id)

    expect((await finish(db, [endOf(late, now())])).ours).toEqual(new Set())
    expect(await find(id)).toEqual(before)
    expect(await attemptsOf(db, id)).toMatchObject([{ number: 1, outcome: 'unknown' }])

    expect((await finish(db, [endOf(current, now())])).ours).toEqual(new Set([id]))
    expect((await finish(db, [endOf(current, now(), { status: 'failed' })])).ours).toEqual(new Set())
    expect(await find(id)).toMatchObject({ status: 'delivered', attempts: 2 })
    expect(await attemptsOf(db, id)).toHaveLength(2)
  })

  test('that has run out but that nobody took over still lets its owner finish', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    const slow = await claimFirst(subscription)
    clock.advance(leaseMs * 2)
    expect((await finish(db, [endOf(slow, now())])).ours).toEqual(new Set([id]))
    expect(await attemptsOf(db, id)).toMatchObject([{ number: 1, outcome: 'delivered' }])
  })

  test('that is ended for all makes everything due at once, and still logs what was lost', async () => {
    const subscription = await subscribe()
    const [first = 0] = await queue(subscription, 3)
    await claimFor(subscription, 2)
    expect(await claimFor(subscription)).toHaveLength(1)
    await releaseAll(db)
    const claims = await claimFor(subscription)
    expect(claims.map(({ attempt }) => attempt)).toEqual([2, 2, 2])
    expect(await attemptsOf(db, first)).toMatchObject([{ number: 1, outcome: 'unknown' }])
  })
})

describe('a release', () => {
  test('spends nothing: the delivery is due again and no attempt is logged', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    const untouched = await find(id)
    await release(db, [await claimFirst(subscription)])
    expect(await find(id)).toEqual(untouched)
    expect(await claimFirst(subscription)).toMatchObject({ id, attempt: 1 })
    expect(await attemptsOf(db, id)).toEqual([])
  })

  test('of a lease that was lost changes nothing', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    const late = await claimFirst(subscription)
    clock.advance(leaseMs)
    await claimFirst(subscription)
    const before = await find(id)
    await release(db, [late])
    expect(await find(id)).toEqual(before)
  })

  test('keeps the number of an attempt that was lost before', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    await claimFirst(subscription)
    clock.advance(leaseMs)
    await release(db, [await claimFirst(subscription)])
    const last = await claimFirst(subscription)
    expect(last.attempt).toBe(2)
    await finish(db, [endOf(last, now())])
    expect((await attemptsOf(db, id)).map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, 'unknown'],
      [2, 'delivered'],
    ])
  })
})

describe('claiming one delivery', () => {
  test('works whatever its state and due time, and goes on counting its attempts', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    await finish(db, [endOf(await claimFirst(subscription), now())])
    await change(subscription, { isActive: false, holdUntil: after(60_000) })
    const again = await claimOne(db, now(), id)
    expect(again).toMatchObject({ id, attempt: 2, status: 'delivered', eventType: 'package.created' })
    expect(await claimOne(db, now(), id)).toBeUndefined()
  })

  test('is exclusive among 20 at once', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    const claims = await Promise.all(Array.from({ length: 20 }, () => claimOne(db, now(), id)))
    expect(claims.filter((claimed) => claimed !== undefined)).toHaveLength(1)
  })

  test('finds nothing when the subscription has ended, or when there is no such delivery', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    await inTransaction(db, (tx) => subscriptions.remove(tx, subscription))
    expect(await claimOne(db, now(), id)).toBeUndefined()
    expect(await claimOne(db, now(), 1)).toBeUndefined()
  })
})

describe('when each subscription is next due', () => {
  test('is the earliest of its pending deliveries, but not before its hold ends', async () => {
    const [soon, later, held, off, done] = [
      await subscribe(),
      await subscribe(),
      await subscribe(),
      await subscribe(),
      await subscribe(),
    ]
    const dueAt = now()
    await raise()
    clock.advance(1_000)
    await raise()
    const [first] = await claimFor(later, 1)
    if (first !== undefined)
      await finish(db, [endOf(first, now(), { status: 'pending', nextAttemptAt: after(99_000) })])
    const [second] = await claim(db, now(), [{ subscriptionId: later, lane: 0, limit: 1 }])
    if (second === undefined) throw new Error('Nothing new was due.')
    await finish(db, [endOf(second, now(), { status: 'pending', nextAttemptAt: after(30_000) })])
    await change(held, { holdUntil: after(60_000) })
    await change(off, { isActive: false })
    await finish(
      db,
      (await claimFor(done)).map((claimed) => endOf(claimed, now())),
    )

    expect(await nextDue(db)).toEqual([
      { subscriptionId: soon, lane: 0, dueAt },
      { subscriptionId: later, lane: 1, dueAt: after(30_000) },
      { subscriptionId: held, lane: 0, dueAt: after(60_000) },
    ])
  })

  test('is nothing when nothing is pending', async () => {
    expect(await nextDue(db)).toEqual([])
    await subscribe()
    expect(await nextDue(db)).toEqual([])
  })
})

describe('orphans', () => {
  test('are the pending deliveries of subscriptions that have ended, and get cancelled', async () => {
    const [ended, alive] = [await subscribe(), await subscribe()]
    const [leased = 0, free = 0] = await queue(ended, 2)
    const claimed = await claimFirst(ended)
    await change(ended, { isActive: false, deletedAt: now() })
    expect(await cancelOrphans(db, clock.now())).toBe(2)
    expect(await cancelOrphans(db, clock.now())).toBe(0)
    for (const id of [leased, free]) {
      expect(await find(id)).toMatchObject({
        status: 'cancelled',
        lastReason: 'unsubscribed',
        leaseToken: null,
        leasedUntil: null,
      })
    }
    expect((await finish(db, [endOf(claimed, now(), { status: 'pending', nextAttemptAt: now() })])).ours).toEqual(
      new Set(),
    )
    expect(await find(leased)).toMatchObject({ status: 'cancelled' })
    expect(await claimFor(alive)).toHaveLength(2)
  })
})
