import { beforeEach, describe, expect, test } from 'vitest'
import { makeHooksApp } from '#testing/make-hooks-app.ts'

const { call, database, subscriptions, clear } = await makeHooksApp({
  checkUrl: (url) => (url.includes('10.0.0.1') ? '10.0.0.1 is not a public address.' : undefined),
})
const { db } = database

/** The body of document 2, as its example writes it. */
const documented = {
  event_type: 'package-created',
  target_url: 'https://example.com/hooks',
  retry_countdown_config: 'linear',
  additional_headers: { 'X-Shop': 'north' },
  secret_key: 'a secret',
}
const basic = { auth_type: 'basic', username: 'shop', password: 'hunter2' }

const subscribe = async (as: string, fields: object = {}): Promise<number> => {
  const answer = await call(as, 'POST /hooks/', { ...documented, ...fields })
  expect(answer.statusCode).toBe(201)
  return answer.json().id
}
const rowCounts = async (): Promise<unknown[]> => {
  const count = (table: 'hooks' | 'subscriptions' | 'subscriptionEvents') =>
    db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll().as('n'))
      .executeTakeFirstOrThrow()
  return Promise.all([count('hooks'), count('subscriptions'), count('subscriptionEvents')])
}

beforeEach(clear)

describe('subscribing', () => {
  test('answers 201 with the whole record, the secret masked', async () => {
    const answer = await call('ayse', 'POST /hooks/', documented)
    expect(answer.statusCode).toBe(201)
    const { id, ...record } = answer.json()
    expect(answer.headers.location).toBe(`http://waybill.test/whisperer/hooks/${id}/`)
    expect(record).toEqual({
      event_type: 'package.created',
      target_url: 'https://example.com/hooks',
      is_active: true,
      retry_countdown_config: { choice: 'linear', kwargs: { base: 60, limit: 3_600 } },
      additional_headers: { 'X-Shop': 'north' },
      config: {},
      callback: null,
      secret_key: '********',
      created_date: '2026-11-21T09:30:00.000Z',
      modified_date: '2026-11-21T09:30:00.000Z',
    })
    expect((await call('ayse', `GET /hooks/${id}/`)).json()).toEqual(answer.json())
  })

  test('needs only the event and the URL', async () => {
    const answer = await call('ayse', 'POST /hooks', {
      event_type: 'stock_location-updated',
      target_url: 'http://example.com',
    })
    expect(answer.json()).toMatchObject({
      event_type: 'stock_location.updated',
      is_active: true,
      retry_countdown_config: { choice: 'exponential', kwargs: { base: 2, factor: 15, limit: 21_600 } },
      additional_headers: {},
      callback: null,
      config: {},
      secret_key: null,
    })
  })

  test('hands the engine every setting, with the secrets', async () => {
    const id = await subscribe('ayse', { config: { auth: basic } })
    expect(await subscriptions.find(db, id)).toMatchObject({
      scope: 'back-office',
      dialect: 'whisperer',
      eventTypes: ['package.created'],
      url: 'https://example.com/hooks',
      headers: { 'X-Shop': 'north' },
      secret: 'a secret',
      auth: basic,
      retry: { choice: 'linear', kwargs: { base: 60, limit: 3_600 } },
      isActive: true,
    })
  })

  test('never shows a password, and completes token auth', async () => {
    const auth = { auth_type: 'token', url: 'https://example.com/login', username: 'shop', password: 'hunter2' }
    const answer = await call('ayse', 'POST /hooks/', { ...documented, config: { auth } })
    expect(answer.body).not.toContain('hunter2')
    expect(answer.json().config).toEqual({
      auth: {
        ...auth,
        password: '********',
        username_field: 'username',
        password_field: 'password',
        token_key: 'key',
        header_format: 'Token {}',
      },
    })
  })

  test('leaves no secret readable in the database', async () => {
    const address = { target_url: 'https://example.com/in/path-token?token=query-token' }
    await subscribe('ayse', { ...address, config: { auth: basic } })
    const rows = JSON.stringify([
      await db.selectFrom('subscriptions').selectAll().execute(),
      await db.selectFrom('hooks').selectAll().execute(),
    ])
    for (const secret of ['hunter2', 'a secret', 'north', 'path-token', 'query-token'])
      expect(rows).not.toContain(secret)
  })

  test('never shows a header that carries a credential, by its name', async () => {
    const credentials = { Authorization: 'Bearer 1', 'X-Api-Key': '2', 'x-auth': '3', 'X-CSRFToken': '4', cookie: '5' }
    const id = await subscribe('ayse', { additional_headers: { ...credentials, 'X-Shop': 'north' } })
    const { additional_headers: shown } = (await call('ayse', `GET /hooks/${id}/`)).json()
    expect(shown).toEqual({
      ...Object.fromEntries(Object.keys(credentials).map((name) => [name, '********'])),
      'X-Shop': 'north',
    })
    expect((await subscriptions.find(db, id))?.headers).toMatchObject(credentials)
  })

  test('with the longest URL there can be is stored and found', async () => {
    const longest = `https://example.com/${'%C3%BC'.repeat(338)}`
    await subscribe('ayse', { target_url: longest })
    const found = await call('ayse', `GET /hooks/?target_url=${encodeURIComponent(longest)}`)
    expect(found.json()).toMatchObject([{ target_url: longest }])
    expect((await call('ayse', 'POST /hooks/', { ...documented, target_url: longest })).json().code).toBe(
      'webhook_100_2',
    )
  })

  test('to 2,000 characters that are not ASCII is 400', async () => {
    const answer = await call('ayse', 'POST /hooks/', {
      ...documented,
      target_url: `https://example.com/${'ü漢'.repeat(1_000)}`,
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ target_url: [expect.stringContaining('percent-encode')] })
  })

  test('ignores read-only fields', async () => {
    const answer = await call('ayse', 'POST /hooks/', {
      ...documented,
      id: 77,
      created_date: 'yesterday',
      modified_date: null,
      callback: null,
    })
    expect(answer.statusCode).toBe(201)
  })

  test.each([
    [{}, ['event_type', 'target_url']],
    [[], ['non_field_errors']],
    [{ ...documented, event_type: 5 }, ['event_type']],
    [{ ...documented, event_type: null }, ['event_type']],
    [{ ...documented, event_type: 'package.lost' }, ['event_type']],
    [{ ...documented, event_type: 'x'.repeat(201) }, ['event_type']],
    [{ ...documented, event_type: 'parcel.*' }, ['event_type']],
    [{ ...documented, event_type: 'pack*' }, ['event_type']],
    [{ ...documented, event_type: ['package.created', 'nothing'] }, ['event_type.1']],
    [{ ...documented, event_type: [] }, ['event_type']],
    [{ ...documented, config: { filter: 'status' } }, ['config.filter']],
    [{ ...documented, config: { filter: { '$.status': 1 } } }, ['config.filter.$.status']],
    [{ ...documented, config: { filter: { status: { eq: 1 } } } }, ['config.filter.status.eq']],
    [{ ...documented, config: { filter: { status: { gt: true } } } }, ['config.filter.status.gt']],
    [{ ...documented, config: { filter: { status: [] } } }, ['config.filter.status']],
    [{ ...documented, config: { filter: { status: {} } } }, ['config.filter.status']],
    [{ ...documented, config: { filter: { status: { exists: 1 } } } }, ['config.filter.status.exists']],
    [{ ...documented, target_url: 'example.com' }, ['target_url']],
    [{ ...documented, target_url: 'https://10.0.0.1/' }, ['target_url']],
    [{ ...documented, target_url: ['https://example.com'] }, ['target_url']],
    [{ ...documented, is_active: 'perhaps' }, ['is_active']],
    [{ ...documented, is_active: null }, ['is_active']],
    [{ ...documented, retry_countdown_config: 'weekly' }, ['retry_countdown_config']],
    [
      { ...documented, retry_countdown_config: { choice: 'fixed', kwargs: {} } },
      ['retry_countdown_config.kwargs.seconds'],
    ],
    [{ ...documented, additional_headers: { 'Webhook-Id': 'x' } }, ['additional_headers.Webhook-Id']],
    [{ ...documented, additional_headers: { 'x-a': [5] } }, ['additional_headers.x-a']],
    [{ ...documented, additional_headers: ['x-a'] }, ['additional_headers']],
    [{ ...documented, additional_headers: { 'x-key': '********' } }, ['additional_headers.x-key']],
    [{ ...documented, secret_key: 5 }, ['secret_key']],
    [{ ...documented, secret_key: 'whsec_short' }, ['secret_key']],
    [{ ...documented, secret_key: '********' }, ['secret_key']],
    [{ ...documented, config: { auth: { ...basic, password: '********' } } }, ['config.auth.password']],
    [{ ...documented, config: { auth: { ...basic, extra: 1 } } }, ['config.auth.extra']],
    [
      {
        ...documented,
        config: { auth: { auth_type: 'token', url: 'https://10.0.0.1/', username: 'a', password: 'b' } },
      },
      ['config.auth.url'],
    ],
    [{ ...documented, callback: 'os.system' }, ['callback']],
    [{ ...documented, config: { callback: 'os.system' } }, ['config.callback']],
    [{ ...documented, colour: 'red' }, ['colour']],
    [
      { ...documented, event_type: 'nothing', secret_key: 'whsec_short', callback: 'x' },
      ['callback', 'event_type', 'secret_key'],
    ],
  ])('%j is 400, names %j and stores nothing', async (body, fields) => {
    const answer = await call('ayse', 'POST /hooks/', body)
    expect(answer.statusCode).toBe(400)
    const errors = answer.json<Record<string, string[]>>()
    expect(Object.keys(errors).toSorted()).toEqual(fields)
    for (const messages of Object.values(errors)) expect(messages[0]).toMatch(/\S\.$|\?.*\.$/)
    expect(await rowCounts()).toEqual([{ n: 0 }, { n: 0 }, { n: 0 }])
  })

  test('to patterns and several events shows what was sent, and is found by each', async () => {
    const id = await subscribe('ayse', { event_type: ['package-*', 'shipment.created', 'package.*'] })
    const shown = ['package.*', 'shipment.created', 'package.*']
    expect((await call('ayse', `GET /hooks/${id}/`)).json().event_type).toEqual(shown)
    expect((await call('ayse', 'GET /hooks/?event_type=package.*')).json()).toMatchObject([{ id, event_type: shown }])
    expect((await call('ayse', 'GET /hooks/?event_type=package.created')).json()).toEqual([])
    const again = { ...documented, event_type: ['shipment.created', 'package.*'] }
    expect((await call('ayse', 'POST /hooks/', again)).json().code).toBe('webhook_100_2')
    expect((await call('ayse', `PATCH /hooks/${id}/`, { event_type: '*' })).json().event_type).toBe('*')
    expect((await subscriptions.find(db, id))?.eventTypes).toEqual(['*'])
  })

  test('with a filter shows it, keeps it where a PATCH does not name it, and gives it up for null', async () => {
    const filter = { status: ['packed', 'shipped'], 'items.quantity': { gte: 10 }, note: null }
    const id = await subscribe('ayse', { config: { filter } })
    expect((await call('ayse', `GET /hooks/${id}/`)).json().config).toEqual({ filter })
    const kept = await call('ayse', `PATCH /hooks/${id}/`, { config: { max_attempts: 3 } })
    expect(kept.json().config).toEqual({ filter, max_attempts: 3 })
    const without = await call('ayse', `PATCH /hooks/${id}/`, { config: { filter: null } })
    expect(without.json().config).toEqual({ max_attempts: 3 })
  })

  test('to an unknown event names the near ones and the registry', async () => {
    const { event_type: messages } = (
      await call('ayse', 'POST /hooks/', { ...documented, event_type: 'package-create' })
    ).json()
    expect(messages[0]).toContain('package.created')
    expect(messages[0]).toContain('/whisperer/hooks/registry/')
  })

  test('to an object with a null character is 400', async () => {
    const answer = await call('ayse', 'POST /hooks/', { ...documented, secret_key: 'a\u0000b' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toHaveProperty('secret_key')
  })

  test('twice with one Idempotency-Key makes one hook and gives the same answer', async () => {
    const first = await call('ayse', 'POST /hooks/', documented, { 'idempotency-key': 'k1' })
    const second = await call('ayse', 'POST /hooks/', documented, { 'idempotency-key': 'k1' })
    expect(second.statusCode).toBe(201)
    expect(second.json()).toEqual(first.json())
    expect((await rowCounts())[0]).toEqual({ n: 1 })
  })
})

describe('one user, URL and event', () => {
  test('cannot be subscribed twice, in either form of the name', async () => {
    await subscribe('ayse')
    const answer = await call('ayse', 'POST /hooks/', { ...documented, event_type: 'package.created' })
    expect(answer.statusCode).toBe(406)
    expect(answer.json()).toEqual({
      code: 'webhook_100_2',
      en: expect.stringContaining('already have a hook'),
    })
    expect(await rowCounts()).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }])
  })

  test('may be subscribed by another user, to another URL, or to another event', async () => {
    await subscribe('ayse')
    await subscribe('bora')
    await subscribe('ayse', { target_url: 'https://example.com/other' })
    await subscribe('ayse', { event_type: 'package.status.packed' })
    expect((await rowCounts())[0]).toEqual({ n: 4 })
  })

  test('may be subscribed again after unsubscribing', async () => {
    const id = await subscribe('ayse')
    expect((await call('ayse', `DELETE /hooks/${id}/`)).statusCode).toBe(204)
    expect(await subscribe('ayse')).not.toBe(id)
  })

  test('are subscribed once when many ask at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('ayse', 'POST /hooks/', documented)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([
      201,
      ...Array.from({ length: 7 }, () => 406),
    ])
    expect(await rowCounts()).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }])
  })

  test.each(['PUT', 'PATCH'] as const)(
    'cannot be reached by %s either, and nothing of it is stored',
    async (method) => {
      await subscribe('ayse')
      const other = await subscribe('ayse', { target_url: 'https://example.com/other', secret_key: 'another' })
      const answer = await call('ayse', `${method} /hooks/${other}/`, { ...documented, secret_key: 'changed' })
      expect(answer.statusCode).toBe(406)
      expect(answer.json().code).toBe('webhook_100_2')
      expect(await subscriptions.find(db, other)).toMatchObject({ url: 'https://example.com/other', secret: 'another' })
    },
  )
})

