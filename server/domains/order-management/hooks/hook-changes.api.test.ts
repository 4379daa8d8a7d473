import { beforeEach, describe, expect, test } from 'vitest'
import { makeHooksApp } from '#testing/make-hooks-app.ts'

const { call, raise, database, clock, subscriptions, clear } = await makeHooksApp()
const { db } = database

const basic = { auth_type: 'basic', username: 'shop', password: 'hunter2' }

const subscription = {
  event_type: 'package-created',
  target_url: 'https://example.com/hooks',
  additional_headers: { 'X-Shop': 'north' },
  secret_key: 'a secret',
}
const subscribe = async (as: string, fields: object = {}): Promise<number> =>
  (await call(as, 'POST /hooks/', { ...subscription, ...fields })).json().id

beforeEach(clear)

describe('changing a hook', () => {
  test('with PATCH leaves alone what is not named', async () => {
    const id = await subscribe('ayse', { config: { auth: basic } })
    clock.advance(60_000)
    const answer = await call('ayse', `PATCH /hooks/${id}/`, { is_active: false })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      is_active: false,
      event_type: 'package.created',
      additional_headers: { 'X-Shop': 'north' },
    })
    expect(Date.parse(answer.json().modified_date) - Date.parse(answer.json().created_date)).toBe(60_000)
    expect(await subscriptions.find(db, id)).toMatchObject({ secret: 'a secret', auth: basic, isActive: false })
  })

  test('with PATCH sets back what is null', async () => {
    const id = await subscribe('ayse', { config: { auth: basic } })
    await call('ayse', `PATCH /hooks/${id}/`, {
      secret_key: null,
      config: null,
      additional_headers: null,
      retry_countdown_config: null,
    })
    expect(await subscriptions.find(db, id)).toMatchObject({
      secret: null,
      auth: null,
      headers: null,
      retry: { choice: 'exponential' },
    })
  })

  describe('in its config', () => {
    const config = {
      auth: basic,
      signature: 'v1a',
      rate_limit: { per_second: 5, burst: 5 },
      format: 'standard',
      max_attempts: 3,
      filter: { id: 99 },
      order: 'object',
      mine: { a: 1 },
    }
    const shown = { ...config, auth: { ...basic, password: '********' } }
    const other = {
      auth: { ...basic, username: 'other' },
      signature: 'v1',
      rate_limit: { per_second: 6, burst: 6 },
      format: 'original',
      max_attempts: 4,
      filter: { id: 100 },
      order: 'none',
      mine: [2],
      yours: 3,
    }
    const change = async (method: string, sent: unknown) => {
      await clear()
      const id = await subscribe('ayse', { config })
      const { event_type, target_url } = subscription
      const body = { ...(method === 'PUT' ? { event_type, target_url } : {}), config: sent }
      return (await call('ayse', `${method} /hooks/${id}/`, body)).json().config
    }

    test.each(Object.entries(other))('with PATCH keeps every other key: %s', async (name, value) => {
      const others = Object.fromEntries(Object.entries(shown).filter(([key]) => key !== name))
      expect(await change('PATCH', { [name]: value })).toMatchObject(others)
      expect(await change('PATCH', { [name]: null })).toEqual(others)
    })

    test.each([
      ['PATCH', {}, shown],
      ['PATCH', null, {}],
      ['PUT', {}, {}],
      ['PUT', { auth: shown.auth, yours: 3, mine: null }, { auth: shown.auth, yours: 3 }],
    ])('with %s %j leaves %j', async (method, sent, left) => {
      expect(await change(method, sent)).toEqual(left)
    })

    test('cannot have keys of one’s own without end, also by and by', async () => {
      const id = await subscribe('ayse', { config: { note: 'x'.repeat(4_000) } })
      const answer = await call('ayse', `PATCH /hooks/${id}/`, { config: { more: 'x'.repeat(96) } })
      expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ['config']])
      expect((await call('ayse', `PATCH /hooks/${id}/`, { config: { note: 'x' } })).statusCode).toBe(200)
    })
  })

  test('with PUT sets back what is not named', async () => {
    const id = await subscribe('ayse', { config: { auth: basic }, is_active: false })
    const answer = await call('ayse', `PUT /hooks/${id}/`, {
      event_type: 'package.status.packed',
      target_url: 'https://example.com/2',
    })
    expect(answer.json()).toMatchObject({
      id,
      event_type: 'package.status.packed',
      target_url: 'https://example.com/2',
      is_active: true,
      secret_key: null,
      config: {},
    })
    expect(await subscriptions.find(db, id)).toMatchObject({
      secret: null,
      auth: null,
      headers: null,
      eventTypes: ['package.status.packed'],
    })
  })

  test.each(['PUT', 'PATCH'] as const)(
    'by sending back what was read, with %s, changes nothing and keeps the secrets',
    async (method) => {
      const id = await subscribe('ayse', { config: { auth: basic } })
      const read = (await call('ayse', `GET /hooks/${id}/`)).json()
      const answer = await call('ayse', `${method} /hooks/${id}/`, read)
      expect(answer.statusCode).toBe(200)
      expect({ ...answer.json(), modified_date: null }).toEqual({ ...read, modified_date: null })
      expect(await subscriptions.find(db, id)).toMatchObject({ secret: 'a secret', auth: basic })
    },
  )

  test('can replace a secret', async () => {
    const id = await subscribe('ayse')
    const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
    await call('ayse', `PATCH /hooks/${id}/`, { secret_key: secret })
    expect(await subscriptions.find(db, id)).toMatchObject({ secret })
  })

  test.each([
    ['PATCH', { secret_key: '********' }, 'secret_key'],
    ['PATCH', { config: { auth: { ...basic, password: '********' } } }, 'config.auth.password'],
    ['PATCH', { event_type: 'nothing' }, 'event_type'],
    ['PATCH', { callback: 'os.system' }, 'callback'],
    ['PATCH', { user: 5 }, 'user'],
    ['PUT', { event_type: 'package.created' }, 'target_url'],
  ] as const)('%s %j is 400 and names %s', async (method, body, field) => {
    const id = await subscribe('ayse', { secret_key: null })
    const answer = await call('ayse', `${method} /hooks/${id}/`, body)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json())).toEqual([field])
  })

  test('changes which events arrive from then on', async () => {
    const id = await subscribe('ayse')
    await call('ayse', `PATCH /hooks/${id}/`, { event_type: 'package.status.packed' })
    await raise(1)
    expect(await db.selectFrom('deliveries').select('id').execute()).toEqual([])
  })

  test('at the same moment as somebody else loses neither change', async () => {
    const id = await subscribe('ayse')
    await Promise.all([
      call('ayse', `PATCH /hooks/${id}/`, { is_active: false }),
      call('root', `PATCH /hooks/${id}/`, { secret_key: 'another' }),
    ])
    expect(await subscriptions.find(db, id)).toMatchObject({ isActive: false, secret: 'another' })
  })
})

describe('unsubscribing', () => {
  test('hides the hook, ends the subscription and cancels what was due', async () => {
    const id = await subscribe('ayse')
    await raise(1)
    const answer = await call('ayse', `DELETE /hooks/${id}/`)
    expect(answer.statusCode).toBe(204)
    expect(answer.body).toBe('')
    expect((await call('ayse', 'GET /hooks/')).json()).toEqual([])
    for (const method of ['GET', 'DELETE'] as const)
      expect((await call('ayse', `${method} /hooks/${id}/`)).statusCode).toBe(404)
    expect((await call('ayse', `PATCH /hooks/${id}/`, {})).statusCode).toBe(404)
    await raise(2)
    expect(await db.selectFrom('deliveries').select('status').execute()).toEqual([{ status: 'cancelled' }])
  })
})
