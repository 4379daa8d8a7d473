import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { catalogue } from '#events/catalogue.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeHooksApp } from '#testing/make-hooks-app.ts'

const { call, raise, database, clear, clock, outbox } = await makeHooksApp()
const { db } = database
// Ahead of the clock that hooks are made by, so that these are always made before their events.
clock.advance(Date.now() + 600_000 - clock.now().getTime())
beforeEach(clear)

const subscribe = async (as: string, eventType = 'package.created'): Promise<number> =>
  (await call(as, 'POST /hooks/', { event_type: eventType, target_url: 'https://example.com/' })).json().id
const newestDelivery = async (): Promise<number> =>
  (await db.selectFrom('deliveries').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()).id
const newestEvent = async (): Promise<number> =>
  (await db.selectFrom('events').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()).id
const nowText = (): string => clock.now().toISOString()

describe('why a delivery did or did not arrive', () => {
  test('is said in words and as data', async () => {
    const hook = await subscribe('ayse')
    await raise(7)
    const [event, delivery] = [await newestEvent(), await newestDelivery()]
    const answer = await call('ayse', `GET /hook_events/${delivery}/explain/`)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      event,
      event_type: 'package.created',
      occurred_at: nowText(),
      hook,
      hook_event: delivery,
      verdict: 'due',
      summary: expect.stringMatching(/^Due since /),
      next: { at: nowText(), waits_for: 'turn' },
      advice: null,
      matched_by: 'package.created',
      unmet_conditions: null,
    })
  })

  test('can be asked of a removed hook', async () => {
    const hook = await subscribe('ayse')
    await raise(7)
    await call('ayse', `DELETE /hooks/${hook}/`)
    const answer = await call('ayse', `GET /hook_events/${await newestDelivery()}/explain/`)
    expect(answer.json()).toMatchObject({ verdict: 'cancelled', next: null })
    const [explained] = (await call('ayse', `GET /hooks/${hook}/explain/?event=${await newestEvent()}`)).json()
    expect(explained).toMatchObject({ verdict: 'cancelled' })
  })

  test('is nobody else’s business', async () => {
    const hook = await subscribe('ayse')
    await raise(7)
    const paths = [
      `/hook_events/${await newestDelivery()}/explain/`,
      `/hooks/${hook}/explain/?event=${await newestEvent()}`,
      `/hooks/${hook}/health/`,
    ]
    for (const path of paths) {
      const statuses = []
      for (const who of ['nobody', 'buyer', 'ayse, elsewhere', 'bora', 'ayse, reading', 'root'])
        statuses.push((await call(who, `GET ${path}`)).statusCode)
      expect([path, statuses]).toEqual([path, [401, 403, 403, 404, 200, 200]])
    }
    expect((await call('ayse', 'GET /hook_events/999999/explain/')).statusCode).toBe(404)
    expect((await call('ayse', 'GET /hooks/999999/explain/?event=1')).statusCode).toBe(404)
    expect((await call('ayse', 'GET /hooks/999999/health/')).statusCode).toBe(404)
  })
})