describe('who may see a hook', () => {
  test('its owner and superusers; to everybody else it does not exist', async () => {
    const id = await subscribe('ayse')
    expect((await call('root', `GET /hooks/${id}/`)).statusCode).toBe(200)
    expect((await call('root', 'GET /hooks/')).json()).toHaveLength(1)
    expect((await call('bora', 'GET /hooks/')).json()).toEqual([])
    for (const [method, body] of [['GET'], ['DELETE'], ['PUT', documented], ['PATCH', { is_active: false }]] as const) {
      const answer = await call('bora', `${method} /hooks/${id}/`, body)
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toEqual({ detail: 'Not found.' })
    }
    expect(await subscriptions.find(db, id)).toMatchObject({ isActive: true })
  })

  test('stays its owner when a superuser changes it', async () => {
    const id = await subscribe('ayse')
    expect((await call('root', `PATCH /hooks/${id}/`, { is_active: false })).statusCode).toBe(200)
    expect((await call('ayse', `GET /hooks/${id}/`)).json().is_active).toBe(false)
  })

  test.each([
    ['nobody', 'GET', 401],
    ['nobody', 'POST', 401],
    ['buyer', 'GET', 403],
    ['buyer', 'POST', 403],
    ['ayse, elsewhere', 'GET', 403],
    ['ayse, reading', 'GET', 200],
    ['ayse, reading', 'POST', 403],
    ['ayse, writing', 'GET', 200],
    ['ayse, writing', 'POST', 400],
  ] as const)('%s gets, for %s, %i', async (who, method, status) => {
    expect((await call(who, `${method} /hooks/`, method === 'POST' ? {} : undefined)).statusCode).toBe(status)
  })

  test('is asked after the body is understood, and before the hook is looked for', async () => {
    expect((await call('buyer', 'PATCH /hooks/999/', { nonsense: 1 })).statusCode).toBe(403)
    expect((await call('ayse', 'PATCH /hooks/999/', { nonsense: 1 })).statusCode).toBe(400)
    expect((await call('ayse', 'PATCH /hooks/999/', {})).statusCode).toBe(404)
    expect((await call('ayse', 'GET /hooks/none/')).statusCode).toBe(404)
  })
})

