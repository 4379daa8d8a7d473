import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeChecker } from '#testing/make-checker.ts'
import { makeDeliveries } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { lockMissing, queueAgain } from '../redelivery/put-back.ts'

const { db } = await openTestDatabase()
const { subscribe, queue, raise, find, clear } = makeDeliveries({ db, clock: systemClock })
const { check, checkAll, metric, reset } = makeChecker(db)
beforeEach(async () => {
  await clear()
  await reset()
})

const setSubscription = (id: number, fields: string) =>
  sql`update subscriptions set ${sql.raw(fields)} where id = ${id}`.execute(db)
const loseDelivery = async (id: number): Promise<number> => {
  const { eventId } = await find(id)
  await db.deleteFrom('deliveries').where('id', '=', id).execute()
  return eventId
}
const deliveriesOf = (eventId: number) =>
  db.selectFrom('deliveries').selectAll().where('eventId', '=', eventId).execute()
const ahead = (date: Date | null | undefined): number => (date?.getTime() ?? Number.NaN) - Date.now()

describe('an event without a delivery', () => {
  test('gets it, due now, and is reported', async () => {
    const [subscription] = [await subscribe(), await subscribe()]
    const [, lost = 0] = await queue(subscription, 3)
    const eventId = await loseDelivery(lost)
    expect(await check()).toEqual([{ check: 'delivery_missing', found: 1, repaired: 1, examples: [eventId] }])
    expect(await deliveriesOf(eventId)).toHaveLength(2)
    const [made] = (await deliveriesOf(eventId)).filter(({ subscriptionId }) => subscriptionId === subscription)
    expect(made).toMatchObject({ status: 'pending', attempts: 0, lane: 0, leaseToken: null })
    expect(ahead(made?.nextAttemptAt)).toBeLessThanOrEqual(0)
    expect(await metric('waybill_delivery_lost')).toBe(1)
    expect(await metric('waybill_invariant_violations{check="delivery_missing"}')).toBe(1)
    expect(Math.abs((await metric('waybill_invariant_checked_at')) * 1_000 - Date.now())).toBeLessThan(60_000)
    expect(await check()).toEqual([])
  })

  test.each(['failing', 'gone'])(
    'gets one that is held while its subscription is switched off as %s',
    async (reason) => {
      const subscription = await subscribe()
      const [lost = 0] = await queue(subscription, 1)
      const eventId = await loseDelivery(lost)
      await setSubscription(subscription, `is_active = false, disabled_reason = '${reason}'`)
      expect(await check()).toMatchObject([{ check: 'delivery_missing', repaired: 1 }])
      expect(await deliveriesOf(eventId)).toMatchObject([{ subscriptionId: subscription, status: 'held' }])
    },
  )

  test('is right when nobody who listens is there', async () => {
    const [off, ended, elsewhere, other, late] = [
      await subscribe(),
      await subscribe(),
      await subscribe({ scope: 'project:a' }),
      await subscribe({ eventTypes: ['package.status.packed'] }),
      await subscribe(),
    ]
    await setSubscription(off, `is_active = false, disabled_reason = 'owner_inactive'`)
    await setSubscription(ended, `deleted_at = clock_timestamp()`)
    await setSubscription(late, `listening_since = clock_timestamp() + interval '1 minute'`)
    await raise()
    await sql`delete from deliveries`.execute(db)
    expect([off, ended, elsewhere, other, late]).toHaveLength(5)
    expect(await check()).toEqual([])
    expect(await checkAll(false)).toEqual([])
  })

  test('is not judged before transactions of that time have ended', async () => {
    const subscription = await subscribe()
    await setSubscription(subscription, `listening_since = clock_timestamp() - interval '1 hour'`)
    const [lost = 0] = await queue(subscription, 1)
    await loseDelivery(lost)
    expect(await check({ settleMs: 1_000 })).toEqual([])
    expect(await metric('waybill_delivery_lost')).toBe(0)
    await sleep(1_100)
    expect(await check({ settleMs: 1_000 })).toMatchObject([{ check: 'delivery_missing', found: 1 }])
  })

  test('is right when somebody began to listen just before it, in a transaction that it may not have seen', async () => {
    const subscription = await subscribe()
    const [lost = 0] = await queue(subscription, 1)
    await loseDelivery(lost)
    await sleep(1_100)
    expect(await check({ settleMs: 1_000 })).toEqual([])
    const [next = 0] = await queue(subscription, 1)
    await loseDelivery(next)
    await sleep(1_100)
    expect(await check({ settleMs: 1_000 })).toMatchObject([{ check: 'delivery_missing', found: 1 }])
  })

  test('is not given a second one beside somebody who asks for it again', async () => {
    const subscription = await subscribe()
    const [lost = 0] = await queue(subscription, 1)
    const eventId = await loseDelivery(lost)
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
    const asked = inTransaction(db, async (tx) => {
      await lockMissing(tx, [subscription])
      locked()
      await sleep(200)
      await queueAgain(tx, [], [{ eventId, subscriptionId: subscription }], new Date())
    })
    await isLocked
    await Promise.all([asked, check()])
    expect(await deliveriesOf(eventId)).toHaveLength(1)
  })

  test('is found among many thousands, in slices', async () => {
    const subscription = await subscribe()
    await sql`
      insert into events (scope, type, occurred_at, body)
      select 'back-office', 'package.created', clock_timestamp(), '{}' from generate_series(1, 12000)`.execute(db)
    await sql`
      insert into deliveries (event_id, subscription_id, next_attempt_at, status, finished_at)
      select id, ${subscription}, now(), 'failed', now() from events
      where id not in (select id from events order by id offset 7000 limit 2)`.execute(db)
    expect(await check()).toMatchObject([{ check: 'delivery_missing', found: 2, repaired: 2 }])
    expect(await checkAll(false)).toEqual([])
  })

  test('is found again by the command whenever it was, unless it is left out', async () => {
    const subscription = await subscribe()
    await setSubscription(subscription, `listening_since = '2020-01-01'`)
    const lose = async (age: string): Promise<number> => {
      const { rows } = await sql<{ id: number }>`
        insert into events (id, scope, type, occurred_at, body)
        values (time_id_floor(clock_timestamp() - ${age}::interval), 'back-office', 'package.created', now(), '{}') returning id`.execute(
        db,
      )
      return rows[0]?.id ?? 0
    }
    const [old, recent] = [await lose('89 days'), await lose('2 days')]
    await lose('91 days')
    expect(await check()).toEqual([])
    const missing = { check: 'delivery_missing', repaired: 0 }
    const since = new Date(Date.now() - 3 * 86_400_000)
    expect(await checkAll(false, since)).toEqual([{ ...missing, found: 1, examples: [recent] }])
    expect(await checkAll(false)).toEqual([{ ...missing, found: 2, examples: [old, recent] }])
    expect(await checkAll(true)).toMatchObject([{ found: 2, repaired: 2 }])
    expect(await checkAll(false)).toEqual([])
    expect(await deliveriesOf(old)).toHaveLength(1)
  })

  test('is found although the clock was set back and passes the same time again', async () => {
    const subscription = await subscribe()
    await sql`update upkeep set position = to_jsonb(time_id_floor(clock_timestamp() + interval '1 day')),
      due_at = clock_timestamp() + interval '1 day', done_at = clock_timestamp() + interval '1 day'`.execute(db)
    expect(await check({ everyMs: 100 })).toEqual([])
    const [lost = 0] = await queue(subscription, 1)
    await loseDelivery(lost)
    await sleep(100)
    expect(await check({ everyMs: 100 })).toMatchObject([{ check: 'delivery_missing', found: 1 }])
  })
})
