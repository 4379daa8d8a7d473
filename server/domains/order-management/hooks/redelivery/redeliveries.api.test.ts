import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryStatus } from '#delivery/tables/tables.ts'
import { webhookIdOf } from '#delivery/tables/webhook-id.ts'
import { makeHooksApp } from '#testing/make-hooks-app.ts'

const { call, raise, database, clear, clock, redeliveries, installationId } = await makeHooksApp()
const { db } = database
// The ids of deliveries are made by the database's clock.
clock.advance(Date.now() - clock.now().getTime())
beforeEach(clear)

const longAgo = '2026-01-02'
let urls = 0
const subscribe = async (as: string, eventType = 'package.created'): Promise<number> => {
  urls += 1
  const body = { event_type: eventType, target_url: `https://example.com/${urls}` }
  return (await call(as, 'POST /hooks/', body)).json().id
}
const deliveriesOf = (hook: number) =>
  db.selectFrom('deliveries').selectAll().where('subscriptionId', '=', hook).orderBy('id').execute()
const setAll = (hook: number, status: DeliveryStatus) =>
  db
    .updateTable('deliveries')
    .set({ status, attempts: 1, lastStatus: 500, lastReason: 'http_500', finishedAt: new Date() })
    .where('subscriptionId', '=', hook)
    .execute()
const statusesOf = async (hook: number) => (await deliveriesOf(hook)).map(({ status }) => status)
/** A hook with so many deliveries that failed. */
const failed = async (as: string, count: number): Promise<number> => {
  const hook = await subscribe(as)
  for (let id = 1; id <= count; id++) await raise(id)
  await setAll(hook, 'failed')
  return hook
}
const allJobs = () => db.selectFrom('redeliveries').selectAll().orderBy('id').execute()