describe('the list', () => {
  test('is filtered by event, URL and activity, as the original writes them too', async () => {
    const one = await subscribe('ayse')
    const two = await subscribe('ayse', {
      event_type: 'package.status.packed',
      target_url: 'https://example.com/Packed',
      is_active: false,
    })
    const ids = async (query: string) =>
      (await call('ayse', `GET /hooks/?${query}`)).json<{ id: number }[]>().map(({ id }) => id)
    expect(await ids('')).toEqual([one, two])
    expect(await ids('event_type=package.created')).toEqual([one])
    expect(await ids('event_type=package-status-packed')).toEqual([two])
    expect(await ids('event_type=nothing')).toEqual([])
    expect(await ids('target_url=https%3A%2F%2Fexample.com%2Fpacked')).toEqual([two])
    expect(await ids('is_active=true')).toEqual([one])
    expect(await ids('is_active=False')).toEqual([two])
    expect(await ids('ordering=-event_type')).toEqual([two, one])
    expect(await ids('ordering=is_active')).toEqual([two, one])
  })

  test('has up to 1,000 hooks where no limit is given', async () => {
    for (let index = 0; index < 11; index++)
      await call('ayse', 'POST /hooks/', { event_type: 'package.created', target_url: `https://example.com/${index}` })
    expect((await call('ayse', 'GET /hooks/')).json()).toHaveLength(11)
  })

  test('comes in pages, with links and the number of all', async () => {
    for (const number of [1, 2, 3]) await subscribe('ayse', { target_url: `https://example.com/${number}` })
    const answer = await call('ayse', 'GET /hooks/?limit=2&page=2&is_active=true')
    expect(answer.json<{ target_url: string }[]>().map(({ target_url: url }) => url)).toEqual(['https://example.com/3'])
    expect(answer.headers['x-total-count']).toBe('3')
    expect(answer.headers.link).toContain(
      '<http://waybill.test/whisperer/hooks/?limit=2&page=1&is_active=true>; rel="prev"',
    )
  })

  test.each(['page=0', 'limit=1001', 'limit=x', 'is_active=maybe', 'ordering=secret_key'])(
    'refuses %s, naming it',
    async (query) => {
      const answer = await call('ayse', `GET /hooks/?${query}`)
      expect(answer.statusCode).toBe(400)
      expect(Object.keys(answer.json())).toEqual([query.split('=')[0]])
    },
  )
})

test('the registry is an array of every event name', async () => {
  const answer = await call('ayse', 'GET /hooks/registry/')
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual(
    expect.arrayContaining(['package.created', 'package.status.packed_for_refund', 'stock_location.updated']),
  )
})