describe('why a hook did or did not get an event', () => {
  test('is said of one event, also where there is no delivery', async () => {
    const hook = await subscribe('ayse', 'shipment.created')
    await raise(7)
    const event = await newestEvent()
    const answer = await call('ayse', `GET /hooks/${hook}/explain/?event=${event}`)
    expect(answer.json()).toMatchObject([
      { event, hook, hook_event: null, verdict: 'not_subscribed', next: null, advice: expect.any(String) },
    ])
    expect((await call('ayse', `GET /hooks/${hook}/explain?event=${event + 1}`)).json()).toMatchObject([
      { event: event + 1, event_type: null, occurred_at: null, verdict: 'no_such_event' },
    ])
  })

  test('names the pattern that matches, and the conditions of the filter that leave the event out', async () => {
    const filter = { status: 'shipped', 'items.sku': ['a', 'b'] }
    const fields = { event_type: ['shipment.*', 'package.*'], target_url: 'https://example.com/filtered' }
    const answer = await call('ayse', 'POST /hooks/', { ...fields, config: { filter } })
    await raise(8)
    const [explained] = (
      await call('ayse', `GET /hooks/${answer.json().id}/explain/?event=${await newestEvent()}`)
    ).json()
    expect(explained).toMatchObject({
      hook_event: null,
      verdict: 'filtered_out',
      matched_by: 'package.*',
      unmet_conditions: ['items.sku', 'status'],
    })
  })

  test('is not said of how the webhook of somebody else is doing, except to who has subscribed to that', async () => {
    const outsider = await subscribe('ayse')
    const listener = await subscribe('bora', 'webhook.failing')
    const type = 'webhook.failing'
    const data = { ...catalogue[type].example, id: 990 }
    await inTransaction(database.db, (tx) =>
      outbox.append(tx, [{ type, scope: 'back-office', object: { type: 'webhook', id: 990 }, data }]),
    )
    const event = await newestEvent()
    for (const query of [`event=${event}`, 'content_type=5&object_id=990'])
      expect((await call('ayse', `GET /hooks/${outsider}/explain/?${query}`)).json()).toEqual([])
    const heard = (await call('bora', `GET /hooks/${listener}/explain/?event=${event}`)).json()
    expect(heard).toMatchObject([{ event, event_type: expect.any(String), verdict: 'due' }])
  })

  test('is said of the 20 newest events of an object', async () => {
    const hook = await subscribe('ayse')
    for (let event = 0; event < 22; event++) await raise(7)
    await raise(8)
    const answer = await call('ayse', `GET /hooks/${hook}/explain/?content_type=1&object_id=7`)
    const records = answer.json<{ event: number; verdict: string }[]>()
    expect(records).toHaveLength(20)
    expect(records.every(({ verdict }) => verdict === 'due')).toBe(true)
    expect(records.map(({ event }) => event)).toEqual(records.map(({ event }) => event).toSorted((a, b) => b - a))
    const typed = (type: string) =>
      call('ayse', `GET /hooks/${hook}/explain/?content_type=1&object_id=8&event_type=${type}`)
    expect((await typed('Package-Created')).json()).toHaveLength(1)
    expect((await typed('package.status.packed')).json()).toEqual([])
    expect((await call('ayse', `GET /hooks/${hook}/explain/?content_type=999&object_id=8`)).json()).toEqual([])
  })

  test('is said of an object of a kind without a content type, by the name of the kind', async () => {
    const hook = await subscribe('ayse', '*')
    const type = 'package.created'
    const object = { type: 'rat.x' as 'package', id: 7 }
    const data = catalogue[type].example
    await inTransaction(db, (tx) => outbox.append(tx, [{ type, scope: 'back-office', object, data }]))
    const about = async (query: string): Promise<unknown> =>
      (await call('ayse', `GET /hooks/${hook}/explain/?object_id=7&${query}`)).json()
    const explained = [{ event: await newestEvent(), hook_event: await newestDelivery(), verdict: 'due' }]
    expect(await about('object_type=rat.x')).toMatchObject(explained)
    expect((await call('ayse', 'GET /hook_events/?object_type=rat.x&object_id=7')).json()).toHaveLength(1)
    expect(await about('object_type=package')).toEqual([])
    expect(await about('object_type=rat.x&content_type=1')).toEqual([])
  })

  test.each([
    ['', ['content_type', 'object_id']],
    ['content_type=1', ['object_id']],
    ['object_type=rat.x', ['object_id']],
    ['object_id=1', ['content_type']],
    ['event_type=package.created', ['content_type', 'object_id']],
    ['event=1&object_id=1&content_type=1', ['event']],
    ['event=1&object_type=rat.x', ['event']],
    ['event=0', ['event']],
    ['event=x', ['event']],
    ['content_type=package&object_id=1', ['content_type']],
  ])('is refused for %s', async (query, fields) => {
    const hook = await subscribe('ayse')
    const answer = await call('ayse', `GET /hooks/${hook}/explain/?${query}`)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json())).toEqual(fields)
  })
})

describe('the health of a hook', () => {
  test('has what the engine knows of it, and how much waits', async () => {
    const hook = await subscribe('ayse')
    const other = await subscribe('bora')
    for (let event = 0; event < 6; event++) await raise(event + 1)
    const rows = await db
      .selectFrom('deliveries')
      .select('id')
      .where('subscriptionId', '=', hook)
      .orderBy('id')
      .execute()
    const set = (index: number, status: 'held' | 'failed' | 'delivered', finishedAt: Date | null = null) =>
      db
        .updateTable('deliveries')
        .set({ status, finishedAt })
        .where('id', '=', rows[index]?.id ?? 0)
        .execute()
    const hoursAgo = (hours: number): Date => new Date(clock.now().getTime() - hours * 3_600_000)
    await set(0, 'held')
    await set(1, 'failed', hoursAgo(23))
    await set(2, 'failed', hoursAgo(25))
    await set(3, 'delivered', hoursAgo(1))
    const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 20, hour))
    await db
      .updateTable('subscriptions')
      .set({
        health: 'disabled',
        isActive: false,
        disabledReason: 'failing',
        failures: 12,
        failingSince: at(1),
        lastSuccessAt: at(0),
        lastFailureAt: at(2),
        disabledAt: at(3),
        probeAt: at(4),
        pausedUntil: at(5),
        holdUntil: at(6),
        orderingSince: at(7),
      })
      .where('id', '=', hook)
      .execute()
    expect((await call('ayse', `GET /hooks/${hook}/health/`)).json()).toEqual({
      health: 'disabled',
      is_active: false,
      disabled_reason: 'failing',
      failures: 12,
      failing_since: '2026-11-20T01:00:00.000Z',
      // The delivery of an hour ago: successes are not all written into the subscription.
      last_success_at: hoursAgo(1).toISOString(),
      last_failure_at: '2026-11-20T02:00:00.000Z',
      disabled_at: '2026-11-20T03:00:00.000Z',
      next_probe_at: '2026-11-20T04:00:00.000Z',
      paused_until: '2026-11-20T05:00:00.000Z',
      hold_until: '2026-11-20T06:00:00.000Z',
      ordering_since: '2026-11-20T07:00:00.000Z',
      pending: 2,
      held: 1,
      waiting: 0,
      failed_24h: 1,
      capped: [],
    })
    expect((await call('root', `GET /hooks/${other}/health/`)).json()).toMatchObject({ pending: 6, held: 0 })
  })

  test('counts no further than 10,000, and says so', async () => {
    const hook = await subscribe('ayse')
    await sql`
      insert into deliveries (event_id, subscription_id, next_attempt_at, status)
      select 1, ${hook}, now(), case when n <= 10001 then 'held' else 'pending' end from generate_series(1, 10004) n`.execute(
      db,
    )
    expect((await call('ayse', `GET /hooks/${hook}/health/`)).json()).toMatchObject({
      pending: 3,
      held: 10_000,
      capped: ['held'],
    })
  })
})
