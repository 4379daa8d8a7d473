import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { endOf, makeDeliveries, packageCreated } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { claim, leaseMs } from '../queue/claim.ts'
import { explainDelivery, explainEvent, findEventIds } from './explain.ts'
import { finish } from '../queue/finish.ts'

const { db } = await openTestDatabase()
// Close to the database's clock, which makes the ids.
const clock = makeFakeClock(new Date(Math.floor(Date.now() / 1_000) * 1_000 + 2_000))
const { outbox, subscriptions, subscribe, queue, raise, clear } = makeDeliveries({ db, clock })
beforeEach(clear)

const now = (): Date => clock.now()
const after = (seconds: number): Date => new Date(now().getTime() + seconds * 1_000)
const claimOf = (subscriptionId: number, limit = 1) =>
  claim(
    db,
    now(),
    ([0, 1] as const).map((lane) => ({ subscriptionId, lane, limit })),
  )
const change = (id: number, fields: object) =>
  db.updateTable('subscriptions').set(fields).where('id', '=', id).execute()
const newestEvent = async (): Promise<number> =>
  (await db.selectFrom('events').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()).id
const ofEvent = async (eventId: number, subscriptionId: number) => {
  const explained = await explainEvent(db, eventId, subscriptionId, now())
  return { ...explained, explanation: undefined, verdict: explained?.explanation.verdict }
}

