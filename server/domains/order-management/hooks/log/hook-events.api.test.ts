import { beforeEach, describe, expect, test } from 'vitest'
import type { AttemptReport } from '#delivery/worker/attempt-now.ts'
import { standardBody } from '#delivery/tables/envelope.ts'
import { webhookIdOf } from '#delivery/tables/webhook-id.ts'
import { makeHooksApp } from '#testing/make-hooks-app.ts'

/** What the next attempt made at once reports; and which deliveries were attempted. */
let report: AttemptReport = { ok: false, reason: 'gone' }
let attempted: number[] = []
let beforeReport: () => Promise<void> = async () => undefined

const { call, raise, database, installationId, clear } = await makeHooksApp({
  attemptNow: async (deliveryId) => {
    attempted.push(deliveryId)
    await beforeReport()
    return report
  },
})
const { db } = database
const delivered: AttemptReport = {
  ok: true,
  delivered: true,
  responseStatus: 200,
  responseBody: 'Foo',
  durationMs: 187,
  reason: 'delivered',
}

beforeEach(async () => {
  await clear()
  report = delivered
  attempted = []
  beforeReport = async () => undefined
})

const subscribe = async (as: string, eventType = 'package.created'): Promise<number> =>
  (
    await call(as, 'POST /hooks/', { event_type: eventType, target_url: 'https://example.com/', secret_key: 's' })
  ).json().id

/** The newest delivery. */
const newest = async (): Promise<number> =>
  (await db.selectFrom('deliveries').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()).id

const settle = (
  id: number,
  status: 'pending' | 'delivered' | 'failed' | 'cancelled',
  lastStatus: number | null = null,
) =>
  db
    .updateTable('deliveries')
    .set({ status, lastStatus, attempts: 1, lastReason: 'why', finishedAt: status === 'pending' ? null : new Date() })
    .where('id', '=', id)
    .execute()

const logAttempt = (
  deliveryId: number,
  number: number,
  responseBody: string | null,
  durationMs: number | null = 1_234,
) =>
  db
    .insertInto('attempts')
    .values({
      deliveryId,
      number,
      startedAt: new Date(Date.UTC(2026, 10, 21, 10, number)),
      durationMs,
      outcome: durationMs === null ? 'unknown' : 'retry',
      reason: 'http_500',
      responseStatus: 500,
      requestHeaders: 'webhook-id: x\nx-shop: a: b',
      detail: 'more of it',
      address: '203.0.113.7',
      dnsMs: 3,
      connectMs: 4,
      tlsMs: null,
      firstByteMs: 5,
      nextAttemptAt: new Date(Date.UTC(2026, 10, 21, 11, number)),
      responseHeaders: null,
      responseBody,
    })
    .execute()

const idsOf = async (as: string, query = ''): Promise<number[]> => {
  const answer = await call(as, `GET /hook_events/?${query}`)
  expect(answer.statusCode).toBe(200)
  return answer.json<{ id: number }[]>().map(({ id }) => id)
}

