import { beforeEach, describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeDeliveries } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { claim, leaseMs, type Claimed } from './claim.ts'
import { nextDue } from './queue.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const { subscribe, queue, clear } = makeDeliveries({ db, clock })
beforeEach(clear)

const after = (ms: number): Date => new Date(clock.now().getTime() + ms)
const take = (subscriptionId: number, limit = 100): Promise<Claimed[]> =>
  claim(db, clock.now(), [
    { subscriptionId, lane: 0, limit },
    { subscriptionId, lane: 1, limit },
  ])
const change = (id: number, fields: object) =>
  db.updateTable('subscriptions').set(fields).where('id', '=', id).execute()
const dueOf = async (id: number): Promise<Date | undefined> =>
  (await nextDue(db)).find(({ subscriptionId }) => subscriptionId === id)?.dueAt

describe('a failing subscription', () => {
  test('gets one delivery at a time, over all lanes and processes, until its end is known or its lease is over', async () => {
    const id = await subscribe()
    const ids = await queue(id, 4)
    await db.updateTable('deliveries').set({ lane: 1 }).where('id', 'in', ids.slice(2)).execute()
    await change(id, { health: 'failing', failures: 9 })
    const claims = (await Promise.all(Array.from({ length: 6 }, () => take(id)))).flat()
    expect(claims.map((claimed) => claimed.id)).toEqual([ids[0]])
    expect(claims[0]).toMatchObject({ isTroubled: true, attempt: 1 })
    expect(await dueOf(id)).toEqual(after(leaseMs))
    clock.advance(leaseMs - 1)
    expect(await take(id)).toEqual([])
    clock.advance(1)
    expect(await take(id)).toHaveLength(1)
  })

  test('gets nothing while its breaker is open, and what waits spends no attempts', async () => {
    const id = await subscribe()
    await queue(id, 3)
    await change(id, { health: 'failing', failures: 9, pausedUntil: after(60_000) })
    expect(await take(id)).toEqual([])
    expect(await dueOf(id)).toEqual(after(60_000))
    const rows = await db.selectFrom('deliveries').select(['attempts', 'status']).distinct().execute()
    expect(rows).toEqual([{ attempts: 0, status: 'pending' }])
  })

  test('does not stand in the way of others in the same claim', async () => {
    const [failing, well] = [await subscribe(), await subscribe()]
    await queue(well, 5)
    await change(failing, { health: 'failing', failures: 5 })
    const claims = await claim(
      db,
      clock.now(),
      [failing, well].map((subscriptionId) => ({ subscriptionId, lane: 0, limit: 100 })),
    )
    expect(
      Object.fromEntries(
        Map.groupBy(claims, (one) => one.subscriptionId)
          .entries()
          .map(([id, all]) => [id, all.length]),
      ),
    ).toEqual({ [failing]: 1, [well]: 5 })
  })
})

describe('a subscription with a rate limit', () => {
  const limited = (perSecond: number, burst: number) => subscribe({ rateLimit: { perSecond, burst } })

  test('gets its burst at once, and then so many a second', async () => {
    const id = await limited(10, 4)
    await queue(id, 30)
    expect(await take(id)).toHaveLength(4)
    expect(await take(id)).toEqual([])
    clock.advance(99)
    expect(await take(id)).toEqual([])
    clock.advance(1)
    expect(await take(id)).toHaveLength(1)
    clock.advance(300)
    expect(await take(id)).toHaveLength(3)
    // A long rest fills the bucket, and no more than that.
    clock.advance(60_000)
    expect(await take(id)).toHaveLength(4)
  })

  test('is told when it may ask again', async () => {
    const id = await limited(2, 1)
    await queue(id, 3)
    const [first] = await take(id)
    expect(first?.nextTokenAt).toEqual(after(500))
    expect(await dueOf(id)).toEqual(after(500))
  })

  test('spends tokens only for what it got', async () => {
    const id = await limited(1, 10)
    await queue(id, 1)
    expect(await take(id)).toHaveLength(1)
    await queue(id, 20)
    expect(await take(id)).toHaveLength(9)
  })

  test('never exceeds it, however many processes ask at once', async () => {
    const id = await limited(50, 20)
    await queue(id, 100)
    let got = (await Promise.all(Array.from({ length: 10 }, () => take(id, 7)))).flat().length
    expect(got).toBeLessThanOrEqual(20)
    for (let tick = 0; tick < 20; tick++) {
      clock.advance(50)
      got += (await Promise.all(Array.from({ length: 5 }, () => take(id, 3)))).flat().length
    }
    expect(got).toBeLessThanOrEqual(70)
    expect(got).toBeGreaterThanOrEqual(60)
  })

  test('and failing is tried one at a time', async () => {
    const id = await limited(10, 5)
    await queue(id, 10)
    await change(id, { health: 'failing', failures: 7 })
    expect(await take(id)).toHaveLength(1)
  })
})

test('retries are claimed only in their own lane', async () => {
  const id = await subscribe()
  const [first = 0, second] = await queue(id, 2)
  await db.updateTable('deliveries').set({ lane: 1 }).where('id', '=', first).execute()
  expect(await claim(db, clock.now(), [{ subscriptionId: id, lane: 1, limit: 9 }])).toMatchObject([
    { id: first, lane: 1 },
  ])
  expect(await claim(db, clock.now(), [{ subscriptionId: id, lane: 0, limit: 9 }])).toMatchObject([
    { id: second, lane: 0 },
  ])
})