describe('the life of a delivery', () => {
  test('is explained at every point of it', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    const explain = () => explainDelivery(db, id, now())
    expect(await explain()).toMatchObject({ verdict: 'due', next: { at: now(), waitsFor: 'turn' } })

    const [claimed] = await claimOf(subscription)
    expect(await explain()).toMatchObject({ verdict: 'in_flight', next: { at: after(30), waitsFor: 'answer' } })

    if (claimed === undefined) throw new Error('Nothing was due.')
    const failed = { status: 'pending', outcome: 'retry', reason: 'timeout', detail: 'no answer in 15 s' } as const
    await finish(db, [endOf(claimed, now(), { ...failed, responseStatus: null, nextAttemptAt: after(60) })])
    const retried = await explain()
    expect(retried).toMatchObject({ verdict: 'retry_scheduled', next: { at: after(60), waitsFor: 'retry_time' } })
    expect(retried?.summary).toContain(
      'attempt 1 failed, because the receiver did not answer in time. No answer in 15 s.',
    )

    clock.advance(60_000)
    const [again] = await claimOf(subscription)
    if (again === undefined) throw new Error('Nothing was due.')
    await finish(db, [endOf(again, now())])
    expect(await explain()).toMatchObject({ verdict: 'delivered', next: null })
  })

  test('with order is explained by the one that it waits for', async () => {
    const subscription = await subscribe({ order: 'object' })
    for (let event = 0; event < 3; event++) await raise(7)
    const [claimed] = await claimOf(subscription)
    if (claimed === undefined) throw new Error('Nothing was due.')
    const failed = { status: 'pending', outcome: 'retry', reason: 'timeout' } as const
    await finish(db, [endOf(claimed, now(), { ...failed, responseStatus: null, nextAttemptAt: after(60) })])
    const { id } = await db.selectFrom('deliveries').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
    const explained = await explainDelivery(db, id, now())
    expect(explained).toMatchObject({
      verdict: 'waiting_for_earlier',
      next: { at: after(60), waitsFor: 'earlier_delivery' },
    })
    expect(explained?.summary).toMatch(
      `Waits for delivery ${claimed.id} (package.created) about the same object, open since `,
    )
    expect(explained?.summary).toContain('attempt 1 failed, because the receiver did not answer in time.')
    expect(explained?.advice).toContain('drop it')
  })

  test('depends on its subscription as that is now', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    const verdict = async () => (await explainDelivery(db, id, now()))?.verdict
    await change(subscription, { pausedUntil: after(30), health: 'failing', failures: 5 })
    expect(await verdict()).toBe('paused')
    await change(subscription, { holdUntil: after(60) })
    expect(await verdict()).toBe('asked_for_quiet')
    await change(subscription, {
      holdUntil: null,
      pausedUntil: null,
      ratePerSecond: 1,
      rateBurst: 1,
      rateFullAt: after(9),
    })
    expect(await verdict()).toBe('rate_limited')
    await change(subscription, { isActive: false, disabledReason: 'failing' })
    expect(await verdict()).toBe('switched_off')
    await inTransaction(db, (tx) => subscriptions.remove(tx, subscription))
    expect(await verdict()).toBe('cancelled')
  })

  test('knows how many of its lane are due before it', async () => {
    const [subscription, other] = [await subscribe(), await subscribe()]
    const ids = await queue(subscription, 5)
    for (const [index, id] of ids.entries())
      await db
        .updateTable('deliveries')
        .set({ nextAttemptAt: after(index - 10) })
        .where('id', '=', id)
        .execute()
    const [, second = 0, , , last = 0] = ids
    expect((await explainDelivery(db, last, now()))?.summary).toContain(
      ' 4 others of its subscription are due before it.',
    )
    await db.updateTable('deliveries').set({ lane: 1 }).where('id', '=', second).execute()
    expect((await explainDelivery(db, last, now()))?.summary).toContain(
      ' 3 others of its subscription are due before it.',
    )
    const theirs = await db
      .selectFrom('deliveries')
      .select('id')
      .where('subscriptionId', '=', other)
      .executeTakeFirstOrThrow()
    expect((await explainDelivery(db, theirs.id, now()))?.summary).not.toContain('before it')
  })

  test('knows that those under way fill the window of its subscription', async () => {
    const subscription = await subscribe()
    await inTransaction(db, (tx) => outbox.append(tx, [1, 2, 3].map(packageCreated)))
    const claims = await claimOf(subscription, 2)
    const rows = await db.selectFrom('deliveries').select('id').execute()
    const last = rows.find(({ id }) => claims.every((claimed) => claimed.id !== id))
    const explain = async () => explainDelivery(db, last?.id ?? 0, now())
    expect(await explain()).toMatchObject({ verdict: 'due', next: { at: null, waitsFor: 'window' } })
    expect((await explain())?.summary).toMatch(/Due since [-0-9: ]+ UTC\. It waits for .*: 2 deliveries are under way,/)
    clock.advance(leaseMs)
    expect(await explain()).toMatchObject({ next: { waitsFor: 'turn' } })
  })

  test('counts no further than 10,000', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    await sql`
      insert into deliveries (event_id, subscription_id, next_attempt_at)
      select 1, ${subscription}, ${after(-60)}::timestamptz from generate_series(1, 10010)`.execute(db)
    expect((await explainDelivery(db, id, now()))?.summary).toContain(' More than 10000 others of its subscription')
  })

  test('ends where there is no such delivery', async () => {
    expect(await explainDelivery(db, 1, now())).toBeUndefined()
  })
})