describe('a hook event', () => {
  test('before its first attempt says what will be sent, and that it is due', async () => {
    const hook = await subscribe('ayse')
    await raise(7)
    const id = await newest()
    const answer = await call('ayse', `GET /hook_events/${id}/`)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      id,
      uuid: webhookIdOf(id, installationId),
      webhook: (await call('ayse', `GET /hooks/${hook}/`)).json(),
      event: (await db.selectFrom('events').select('id').executeTakeFirstOrThrow()).id,
      event_type: 'package.created',
      content_type: 1,
      object_type: 'package',
      object_id: '7',
      request_payload: {
        event: { type: 'package.created', uuid: webhookIdOf(id, installationId).replaceAll('-', '') },
        payload: expect.objectContaining({ id: 7 }),
      },
      request_datetimes: [],
      response_http_status: null,
      response_content: null,
      response_time: null,
      delivered: false,
      status: 'pending',
      reason: null,
      retry_count: 0,
      attempt_count: 0,
      next_attempt_at: '2026-11-21T09:30:00.000Z',
      created_date: expect.any(String),
      modified_date: answer.json().created_date,
      attempts: [],
    })
    expect(Math.abs(Date.parse(answer.json().created_date) - Date.now())).toBeLessThan(60_000)
  })

  test('has every attempt, and the answer to the last one that ended', async () => {
    await subscribe('ayse')
    await raise(7)
    const id = await newest()
    await settle(id, 'pending', 500)
    await db.updateTable('deliveries').set({ attempts: 3 }).where('id', '=', id).execute()
    await logAttempt(id, 1, 'first')
    await logAttempt(id, 2, 'second')
    await logAttempt(id, 3, null, null)
    const record = (await call('ayse', `GET /hook_events/${id}/`)).json()
    expect(record).toMatchObject({
      retry_count: 3,
      attempt_count: 3,
      response_http_status: 500,
      response_content: 'second',
      response_time: '00:00:01.234000',
      reason: 'why',
    })
    expect(record.request_datetimes).toEqual([
      '2026-11-21T10:03:00.000Z',
      '2026-11-21T10:02:00.000Z',
      '2026-11-21T10:01:00.000Z',
    ])
    expect(record.attempts).toHaveLength(3)
    expect(record.attempts[0]).toEqual({
      number: 1,
      started_at: '2026-11-21T10:01:00.000Z',
      duration_ms: 1_234,
      outcome: 'retry',
      reason: 'http_500',
      detail: 'more of it',
      response_http_status: 500,
      request_headers: { 'webhook-id': 'x', 'x-shop': 'a: b' },
      response_headers: null,
      response_content: 'first',
      address: '203.0.113.7',
      timing: { dns: 3, connect: 4, tls: null, first_byte: 5, total: 1_234 },
      next_due: '2026-11-21T11:01:00.000Z',
    })
    expect(record.attempts[2]).toMatchObject({ number: 3, outcome: 'unknown', duration_ms: null })
  })

  test('shows long bodies and answers whole alone, and shortened in a list', async () => {
    await subscribe('ayse')
    await raise(7)
    const id = await newest()
    await db
      .updateTable('events')
      .set({ body: standardBody('package.created', new Date(), 'x'.repeat(20_000)) })
      .execute()
    await logAttempt(id, 1, 'y'.repeat(2_000))
    const [listed] = (await call('ayse', 'GET /hook_events/')).json()
    expect(listed.request_payload).toBeNull()
    expect(listed.response_content).toHaveLength(1_024)
    const record = (await call('ayse', `GET /hook_events/${id}/`)).json()
    expect(record.request_payload.payload).toHaveLength(20_000)
    expect(record.response_content).toHaveLength(2_000)
  })
})

describe('who may see a hook event', () => {
  test('the owner of its hook, also after it was removed, and superusers', async () => {
    const hook = await subscribe('ayse')
    await subscribe('bora')
    await raise(1)
    await call('ayse', `DELETE /hooks/${hook}/`)
    const all = await idsOf('root')
    expect(all).toHaveLength(2)
    const [ayses] = await idsOf('ayse')
    const [boras] = await idsOf('bora')
    expect(new Set([ayses, boras])).toEqual(new Set(all))
    expect((await call('ayse', `GET /hook_events/${ayses}/`)).json()).toMatchObject({
      status: 'cancelled',
      next_attempt_at: null,
    })
    expect((await call('ayse', `GET /hook_events/${boras}/`)).statusCode).toBe(404)
    expect((await call('ayse', `POST /hook_events/${boras}/retry/`, { force: true })).statusCode).toBe(404)
    expect((await call('root', `GET /hook_events/${boras}/`)).statusCode).toBe(200)
    expect(attempted).toEqual([])
  })

  test('nobody, when the subscription is not a hook', async () => {
    await subscribe('ayse')
    await raise(1)
    await db.deleteFrom('hooks').execute()
    expect(await idsOf('root')).toEqual([])
    expect((await call('root', `GET /hook_events/${await newest()}/`)).statusCode).toBe(404)
  })

  test.each([
    ['nobody', 401],
    ['buyer', 403],
    ['ayse, elsewhere', 403],
    ['ayse, reading', 200],
  ] as const)('%s gets %i', async (who, status) => {
    expect((await call(who, 'GET /hook_events/')).statusCode).toBe(status)
  })

  test('may retry only with the right to write', async () => {
    expect((await call('ayse, reading', 'POST /hook_events/1/retry/')).statusCode).toBe(403)
    expect((await call('ayse, writing', 'POST /hook_events/1/retry/')).statusCode).toBe(404)
  })
})

