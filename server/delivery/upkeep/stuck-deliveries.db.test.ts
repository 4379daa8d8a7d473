import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { makeChecker } from '#testing/make-checker.ts'
import { makeDeliveries } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { leaseMs } from '../queue/claim.ts'
import { sweepSize } from './stuck-deliveries.ts'

const { db } = await openTestDatabase()
const { subscribe, queue, raise, find, clear } = makeDeliveries({ db, clock: systemClock })
const { check, checkAll, reset } = makeChecker(db)
beforeEach(async () => {
  await clear()
  await reset()
})

const setDelivery = (id: number, fields: string) =>
  sql`update deliveries set ${sql.raw(fields)} where id = ${id}`.execute(db)
const setSubscription = (id: number, fields: string) =>
  sql`update subscriptions set ${sql.raw(fields)} where id = ${id}`.execute(db)
const ahead = (date: Date | null | undefined): number => (date?.getTime() ?? Number.NaN) - Date.now()

describe('a delivery that waits and can never run', () => {
  test('because nothing is before it that it could wait for goes', async () => {
    const subscription = await subscribe({ order: 'object' })
    for (let event = 0; event < 3; event++) await raise(7)
    const { rows } = await sql<{ id: number }>`select id from deliveries order by id`.execute(db)
    const [first = 0, second = 0] = rows.map(({ id }) => id)
    expect(await check()).toEqual([])
    await setDelivery(first, `status = 'delivered', finished_at = now()`)
    // A head that has ended is the business of the release.
    expect(await check()).toEqual([])
    await setDelivery(first, `is_head = null`)
    expect(await check()).toEqual([{ check: 'order_stuck', found: 1, repaired: 1, examples: [second] }])
    expect(await find(second)).toMatchObject({ status: 'pending', isHead: true, subscriptionId: subscription })
    expect(await check()).toEqual([])
  })

  test('because of a lease from before the clock was set back gets a lease of usual length', async () => {
    const [id = 0] = await queue(await subscribe(), 1)
    await setDelivery(
      id,
      `lease_token = 7, leased_at = now() + interval '1 hour', leased_until = now() + interval '1 hour', attempts = 1`,
    )
    expect(await check()).toEqual([{ check: 'lease_too_long', found: 1, repaired: 1, examples: [id] }])
    const { leaseToken, leasedUntil } = await find(id)
    // Whoever holds it may be alive: it ends its attempt with the same token.
    expect(leaseToken).toBe(7)
    expect(ahead(leasedUntil)).toBeLessThanOrEqual(leaseMs)
    expect(ahead(leasedUntil)).toBeGreaterThan(leaseMs - 5_000)
    expect(await check()).toEqual([])
  })

  test('because it is leased without end is let go', async () => {
    const [id = 0] = await queue(await subscribe(), 1)
    await setDelivery(id, `lease_token = 7, leased_at = now(), leased_until = null, attempts = 1`)
    expect(await check()).toEqual([{ check: 'lease_without_end', found: 1, repaired: 1, examples: [id] }])
    expect(await find(id)).toMatchObject({ leaseToken: null, leasedAt: null, leasedUntil: null, status: 'pending' })
  })

  test.each([
    ['a retry in eight days', 1, `now() + interval '8 days'`],
    ['a retry at no time', 1, `'infinity'`],
    ['a first attempt in two minutes', 0, `now() + interval '2 minutes'`],
  ])('because it is due too late (%s) is due now', async (_, lane, at) => {
    const [id = 0] = await queue(await subscribe(), 1)
    await setDelivery(id, `lane = ${lane}, next_attempt_at = ${at}`)
    expect(await check()).toEqual([{ check: 'due_too_late', found: 1, repaired: 1, examples: [id] }])
    expect(ahead((await find(id)).nextAttemptAt)).toBeLessThanOrEqual(0)
  })

  test.each([
    ['a live lease', `lease_token = 7, leased_at = now(), leased_until = now() + interval '30 s'`],
    ['a lease that ran out', `lease_token = 7, leased_at = now(), leased_until = now() - interval '1 day'`],
    ['a retry in a week', `lane = 1, next_attempt_at = now() + interval '7 days 6 hours'`],
    ['a time long ago', `lane = 1, next_attempt_at = '-infinity'`],
  ])('is not one with %s', async (_, fields) => {
    const [id = 0] = await queue(await subscribe(), 1)
    await setDelivery(id, fields)
    const before = await find(id)
    expect(await check()).toEqual([])
    expect(await find(id)).toEqual(before)
  })

  test('because its event is gone has failed', async () => {
    const [id = 0, other = 0] = await queue(await subscribe(), 2)
    await db
      .deleteFrom('events')
      .where('id', '=', (await find(id)).eventId)
      .execute()
    expect(await check()).toEqual([{ check: 'event_missing', found: 1, repaired: 1, examples: [id] }])
    expect(await find(id)).toMatchObject({
      status: 'failed',
      lastReason: 'event_missing',
      finishedAt: expect.any(Date),
    })
    expect(await find(other)).toMatchObject({ status: 'pending' })
    expect(await db.selectFrom('unreportedFailures').select(['deliveryId', 'status']).execute()).toEqual([
      { deliveryId: id, status: 'failed' },
    ])
  })

  test.each(['pending', 'held'])('because its subscription has ended (%s) is cancelled', async (status) => {
    const [one, other] = [await subscribe(), await subscribe()]
    const [id = 0] = await queue(one, 1)
    const [kept = 0] = await queue(other, 1)
    await setDelivery(id, `status = '${status}'`)
    await setSubscription(one, `deleted_at = now(), is_active = false`)
    // Workers are still at it.
    expect(await checkAll(false)).toEqual([])
    await setSubscription(one, `deleted_at = now() - interval '601 s'`)
    expect(await check({ settleMs: 1_000 })).toEqual([])
    await sleep(1_100)
    expect(await checkAll(false)).toMatchObject([{ check: 'subscription_ended', repaired: 0 }])
    expect(await check({ settleMs: 1_000 })).toMatchObject([{ check: 'subscription_ended', repaired: 2 }])
    expect(await find(id)).toMatchObject({
      status: 'cancelled',
      lastReason: 'unsubscribed',
      finishedAt: expect.any(Date),
    })
    expect(await find(kept)).toMatchObject({ status: 'pending' })
  })

  test('is mended by the command as well, and only when it is told to', async () => {
    const ids = await queue(await subscribe(), 3)
    await setDelivery(ids[0] ?? 0, `lease_token = 7, leased_until = 'infinity'`)
    await setDelivery(ids[1] ?? 0, `lane = 1, next_attempt_at = 'infinity'`)
    const before = await Promise.all(ids.map(find))
    expect(await checkAll(false)).toMatchObject([
      { check: 'lease_too_long', found: 1, repaired: 0 },
      { check: 'due_too_late', found: 1, repaired: 0 },
    ])
    expect(await Promise.all(ids.map(find))).toEqual(before)
    expect(await checkAll(true)).toMatchObject([{ repaired: 1 }, { repaired: 1 }])
    expect(await checkAll(false)).toEqual([])
  })

  describe('in a long backlog', () => {
    const fill = async (count: number): Promise<{ first: number; last: number }> => {
      const subscription = await subscribe()
      await sql`insert into events (id, scope, type, occurred_at, body) values (1, 'nowhere', 'x', now(), '{}')`.execute(
        db,
      )
      // Many are due at the same moment, as after a large transaction.
      await sql`
        insert into deliveries (event_id, subscription_id, lane, next_attempt_at)
        select 1, ${subscription}, 1, date_trunc('day', now()) + (n / 1500) * interval '1 s' from generate_series(1, ${count}::int) as n`.execute(
        db,
      )
      const { rows } = await sql<{
        first: number
        last: number
      }>`select min(id) as first, max(id) as last from deliveries`.execute(db)
      return rows[0] ?? { first: 0, last: 0 }
    }
    const leaveLease = (id: number) => setDelivery(id, `lease_token = 7, leased_until = now() + interval '1 day'`)

    test('is found after some runs, and the next round begins at the front', async () => {
      const { first, last } = await fill(6 * sweepSize)
      await leaveLease(last)
      expect(await check()).toEqual([])
      expect(await check()).toMatchObject([{ check: 'lease_too_long', examples: [last] }])
      await leaveLease(first)
      expect(await check()).toMatchObject([{ check: 'lease_too_long', examples: [first] }])
    })

    test('is found where many are due at the same moment', async () => {
      const { first } = await fill(2 * sweepSize)
      const { rows } = await sql<{ id: number }>`
        select id from deliveries where id >= ${first} order by id offset ${sweepSize + 500} limit 1`.execute(db)
      const [{ id } = { id: 0 }] = rows
      await leaveLease(id)
      expect(await check()).toMatchObject([{ check: 'lease_too_long', examples: [id] }])
    })

    test('is found in the first run after the clock was set back', async () => {
      const { first, last } = await fill(6 * sweepSize)
      expect(await check()).toEqual([])
      await leaveLease(first)
      await leaveLease(last)
      await sql`update upkeep set done_at = clock_timestamp() + interval '1 hour' where job = 'queue'`.execute(db)
      const found = await check()
      expect(found.map(({ examples }) => examples)).toEqual([[first], [last]])
    })
  })
})