describe('an event at a subscription', () => {
  test('that has a delivery is explained by it', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    const event = await newestEvent()
    expect(await ofEvent(event, subscription)).toMatchObject({
      eventId: event,
      eventType: 'package.created',
      occurredAt: now(),
      deliveryId: id,
      verdict: 'due',
    })
  })

  test.each<[string, object, string]>([
    ['has another scope', { scope: 'project:a' }, 'other_scope'],
    ['listens to something else', { eventTypes: ['shipment.created'] }, 'not_subscribed'],
    ['was switched off', { isActive: false }, 'switched_off_then'],
  ])('has no delivery when the subscription %s', async (_, fields, verdict) => {
    const subscription = await subscribe(fields)
    await raise()
    expect(await ofEvent(await newestEvent(), subscription)).toMatchObject({ deliveryId: null, verdict })
  })

  test('has no delivery when some conditions of the filter do not hold, which are named', async () => {
    const items = [{ sku: 'x', quantity: 2 }, { sku: 'y' }]
    const values = { status: 'packed', kind: 'a', tags: ['a', 'b'], weight: 7, total: '12.50', price: '12.50', items }
    const holding = {
      status: 'packed',
      tags: ['b', 'c'],
      total: { gte: 12, lt: 13 },
      'items.sku': 'y',
      note: { exists: false },
    }
    const unmet = {
      kind: 'b',
      weight: [1, '7'],
      price: { gte: 12, lt: 12.5 },
      'items.quantity': { gt: 2 },
      items: { exists: false },
      order_date: { lt: '2026' },
    }
    const [some, none, ...elsewhere] = [
      await subscribe({ filter: { ...holding, ...unmet } }),
      await subscribe({ filter: holding }),
      await subscribe({ filter: unmet, eventTypes: ['shipment.created'] }),
      await subscribe({ filter: unmet, scope: 'project:a' }),
    ]
    await inTransaction(db, (tx) => outbox.append(tx, [{ ...packageCreated(7), data: values } as never]))
    const explained = async (id: number) => (await explainEvent(db, await newestEvent(), id, now()))?.explanation
    expect(await explained(some)).toMatchObject({
      verdict: 'filtered_out',
      unmetConditions: Object.keys(unmet).toSorted(),
    })
    expect((await explained(some))?.summary).toContain('order_date')
    expect(await explained(none)).toMatchObject({ verdict: 'due' })
    // Conditions would tell what is in an event that the subscription cannot get.
    expect(await Promise.all(elsewhere.map(explained))).toMatchObject([
      { verdict: 'not_subscribed', unmetConditions: null },
      { verdict: 'other_scope', unmetConditions: null },
    ])
  })

  test('has no delivery when the subscription came, or was switched on, after it', async () => {
    await raise()
    const event = await newestEvent()
    const subscription = await subscribe()
    await change(subscription, { createdAt: after(1), listeningSince: after(1) })
    expect(await ofEvent(event, subscription)).toMatchObject({ verdict: 'subscribed_later' })
    await change(subscription, { createdAt: after(-100), listeningSince: after(50) })
    expect(await ofEvent(event, subscription)).toMatchObject({ verdict: 'not_listening_then' })
    await change(subscription, { listeningSince: after(-100) })
    expect(await ofEvent(event, subscription)).toMatchObject({ verdict: 'lost' })
    await inTransaction(db, (tx) => subscriptions.remove(tx, subscription))
    expect(await ofEvent(event, subscription)).toMatchObject({ verdict: 'subscription_removed' })
  })

  test('that cannot be found is too old, or never was', async () => {
    const subscription = await subscribe()
    await raise()
    const event = await newestEvent()
    expect(await ofEvent(event - 1, subscription)).toMatchObject({
      eventType: null,
      occurredAt: null,
      verdict: 'too_old',
    })
    expect(await ofEvent(event + 1, subscription)).toMatchObject({ verdict: 'no_such_event' })
    expect(await explainEvent(db, event, 999_999, now())).toBeUndefined()
  })

  test('is found by its object, the newest first', async () => {
    for (const id of [7, 8, 7, 7]) await raise(id)
    await inTransaction(db, (tx) =>
      outbox.append(tx, [{ ...packageCreated(7), type: 'package.status.packed' } as never]),
    )
    const all = await findEventIds(db, { objectType: 'package', objectId: '7' }, 20)
    expect(all).toHaveLength(4)
    expect(all).toEqual(all.toSorted((one, other) => other - one))
    expect(await findEventIds(db, { objectType: 'package', objectId: '7' }, 2)).toEqual(all.slice(0, 2))
    expect(await findEventIds(db, { objectType: 'package', objectId: '7', eventType: 'package.created' }, 20)).toEqual(
      all.slice(1),
    )
    expect(await findEventIds(db, { objectType: 'shipment', objectId: '7' }, 20)).toEqual([])
  })
})