describe('the list of hook events', () => {
  test('is filtered by everything the original filters by', async () => {
    const hook = await subscribe('ayse')
    await raise(1)
    const one = await newest()
    await raise(2)
    const two = await newest()
    await settle(two, 'delivered', 204)
    const uuid = webhookIdOf(two, installationId)
    const cases: readonly [string, number[]][] = [
      ['', [two, one]],
      ['ordering=created_date', [one, two]],
      ['event_type=package-created', [two, one]],
      ['event_type=Package.Created', [two, one]],
      ['event_type=package.status.packed', []],
      ['delivered=True', [two]],
      ['delivered=false', [one]],
      ['status=pending', [one]],
      ['status=held', []],
      [`uuid=${uuid}`, [two]],
      [`uuid=${uuid.toUpperCase()}`, [two]],
      ['uuid=d960acbe-4193-44b8-b254-df115cf6d2e7', []],
      ['response_http_status=204', [two]],
      ['response_http_status=500', []],
      [`webhook=${hook}`, [two, one]],
      [`webhook=${hook + 1}`, []],
      ['content_type=1', [two, one]],
      ['content_type=2', []],
      ['content_type=999', []],
      ['object_type=package', [two, one]],
      ['object_type=rat.x', []],
      ['object_type=package&content_type=1&object_id=2', [two]],
      ['object_type=package&content_type=2', []],
      ['object_id=1', [one]],
      ['content_type=1&object_id=2&delivered=true', [two]],
      ['object_id=3', []],
      ['format=json&_=17', [two, one]],
    ]
    for (const [query, ids] of cases) expect([query, await idsOf('ayse', query)]).toEqual([query, ids])
  })

  test('is filtered by why the last attempt ended as it did', async () => {
    await subscribe('ayse')
    await raise(1)
    const one = await newest()
    await raise(2)
    await db.updateTable('deliveries').set({ lastReason: 'timeout' }).where('id', '=', one).execute()
    expect(await idsOf('ayse', 'reason=timeout')).toEqual([one])
    expect(await idsOf('ayse', 'reason=http_500')).toEqual([])
  })

  test('is filtered by when an event was created', async () => {
    await subscribe('ayse')
    await raise(1)
    const { id, created_date: created } = (await call('ayse', 'GET /hook_events/')).json()[0]
    const day = created.slice(0, 10)
    const later = new Date(Date.parse(created) + 1).toISOString()
    const cases: readonly [string, number[]][] = [
      [`created_date=${created}`, [id]],
      [`created_date=${later}`, []],
      [`created_date=${day}`, [id]],
      [`created_date__gt=${created}`, []],
      [`created_date__gte=${created}`, [id]],
      [`created_date__lt=${created}`, []],
      [`created_date__lt=${later}`, [id]],
      [`created_date__lte=${created}`, [id]],
      [`created_date__gt=${day}`, [id]],
      [`created_date__lt=${day}`, []],
      ['created_date__gte=0001-01-01&created_date__lte=9999-12-31', [id]],
    ]
    for (const [query, ids] of cases) expect([query, await idsOf('ayse', query)]).toEqual([query, ids])
  })

  test('counts every page exactly', async () => {
    await subscribe('ayse')
    for (const number of [1, 2, 3, 4, 5]) await raise(number)
    const answer = await call('ayse', 'GET /hook_events/?limit=2&page=3&delivered=false')
    expect(answer.json()).toHaveLength(1)
    expect(answer.headers['x-total-count']).toBe('5')
    expect(answer.headers.link).toContain('hook_events/?limit=2&page=2&delivered=false>; rel="prev"')
  })

  test.each([
    'delivered=perhaps',
    'status=lost',
    'uuid=123',
    'response_http_status=ok',
    'webhook=0',
    'content_type=package',
    'created_date__gte=soon',
    'page=0',
    'ordering=uuid',
  ])('refuses %s, naming it', async (query) => {
    const answer = await call('ayse', `GET /hook_events/?${query}`)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json())).toEqual([query.split('=')[0]])
  })
})