describe('a recovery', () => {
  test('is counted first, and nothing is started by that', async () => {
    const hook = await failed('ayse', 3)
    const answer = await call('ayse', `POST /hooks/${hook}/recover/`, { since: longAgo })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ count: 3, is_exact: true })
    const ids = await db.selectFrom('deliveries').select(['id', 'eventId']).orderBy('id').execute()
    expect(answer.json<{ sample: object[] }>().sample).toEqual(
      ids.map(({ id, eventId }, index) => ({
        event: eventId,
        event_type: 'package.created',
        object_type: 'package',
        object_id: String(index + 1),
        occurred_at: clock.now().toISOString(),
        hook,
        hook_event: id,
      })),
    )
    expect(await allJobs()).toEqual([])
  })

  test('is started when that is asked for, does it, and can be looked at', async () => {
    const hook = await failed('ayse', 3)
    const body = { since: '2026-01-02T03:04:05Z', start: true, per_second: 2 }
    const answer = await call('ayse', `POST /hooks/${hook}/recover/`, body)
    expect(answer.statusCode).toBe(202)
    const record = answer.json()
    expect(record).toEqual({
      id: expect.any(Number),
      kind: 'recover',
      status: 'running',
      hook,
      asked: { since: '2026-01-02T03:04:05.000Z' },
      total: 3,
      total_is_exact: true,
      queued: 0,
      per_second: 2,
      requested_by: 2,
      created_date: clock.now().toISOString(),
      finished_date: null,
    })
    expect(answer.headers.location).toBe(`http://waybill.test/whisperer/redeliveries/${record.id}/`)
    await redeliveries.runDue()
    expect((await call('ayse', `GET /redeliveries/${record.id}/`)).json()).toMatchObject({
      queued: 2,
      status: 'running',
    })
    clock.advance(1_000)
    await redeliveries.runDue()
    expect((await call('ayse', `GET /redeliveries/${record.id}/`)).json()).toEqual({
      ...record,
      queued: 3,
      status: 'done',
      finished_date: clock.now().toISOString(),
    })
    expect(await statusesOf(hook)).toEqual(['pending', 'pending', 'pending'])
  })

  test('with nothing to do is not started', async () => {
    const hook = await subscribe('ayse')
    const answer = await call('ayse', `POST /hooks/${hook}/recover/`, { since: longAgo, start: true })
    expect([answer.statusCode, answer.json()]).toEqual([200, { count: 0, is_exact: true, sample: [] }])
    expect(await allJobs()).toEqual([])
  })

  test('is counted, but not started, while the hook is switched off', async () => {
    const hook = await failed('ayse', 1)
    await call('ayse', `PATCH /hooks/${hook}/`, { is_active: false })
    const counted = await call('ayse', `POST /hooks/${hook}/recover/`, { since: longAgo })
    expect(counted.statusCode).toBe(200)
    expect(counted.json()).toMatchObject({ count: 1 })
    const answer = await call('ayse', `POST /hooks/${hook}/recover/`, { since: longAgo, start: true })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'hook_inactive'])
    expect(await allJobs()).toEqual([])
  })

  test('is refused while another one of the hook runs, and then no more', async () => {
    const hook = await failed('ayse', 2)
    const body = { since: longAgo, start: true, per_second: 1 }
    const first = (await call('ayse', `POST /hooks/${hook}/recover/`, body)).json()
    const second = await call('ayse', `POST /hooks/${hook}/recover/`, body)
    expect(second.statusCode).toBe(409)
    expect(second.json()).toMatchObject({
      code: 'recovery_running',
      non_field_errors: [expect.stringContaining(`Redelivery ${first.id} `)],
    })
    await call('ayse', `POST /redeliveries/${first.id}/cancel/`)
    expect((await call('ayse', `POST /hooks/${hook}/recover/`, body)).statusCode).toBe(202)
  })

  test.each<[object, string]>([
    [{}, 'since'],
    [{ since: 5 }, 'since'],
    [{ since: 'yesterday' }, 'since'],
    [{ since: '2026-02-31' }, 'since'],
    [{ since: '9999-01-01' }, 'since'],
    [{ since: longAgo, per_second: 0 }, 'per_second'],
    [{ since: longAgo, per_second: 10_001 }, 'per_second'],
    [{ since: longAgo, per_second: 1.5 }, 'per_second'],
    [{ since: longAgo, start: 'perhaps' }, 'start'],
    [{ since: longAgo, until: longAgo }, 'until'],
  ])('refuses %j', async (body, field) => {
    const hook = await subscribe('ayse')
    const answer = await call('ayse', `POST /hooks/${hook}/recover/`, body)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json())).toEqual([field])
  })

  test('may begin at any time that has passed', async () => {
    const hook = await failed('ayse', 1)
    for (const since of ['0001-01-01', '1970-01-01T00:00:00Z'])
      expect((await call('ayse', `POST /hooks/${hook}/recover/`, { since })).json()).toMatchObject({
        count: 1,
        is_exact: true,
      })
  })

  test('with one Idempotency-Key is started once', async () => {
    const hook = await failed('ayse', 1)
    const ask = () =>
      call('ayse', `POST /hooks/${hook}/recover/`, { since: longAgo, start: true }, { 'idempotency-key': 'again' })
    const first = await ask()
    const second = await ask()
    expect([first.statusCode, second.statusCode]).toEqual([202, 202])
    expect(second.json()).toEqual(first.json())
    expect(await allJobs()).toHaveLength(1)
  })
})

