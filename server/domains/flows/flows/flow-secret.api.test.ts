import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const { call, database } = await makeTestApp({ clock })
const url = '/api/nifi/flows'
const mask = '********'
const hourMs = 3_600_000

const make = async (fields: object = {}): Promise<number> => {
  const body = { direction: 'outbound', target: 'http://127.0.0.1:4109/data', secret: 'first', ...fields }
  return (await call('POST', url, body)).json<{ id: number }>().id
}
const inHours = (hours: number): string => new Date(clock.now().getTime() + hours * hourMs).toISOString()
const rotate = (id: number | string, body?: unknown, headers: Record<string, string> = {}) =>
  call('POST', `${url}/${id}/secret`, body, headers)
const read = async (id: number) => (await call('GET', `${url}/${id}/secret`)).json()

describe('changing the secret of a flow', () => {
  test('shows a new one this once, and lets the old one sign for a day', async () => {
    const id = await make()
    expect(await read(id)).toEqual({ secret: mask, previous_valid_until: null })
    clock.advance(1_000)
    const answer = await rotate(id)
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(answer.json()).toEqual({
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      previous_valid_until: inHours(24),
    })
    expect(await read(id)).toEqual({ secret: mask, previous_valid_until: inHours(24) })
    expect((await call('GET', `${url}/${id}`)).json()).toMatchObject({
      secret: mask,
      modified_at: clock.now().toISOString(),
    })
    clock.advance(24 * hourMs)
    expect(await read(id)).toEqual({ secret: mask, previous_valid_until: null })
  })

  test('takes the secret and the overlap that are given', async () => {
    const id = await make()
    expect((await rotate(id, { secret: 'second', overlap_hours: 0.5 })).json()).toEqual({
      secret: 'second',
      previous_valid_until: inHours(0.5),
    })
    expect((await rotate(id, { secret: 'third', overlap_hours: 0 })).json().previous_valid_until).toBeNull()
    expect(await read(id)).toEqual({ secret: mask, previous_valid_until: null })
  })

  test('of a flow that was not signed begins to sign it', async () => {
    const id = await make({ secret: null })
    expect(await read(id)).toEqual({ secret: null, previous_valid_until: null })
    expect((await rotate(id, null)).json()).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      previous_valid_until: null,
    })
  })

  test('ends its overlap when somebody says so, or gives another secret by PATCH', async () => {
    const id = await make()
    const previous = `${url}/${id}/secret/previous`
    await rotate(id)
    expect((await call('DELETE', previous)).statusCode).toBe(204)
    expect((await call('DELETE', previous)).statusCode).toBe(204)
    expect(await read(id)).toEqual({ secret: mask, previous_valid_until: null })
    await rotate(id)
    await call('PATCH', `${url}/${id}`, { secret: 'by hand' })
    expect(await read(id)).toEqual({ secret: mask, previous_valid_until: null })
  })

  test('repeated with the same Idempotency-Key gives the same secret, which is nowhere readable', async () => {
    const id = await make()
    const first = await rotate(id, {}, { 'idempotency-key': 'k' })
    const again = await rotate(id, {}, { 'idempotency-key': 'k' })
    expect(again.json()).toEqual(first.json())
    const { rows } = await sql`select row_to_json(k)::text as row from idempotency_keys k
      union all select row_to_json(s)::text from subscriptions s`.execute(database.db)
    expect(JSON.stringify(rows)).not.toContain('whsec_')
  })

  test.each<[object, string]>([
    [{ secret: '' }, 'secret'],
    [{ secret: 'whsec_short' }, 'secret'],
    [{ secret: mask }, 'secret'],
    [{ secret: null }, 'secret'],
    [{ secret: 'first' }, 'secret'],
    [{ overlap_hours: -1 }, 'overlap_hours'],
    [{ overlap_hours: 169 }, 'overlap_hours'],
    [{ overlap_hours: '24' }, 'overlap_hours'],
    [{ secret_key: 'second' }, 'secret_key'],
  ])('with %j is 400 and changes nothing', async (body, field) => {
    const id = await make()
    const before = (await call('GET', `${url}/${id}`)).json()
    clock.advance(1_000)
    const answer = await rotate(id, body)
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([400, [field]])
    expect((await call('GET', `${url}/${id}`)).json()).toEqual(before)
    expect(await read(id)).toEqual({ secret: mask, previous_valid_until: null })
  })
})

describe('secret and health', () => {
  const operations = [
    ['GET', 'health'],
    ['GET', 'secret'],
    ['POST', 'secret'],
    ['DELETE', 'secret/previous'],
  ] as const

  test.each(operations)('are nothing that an inbound flow has: %s %s', async (method, path) => {
    const id = await make({ direction: 'inbound', target: null, secret: null })
    const answer = await call(method, `${url}/${id}/${path}`)
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'flow_inbound'])
  })

  test.each(operations)('of a flow that is not there are 404: %s %s', async (method, path) => {
    const id = await make()
    await call('DELETE', `${url}/${id}`)
    for (const gone of [id, 4711, 'x']) expect((await call(method, `${url}/${gone}/${path}`)).statusCode).toBe(404)
  })

  test('say of a new flow that nothing is wrong', async () => {
    expect((await call('GET', `${url}/${await make()}/health`)).json()).toEqual({
      health: 'healthy',
      is_active: true,
      disabled_reason: null,
      failures: 0,
      failing_since: null,
      last_success_at: null,
      last_failure_at: null,
      disabled_at: null,
      next_probe_at: null,
      paused_until: null,
      hold_until: null,
      pending: 0,
      held: 0,
      failed_24h: 0,
      capped: [],
    })
  })
})
