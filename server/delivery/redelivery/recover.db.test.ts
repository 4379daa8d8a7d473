import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { EventType } from '#events/catalogue.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { packageCreated } from '#testing/make-deliveries.ts'
import { longAgo, makeRedeliveriesWorld } from '#testing/data/make-redeliveries-world.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { attemptsOf } from '../log/delivery-log.ts'
import type { NewEvent } from '../outbox/outbox.ts'
import type { DeliveryStatus } from '../tables/tables.ts'

const { db } = await openTestDatabase()
const world = makeRedeliveriesWorld(db)
const {
  redeliveries,
  outbox,
  subscriptions,
  clock,
  now,
  process,
  job,
  woken,
  subscribe,
  queue,
  raise,
  find,
  recover,
  runToEnd,
  endAs,
  lease,
  switchOff,
  switchOn,
  stored,
  setAll,
} = world
beforeEach(world.clear)

describe('a delivery that is put back in the queue', () => {
  test('is due at once in the lane of retries, with a budget that starts again, and the same identity', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    await endAs(id, 'failed')
    const before = await find(id)
    clock.advance(60_000)
    await runToEnd(await recover(subscription))
    const after = await find(id)
    expect(after).toEqual({
      ...before,
      status: 'pending',
      lane: 1,
      attempts: 3,
      attemptsBefore: 3,
      finishedAt: null,
      nextAttemptAt: after.nextAttemptAt,
    })
    expect(after.nextAttemptAt <= now()).toBe(true)
    expect(after.nextAttemptAt > before.nextAttemptAt).toBe(true)
  })

  test('has the attempt of a process that died on record, and a late end of that one changes nothing', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    await endAs(id, 'failed')
    await lease(id, new Date(now().getTime() - 1))
    await runToEnd(await recover(subscription))
    expect(await find(id)).toMatchObject({ status: 'pending', leaseToken: null, leasedAt: null, leasedUntil: null })
    expect(await attemptsOf(db, id)).toMatchObject([{ number: 3, outcome: 'unknown', reason: 'process_lost' }])
  })

  test('goes out before those that were raised later', async () => {
    const subscription = await subscribe()
    const ids = await queue(subscription, 5)
    for (const id of ids) await endAs(id, 'failed')
    await runToEnd(await recover(subscription))
    const due = (await stored(subscription)).toSorted((a, b) => Number(a.nextAttemptAt) - Number(b.nextAttemptAt))
    const order = await sql<{ id: number }>`select id from deliveries order by next_attempt_at`.execute(db)
    expect(due).toHaveLength(5)
    expect(order.rows.map(({ id }) => id)).toEqual(ids)
  })
})