describe('a retry of many', () => {
  const retry = (as: string, body: object) => call(as, 'POST /hook_events/retry/', body)

  test('is counted first, and nothing is started by that', async () => {
    await failed('ayse', 3)
    const answer = await retry('ayse', { filter: {} })
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { count: 3, is_exact: true, sample: [{}, {}, {}] }])
    expect(await allJobs()).toEqual([])
  })

  test('is started when that is asked for, and shows what it was asked for', async () => {
    const hook = await failed('ayse', 3)
    const filter = { webhook: hook, response_http_status: 500, created_date__gte: longAgo }
    const answer = await retry('ayse', { filter, start: true })
    expect(answer.statusCode).toBe(202)
    expect(answer.json()).toMatchObject({
      kind: 'retry',
      hook: null,
      asked: { filter, force: false },
      total: 3,
      per_second: 200,
      requested_by: 2,
    })
    expect(answer.headers.location).toBe(`http://waybill.test/whisperer/redeliveries/${answer.json().id}/`)
    await redeliveries.runDue()
    expect(await statusesOf(hook)).toEqual(['pending', 'pending', 'pending'])
  })

  test('takes the filters of the list', async () => {
    const hook = await failed('ayse', 3)
    const [first, second] = await deliveriesOf(hook)
    await db
      .updateTable('deliveries')
      .set({ status: 'held', lastStatus: null, lastReason: 'timeout' })
      .where('id', '=', second?.id ?? 0)
      .execute()
    const cases: readonly [object, number][] = [
      [{}, 3],
      [{ event_type: 'package-created' }, 3],
      [{ event_type: 'package.status.packed' }, 0],
      [{ status: 'held' }, 1],
      [{ status: 'delivered' }, 0],
      [{ delivered: false }, 3],
      [{ delivered: true }, 0],
      [{ uuid: webhookIdOf(first?.id ?? 0, installationId) }, 1],
      [{ uuid: 'd960acbe-4193-44b8-b254-df115cf6d2e7' }, 0],
      [{ response_http_status: 500 }, 2],
      [{ reason: 'http_500' }, 2],
      [{ reason: 'timeout' }, 1],
      [{ webhook: hook }, 3],
      [{ webhook: hook + 1 }, 0],
      [{ content_type: 1, object_id: '2' }, 1],
      [{ content_type: 999 }, 0],
      [{ created_date__lt: longAgo }, 0],
      [{ created_date__gte: longAgo }, 3],
    ]
    for (const [filter, count] of cases)
      expect([filter, (await retry('ayse', { filter })).json()]).toMatchObject([filter, { count, is_exact: true }])
  })

  test('leaves out what was delivered, unless it is forced', async () => {
    const hook = await failed('ayse', 2)
    await setAll(hook, 'delivered')
    expect((await retry('ayse', { filter: {} })).json().count).toBe(0)
    expect((await retry('ayse', { filter: {}, force: true })).json().count).toBe(2)
    expect((await retry('ayse', { filter: { delivered: true }, force: true })).json().count).toBe(2)
  })

  test('reaches nobody else’s hooks, but all of them for a superuser', async () => {
    const mine = await failed('ayse', 2)
    const theirs = await failed('bora', 2)
    await setAll(mine, 'failed')
    expect((await retry('ayse', { filter: {} })).json().count).toBe(4)
    expect((await retry('bora', { filter: {} })).json().count).toBe(2)
    expect((await retry('ayse', { filter: { webhook: theirs } })).json().count).toBe(0)
    expect((await retry('root', { filter: {} })).json().count).toBe(6)
    await retry('ayse', { filter: {}, start: true })
    await redeliveries.runDue()
    expect(await statusesOf(theirs)).toEqual(['failed', 'failed'])
  })

  test.each<[object, string]>([
    [{}, 'filter'],
    [{ filter: null }, 'filter'],
    [{ filter: { page: 1 } }, 'filter.page'],
    [{ filter: { delivered: 'perhaps' } }, 'filter.delivered'],
    [{ filter: { status: 'lost' } }, 'filter.status'],
    [{ filter: { uuid: 'x' } }, 'filter.uuid'],
    [{ filter: { webhook: 0 } }, 'filter.webhook'],
    [{ filter: { created_date: 'soon' } }, 'filter.created_date'],
    [{ filter: {}, force: 'perhaps' }, 'force'],
    [{ filter: {}, per_second: 0 }, 'per_second'],
  ])('refuses %j', async (body, field) => {
    const answer = await retry('ayse', body)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json())).toEqual([field])
  })

  test('of more than are looked at for a count says so', async () => {
    const hook = await failed('ayse', 1)
    await db.deleteFrom('deliveries').execute()
    const { id: event } = await db.selectFrom('events').select('id').executeTakeFirstOrThrow()
    await sql`
      insert into deliveries (event_id, subscription_id, status, next_attempt_at)
      select ${event}, ${hook}, 'failed', now() from generate_series(1, 200001)`.execute(db)
    expect((await retry('ayse', { filter: {} })).json()).toMatchObject({ count: 200_000, is_exact: false })
    expect((await retry('ayse', { filter: {}, start: true })).json()).toMatchObject({
      total: 200_000,
      total_is_exact: false,
    })
  })
})