describe('a retry by hand', () => {
  const failed = async (): Promise<number> => {
    await subscribe('ayse')
    await raise(7)
    const id = await newest()
    await settle(id, 'failed', 500)
    return id
  }
  const retry = (id: number, body?: object, key?: string) =>
    call('ayse', `POST /hook_events/${id}/retry/`, body, key === undefined ? {} : { 'idempotency-key': key })

  test('is made at once, and is 200 when the event arrives', async () => {
    const id = await failed()
    const answer = await retry(id)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      detail: 'Webhook event delivered successfully',
      response_status: 200,
      response_content: 'Foo',
      response_time: '0.187',
      delivered: true,
    })
    expect(attempted).toEqual([id])
  })

  test('is 406 with the answer of the receiver when it does not arrive', async () => {
    const id = await failed()
    report = { ok: true, delivered: false, responseStatus: 400, responseBody: 'no', durationMs: 5, reason: 'http_400' }
    const answer = await retry(id, {})
    expect(answer.statusCode).toBe(406)
    expect(answer.json()).toEqual({
      detail: expect.stringMatching(/^Webhook event delivery failed: ./),
      response_status: 400,
      response_content: 'no',
      response_time: '0.005',
      delivered: false,
    })
  })

  test.each([
    ['pending', 'Event is still in retry process', 'event_100_6', false],
    ['delivered', 'Event already delivered', 'event_100_3', true],
  ] as const)('of a %s event is 406 and not made, unless forced', async (status, detail, code, isDelivered) => {
    const id = await failed()
    await settle(id, status)
    const answer = await retry(id, { force: false })
    expect(answer.statusCode).toBe(406)
    expect(answer.json()).toEqual({
      detail,
      response_status: null,
      response_content: null,
      response_time: null,
      delivered: isDelivered,
      code,
      en: detail,
    })
    expect(attempted).toEqual([])
    expect((await retry(id, { force: true })).statusCode).toBe(200)
    expect(attempted).toEqual([id])
  })

  test.each([
    ['busy', /under way/],
    ['gone', /removed/],
  ] as const)('that the engine calls %s is 406 and says so', async (reason, detail) => {
    const id = await failed()
    await settle(id, 'delivered')
    report = { ok: false, reason }
    const answer = await retry(id, { force: true })
    expect(answer.statusCode).toBe(406)
    expect(answer.json()).toMatchObject({ detail: expect.stringMatching(detail), delivered: false })
  })

  test('refuses a force that is not true or false, and what it does not know', async () => {
    const id = await failed()
    expect((await retry(id, { force: 'perhaps' })).json()).toHaveProperty('force')
    expect((await retry(id, { now: true })).json()).toHaveProperty('now')
    expect(attempted).toEqual([])
  })

  test('with one Idempotency-Key is made once', async () => {
    const id = await failed()
    const first = await retry(id, {}, 'once')
    const second = await retry(id, {}, 'once')
    expect(second.statusCode).toBe(200)
    expect(second.json()).toEqual(first.json())
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect((await retry(id, { force: true }, 'once')).statusCode).toBe(409)
    expect(attempted).toEqual([id])
  })

  test('holds no transaction open while it waits for the receiver', async () => {
    const id = await failed()
    // On the embedded database a second transaction would wait for ever.
    beforeReport = async () => {
      await db.transaction().execute((tx) => tx.selectFrom('hooks').select('subscriptionId').execute())
    }
    expect((await retry(id, {}, 'open')).statusCode).toBe(200)
  })
})