describe('a recovery', () => {
  test.each<DeliveryStatus>(['held', 'failed', 'cancelled'])('puts back a delivery that is %s', async (status) => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    await endAs(id, status)
    const started = await recover(subscription)
    await runToEnd(started)
    expect(await find(id)).toMatchObject({ status: 'pending', attemptsBefore: 3, lane: 1 })
    expect(await job(started)).toMatchObject({ status: 'done', total: 1, queued: 1 })
    expect(woken()).toEqual([[[subscription], 1]])
  })

  test.each<DeliveryStatus>(['delivered', 'pending'])('leaves alone a delivery that is %s', async (status) => {
    const subscription = await subscribe()
    const [id = 0, other = 0] = await queue(subscription, 2)
    await endAs(id, status)
    await endAs(other, 'failed')
    const before = await find(id)
    const started = await recover(subscription)
    await runToEnd(started)
    expect(await find(id)).toEqual(before)
    expect(await job(started)).toMatchObject({ status: 'done', total: 1, queued: 1 })
  })

  test('makes the deliveries of events that happened while the subscription was switched off', async () => {
    const subscription = await subscribe()
    const other = await subscribe()
    await switchOff(subscription, null)
    await raise()
    await raise()
    await switchOn(subscription)
    await raise()
    expect(await stored(subscription)).toHaveLength(1)
    const id = await recover(subscription)
    await runToEnd(id)
    expect(await job(id)).toMatchObject({
      kind: 'recover',
      total: 2,
      queued: 2,
      status: 'done',
      finishedAt: expect.any(Date),
    })
    const events = (await stored(subscription)).map(({ eventId }) => eventId)
    expect(new Set(events)).toEqual(new Set((await stored(other)).map(({ eventId }) => eventId)))
    expect(events).toHaveLength(3)
    expect((await stored(subscription)).slice(1)).toMatchObject([
      { status: 'pending', lane: 1, attempts: 0 },
      { status: 'pending', lane: 1, attempts: 0 },
    ])
    expect(await stored(other)).toHaveLength(3)
  })

  test('is limited to the events that the subscription listens to', async () => {
    const subscription = await subscribe({ scope: 'project:a', eventTypes: ['shipment.created'] })
    const event = (scope: string, type: EventType) => ({ ...packageCreated(1), scope, type }) as NewEvent
    await switchOff(subscription, null)
    await inTransaction(db, (tx) =>
      outbox.append(tx, [
        event('project:a', 'shipment.created'),
        event('project:b', 'shipment.created'),
        event('project:a', 'package.created'),
      ]),
    )
    await switchOn(subscription)
    const id = await recover(subscription)
    await runToEnd(id)
    expect(await job(id)).toMatchObject({ total: 1, queued: 1 })
    expect(await stored(subscription)).toHaveLength(1)
  })

  test('begins at its time, and never before there was the subscription', async () => {
    await raise()
    await sleep(5)
    const subscription = await subscribe()
    await sleep(5)
    const [early = 0] = await queue(subscription, 1)
    await endAs(early, 'failed')
    await sleep(5)
    const between = new Date()
    await sleep(5)
    const [late = 0] = await queue(subscription, 1)
    await endAs(late, 'failed')
    await runToEnd(await recover(subscription, { since: between }))
    expect(await find(early)).toMatchObject({ status: 'failed' })
    expect(await find(late)).toMatchObject({ status: 'pending' })
    await runToEnd(await recover(subscription))
    expect(await find(early)).toMatchObject({ status: 'pending' })
    expect(await stored(subscription)).toHaveLength(2)
  })

  test('takes no more in a second than it may, the oldest first, and says how far it is', async () => {
    const subscription = await subscribe()
    const ids = await queue(subscription, 7)
    for (const id of ids) await endAs(id, 'held')
    const id = await recover(subscription, { perSecond: 3 })
    const pending = async (): Promise<number[]> =>
      (await stored(subscription)).filter(({ status }) => status === 'pending').map((row) => row.id)
    await redeliveries.runDue()
    await redeliveries.runDue()
    expect(await pending()).toEqual(ids.slice(0, 3))
    expect(await job(id)).toMatchObject({ total: 7, queued: 3, status: 'running', finishedAt: null })
    clock.advance(999)
    await redeliveries.runDue()
    expect(await pending()).toHaveLength(3)
    clock.advance(1)
    await redeliveries.runDue()
    expect(await pending()).toEqual(ids.slice(0, 6))
    clock.advance(1_000)
    await redeliveries.runDue()
    expect(await pending()).toEqual(ids)
    expect(await job(id)).toMatchObject({ queued: 7, status: 'done', finishedAt: now() })
  })

  test('does not touch what is being attempted, and goes on behind it when that has ended', async () => {
    const subscription = await subscribe()
    const [first = 0, second = 0, third = 0] = await queue(subscription, 3)
    for (const id of [first, second, third]) await endAs(id, 'held')
    await lease(second, new Date(now().getTime() + 30_000))
    const id = await recover(subscription)
    await redeliveries.runDue()
    expect(await find(first)).toMatchObject({ status: 'pending' })
    expect(await find(second)).toMatchObject({ status: 'held', leaseToken: 7 })
    expect(await find(third)).toMatchObject({ status: 'held' })
    clock.advance(1_000)
    await redeliveries.runDue()
    expect(await job(id)).toMatchObject({ status: 'running', queued: 1 })
    // The attempt ends well.
    await db
      .updateTable('deliveries')
      .set({ status: 'delivered', leaseToken: null, leasedUntil: null })
      .where('id', '=', second)
      .execute()
    await runToEnd(id)
    expect(await find(second)).toMatchObject({ status: 'delivered' })
    expect(await find(third)).toMatchObject({ status: 'pending' })
    expect(await job(id)).toMatchObject({ status: 'done', queued: 2 })
  })

  test('waits while its subscription is switched off, and goes on where it was', async () => {
    const subscription = await subscribe()
    for (const id of await queue(subscription, 4)) await endAs(id, 'held')
    const id = await recover(subscription, { perSecond: 2 })
    await redeliveries.runDue()
    await switchOff(subscription)
    for (let second = 0; second < 20; second++) {
      clock.advance(1_000)
      await redeliveries.runDue()
    }
    expect(await job(id)).toMatchObject({ status: 'running', queued: 2 })
    await switchOn(subscription)
    clock.advance(5_000)
    await runToEnd(id)
    expect(await job(id)).toMatchObject({ status: 'done', queued: 4 })
  })

  test('ends with its subscription', async () => {
    const subscription = await subscribe()
    for (const id of await queue(subscription, 4)) await endAs(id, 'held')
    const id = await recover(subscription, { perSecond: 2 })
    await redeliveries.runDue()
    await inTransaction(db, (tx) => subscriptions.remove(tx, subscription))
    clock.advance(1_000)
    await redeliveries.runDue()
    expect(await job(id)).toMatchObject({ status: 'cancelled', queued: 2, finishedAt: now() })
    expect((await stored(subscription)).map(({ status }) => status)).toEqual(Array(4).fill('cancelled'))
  })

  test('can be cancelled, once', async () => {
    const subscription = await subscribe()
    for (const id of await queue(subscription, 4)) await endAs(id, 'held')
    const id = (await recover(subscription, { perSecond: 2 })) ?? 0
    await redeliveries.runDue()
    const cancel = () => inTransaction(db, (tx) => redeliveries.cancel(tx, id, now()))
    expect(await cancel()).toBe(true)
    expect(await cancel()).toBe(false)
    clock.advance(1_000)
    await redeliveries.runDue()
    expect(await job(id)).toMatchObject({
      status: 'cancelled',
      queued: 2,
      finishedAt: new Date(now().getTime() - 1_000),
    })
  })

  test('passes many events that are none of its own without waiting', async () => {
    const subscription = await subscribe()
    await switchOff(subscription, null)
    await raise()
    await sql`
      insert into events (scope, type, occurred_at, object_type, object_id, sequence, body)
      select 'elsewhere', 'package.created', now(), 'package', n::text, 1, '{}' from generate_series(1, 50000) as n`.execute(
      db,
    )
    await raise()
    await switchOn(subscription)
    const id = await recover(subscription)
    expect(await job(id)).toMatchObject({ total: 2 })
    await redeliveries.runDue()
    clock.advance(1_000)
    await redeliveries.runDue()
    expect(await job(id)).toMatchObject({ queued: 2, status: 'done' })
  })

  test('does not leave out an event whose id is older than that of another that committed before it', async () => {
    const patient = process(db, 400)
    const subscription = await subscribe()
    await switchOff(subscription, null)
    const taken = await sql<{ id: number }>`select next_time_id('event_ids') as id`.execute(db)
    await raise()
    await switchOn(subscription)
    const id = await inTransaction(db, (tx) =>
      patient.startRecovery(tx, { subscriptionId: subscription, since: longAgo, requestedBy: null }, now()),
    )
    await patient.runDue()
    expect(await stored(subscription)).toEqual([])
    await sql`
      insert into events (id, scope, type, occurred_at, object_type, object_id, sequence, body)
      values (${taken.rows[0]?.id}, 'back-office', 'package.created', now(), 'package', '99', 1, '{}')`.execute(db)
    await sleep(900)
    clock.advance(1_000)
    await runToEnd(id, patient)
    expect(await stored(subscription)).toHaveLength(2)
    expect(await job(id)).toMatchObject({ status: 'done', queued: 2, total: 1 })
  })

  test('is not started for nothing, nor for a subscription that is gone', async () => {
    const subscription = await subscribe()
    await queue(subscription, 2)
    expect(await recover(subscription)).toBeUndefined()
    await inTransaction(db, (tx) => subscriptions.remove(tx, subscription))
    expect(await recover(subscription)).toBeUndefined()
    expect(
      await inTransaction(db, (tx) =>
        redeliveries.previewRecovery(tx, { subscriptionId: subscription, since: longAgo }),
      ),
    ).toEqual({ count: 0, isExact: true, sample: [] })
    expect(await db.selectFrom('redeliveries').selectAll().execute()).toEqual([])
  })
})