describe('an event again', () => {
  const replay = async (as: string, hook: number, body?: object) => {
    const [delivery] = await deliveriesOf(hook)
    return call(as, `POST /hook_events/${delivery?.id ?? 0}/replay/`, body)
  }

  test('goes to every hook of the caller that listens', async () => {
    const [one, two] = [await subscribe('ayse'), await subscribe('ayse')]
    const theirs = await subscribe('bora')
    await raise(1)
    for (const hook of [one, two, theirs]) await setAll(hook, 'delivered')
    const late = await subscribe('ayse')
    await subscribe('ayse', 'shipment.created')
    const answer = await replay('ayse', one)
    expect([answer.statusCode, answer.json()]).toEqual([202, { queued: 3, hooks: [one, two, late] }])
    expect(await statusesOf(late)).toEqual(['pending'])
    expect(await statusesOf(theirs)).toEqual(['delivered'])
    expect((await replay('ayse', one)).json()).toEqual({ queued: 0, hooks: [] })
    expect((await replay('root', one)).json()).toEqual({ queued: 1, hooks: [theirs] })
  })

  test('goes to some of them, if those are named', async () => {
    const [one, two] = [await subscribe('ayse'), await subscribe('ayse')]
    await raise(1)
    await setAll(one, 'delivered')
    await setAll(two, 'delivered')
    expect((await replay('ayse', one, { hooks: [two] })).json()).toEqual({ queued: 1, hooks: [two] })
    expect(await statusesOf(one)).toEqual(['delivered'])
  })

  test('goes to nobody else’s', async () => {
    const mine = await subscribe('ayse')
    const theirs = await subscribe('bora')
    await raise(1)
    await setAll(theirs, 'delivered')
    const answer = await replay('ayse', mine, { hooks: [mine, theirs] })
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ['hooks.1']])
    expect(await statusesOf(theirs)).toEqual(['delivered'])
    expect((await replay('ayse', theirs)).statusCode).toBe(404)
  })

  test.each([{ hooks: [] }, { hooks: 'all' }, { hooks: [0] }, { others: 1 }])('refuses %j', async (body) => {
    const hook = await subscribe('ayse')
    await raise(1)
    expect((await replay('ayse', hook, body)).statusCode).toBe(400)
  })
})

describe('the list of redeliveries', () => {
  test('has those that somebody asked for and those of their hooks, the newest first', async () => {
    const mine = await failed('ayse', 1)
    const theirs = await failed('bora', 1)
    await setAll(mine, 'failed')
    const start = async (as: string, path: string, body: object) =>
      (await call(as, `POST ${path}`, { ...body, start: true })).json().id as number
    const one = await start('ayse', `/hooks/${mine}/recover/`, { since: longAgo })
    const two = await start('bora', `/hooks/${theirs}/recover/`, { since: longAgo })
    const three = await start('root', '/hook_events/retry/', { filter: {} })
    const ids = async (as: string, query = '') =>
      (await call(as, `GET /redeliveries/${query}`)).json().map(({ id }: { id: number }) => id)
    expect(await ids('ayse')).toEqual([one])
    expect(await ids('bora')).toEqual([two])
    expect(await ids('root')).toEqual([three, two, one])
    expect(await ids('root', '?limit=1&page=2')).toEqual([two])
    const page = await call('root', 'GET /redeliveries/?limit=1')
    expect(page.headers['x-total-count']).toBe('3')
    expect(page.headers.link).toContain('limit=1&page=2>; rel="next"')
  })

  test('has those of one’s own hooks that a superuser, or the server, started', async () => {
    const hook = await failed('ayse', 1)
    const { id } = (await call('root', `POST /hooks/${hook}/recover/`, { since: longAgo, start: true })).json()
    expect((await call('ayse', `GET /redeliveries/${id}/`)).json()).toMatchObject({ id, requested_by: 1 })
    expect((await call('ayse', `POST /redeliveries/${id}/cancel/`)).json()).toMatchObject({ id, status: 'cancelled' })
  })
})

describe('a redelivery', () => {
  test('that is cancelled stays so, and one that has ended cannot be', async () => {
    const hook = await failed('ayse', 2)
    const { id } = (
      await call('ayse', `POST /hooks/${hook}/recover/`, { since: longAgo, start: true, per_second: 1 })
    ).json()
    await redeliveries.runDue()
    const cancelled = await call('ayse', `POST /redeliveries/${id}/cancel/`)
    expect(cancelled.statusCode).toBe(200)
    expect(cancelled.json()).toMatchObject({ status: 'cancelled', queued: 1, finished_date: clock.now().toISOString() })
    clock.advance(5_000)
    await redeliveries.runDue()
    expect((await statusesOf(hook)).toSorted()).toEqual(['failed', 'pending'])
    const again = await call('ayse', `POST /redeliveries/${id}/cancel/`)
    expect([again.statusCode, again.json().code]).toEqual([400, 'redelivery_ended'])
  })
})

describe('who may', () => {
  test.each([
    ['nobody', 401],
    ['buyer', 403],
    ['ayse, elsewhere', 403],
    ['ayse, reading', 403],
    ['ayse, writing', 404],
  ] as const)('%s gets %i where something is changed', async (who, status) => {
    const filter = { since: longAgo }
    expect((await call(who, 'POST /hooks/999999/recover/', filter)).statusCode).toBe(status)
    expect((await call(who, 'POST /hook_events/999999/replay/')).statusCode).toBe(status)
    expect((await call(who, 'POST /redeliveries/999999/cancel/')).statusCode).toBe(status)
  })

  test.each([
    ['nobody', 401],
    ['buyer', 403],
    ['ayse, elsewhere', 403],
    ['ayse, reading', 200],
  ] as const)('%s gets %i where something is read', async (who, status) => {
    expect((await call(who, 'GET /redeliveries/')).statusCode).toBe(status)
    expect((await call(who, 'GET /redeliveries/999999/')).statusCode).toBe(status === 200 ? 404 : status)
  })

  test('foreign hooks, deliveries and jobs do not exist', async () => {
    const hook = await failed('ayse', 1)
    const { id } = (await call('ayse', `POST /hooks/${hook}/recover/`, { since: longAgo, start: true })).json()
    const asked = [
      await call('bora', `POST /hooks/${hook}/recover/`, { since: longAgo, start: true }),
      await call('bora', `GET /redeliveries/${id}/`),
      await call('bora', `POST /redeliveries/${id}/cancel/`),
    ]
    expect(asked.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
    await call('ayse', `DELETE /hooks/${hook}/`)
    expect((await call('ayse', `POST /hooks/${hook}/recover/`, { since: longAgo })).statusCode).toBe(404)
    // The job of a hook that was removed can still be looked at.
    expect((await call('ayse', `GET /redeliveries/${id}/`)).statusCode).toBe(200)
  })
})