describe('a recovery that somebody asks for', () => {
  const ask = (subscriptionId: number) =>
    inTransaction(db, (tx) =>
      redeliveries.requestRecovery(tx, { subscriptionId, since: longAgo, requestedBy: 1 }, now()),
    )

  test('is refused while the subscription is switched off', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    await endAs(id, 'held')
    await switchOff(subscription)
    expect(await ask(subscription)).toEqual({ ok: false, reason: 'inactive' })
    // The engine itself starts one in the transaction that switches it on.
    expect(await recover(subscription)).toEqual(expect.any(Number))
  })

  test('does not send what was raised after its start, and failed', async () => {
    const patient = process(db, 100)
    const subscription = await subscribe()
    const [early = 0] = await queue(subscription, 1)
    await endAs(early, 'failed')
    const request = { subscriptionId: subscription, since: longAgo, requestedBy: 1 }
    const started = await inTransaction(db, (tx) => patient.requestRecovery(tx, request, now()))
    const id = started.ok ? started.id : undefined
    await sleep(5)
    const [late = 0] = await queue(subscription, 1)
    await endAs(late, 'failed')
    await sleep(300)
    await runToEnd(id, patient)
    expect(await find(late)).toMatchObject({ status: 'failed' })
    expect(await find(early)).toMatchObject({ status: 'pending' })
    expect(await job(id)).toMatchObject({ status: 'done', total: 1, queued: 1 })
  })

  test('is refused while another one runs, also when both come at once', async () => {
    const subscription = await subscribe()
    const other = await subscribe()
    for (const id of await queue(subscription, 2)) await endAs(id, 'held')
    await setAll(other, 'held')
    const answers = await Promise.all([ask(subscription), ask(subscription), ask(subscription), ask(other)])
    const started = answers.slice(0, 3).filter(({ ok }) => ok)
    expect(started).toHaveLength(1)
    const [first] = started
    const refused = answers.slice(0, 3).filter(({ ok }) => !ok)
    expect(refused).toEqual(
      Array.from({ length: 2 }, () => ({ ok: false, reason: 'running', id: first?.ok === true ? first.id : 0 })),
    )
    expect(answers[3]).toMatchObject({ ok: true })
  })
})
