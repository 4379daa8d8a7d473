import { beforeEach, describe, expect, test } from 'vitest'
import { allScopes } from '#platform/auth/principal.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const test_ = await makeTestApp({ clock })
const { app, call, database } = test_
const { person, authorization } = makePeople(test_)
const url = '/api/v1/auth/api-keys/'

// More than a minute each time, so that every use of the superuser's key is noted and it does not end.
beforeEach(() => clock.advance(3_600_000))

interface ApiKey {
  readonly id: number
  readonly key: string
  readonly prefix: string
  readonly last_used_at: string | null
}
const make = async (headers: Record<string, string>, body: object = {}): Promise<ApiKey> => {
  const answer = await call('POST', url, { name: 'a key', ...body }, headers)
  expect(answer.statusCode).toBe(201)
  return answer.json<ApiKey>()
}
const list = async (headers: Record<string, string>) => (await call('GET', url, undefined, headers)).json<ApiKey[]>()
const statusWith = async (key: string, path = '/api/v1/auth/me/') =>
  (await call('GET', path, undefined, { authorization: `Api-Key ${key}` })).statusCode

test('a key is shown once, when it is made', async () => {
  const user = await authorization(await person())
  const body = {
    name: 'Warehouse',
    scopes: ['order-management:write', 'hooks:read', 'hooks:read'],
    expires_at: '2027-12-31 00:00:00',
  }
  const made = await make(user, body)
  const shown = {
    id: made.id,
    name: 'Warehouse',
    prefix: made.key.slice(0, 12),
    scopes: ['order-management:write', 'hooks:read'],
    created_at: clock.now().toISOString(),
    expires_at: '2027-12-31T00:00:00.000Z',
    last_used_at: null,
  }
  expect(made).toEqual({ ...shown, key: expect.stringMatching(/^wbk_[\w-]{43}$/) })
  expect(await list(user)).toEqual([shown])
})

test('neither a key nor a password is stored', async () => {
  const owner = await person()
  const user = await authorization(owner)
  const { key } = await make(user)
  const tables = ['users', 'accessKeys', 'loginNames', 'refreshTokens', 'idempotencyKeys'] as const
  const rows = await Promise.all(tables.map((table) => database.db.selectFrom(table).selectAll().execute()))
  const stored = JSON.stringify(rows)
  expect(stored).not.toContain(key)
  expect(stored).not.toContain(user.authorization.replace('Token ', ''))
  expect(stored).not.toContain(owner.password)
  expect(stored).toContain('$argon2id$')
})

test('a key made with an Idempotency-Key is not kept for a repetition', async () => {
  const headers = { ...(await authorization(await person())), 'idempotency-key': 'once' }
  expect((await make(headers)).key).not.toBe((await make(headers)).key)
})

test('without scopes a key has all rights of its user', async () => {
  const { authorization: admin } = test_.superuser
  for (const scopes of [undefined, null]) {
    const { key } = await make({ authorization: admin }, { scopes })
    expect(await statusWith(key, '/api/v1/users/')).toBe(200)
    expect(await statusWith(key, url)).toBe(200)
  }
})

describe('a limited key', () => {
  test('says what it is limited to', async () => {
    const { key } = await make(await authorization(await person()), { scopes: ['quotations:read'] })
    const answer = await call('GET', '/api/v1/auth/me/', undefined, { authorization: key })
    expect(answer.json()).toMatchObject({ scopes: ['quotations:read'] })
  })

  test('reaches neither keys nor users, so it cannot give itself more', async () => {
    const { key } = await make({ authorization: test_.superuser.authorization }, { scopes: [...allScopes] })
    const authorized = { authorization: `Api-Key ${key}` }
    const requests = [
      ['GET', url],
      ['POST', url],
      ['DELETE', `${url}1/`],
      ['GET', '/api/v1/users/'],
      ['POST', '/api/v1/users/'],
      ['PATCH', '/api/v1/users/1/'],
    ] as const
    for (const [method, path] of requests) expect((await call(method, path, {}, authorized)).statusCode).toBe(403)
  })

  const stock = '/api/v1/stock_locations/'
  const cases = allScopes.map((scope) => [
    scope,
    scope.startsWith('order-management') ? 200 : 403,
    scope === 'order-management:write' ? 201 : 403,
  ])
  test.each(cases)('with %s: reading stock locations %i, making one %i', async (scope, read, write) => {
    const { key } = await make({ authorization: test_.superuser.authorization }, { scopes: [scope] })
    expect(await statusWith(key, stock)).toBe(read)
    const body = { code: `at-${String(scope)}`, name: 'Somewhere' }
    expect((await call('POST', stock, body, { authorization: key })).statusCode).toBe(write)
  })

  test('of a plain user is not staff, whatever its scopes', async () => {
    const { key } = await make(await authorization(await person()), { scopes: ['order-management:write'] })
    expect(await statusWith(key, stock)).toBe(403)
  })
})

test('a key ends at its time', async () => {
  const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString()
  const { key } = await make(await authorization(await person()), { expires_at: expiresAt })
  clock.advance(59_999)
  expect(await statusWith(key)).toBe(200)
  clock.advance(1)
  expect(await statusWith(key)).toBe(401)
})

test('a key that ends makes none that lasts longer; one that does not end makes any', async () => {
  const inAnHour = new Date(clock.now().getTime() + 3_600_000).toISOString()
  const ending = await make(await authorization(await person()), { expires_at: inAnHour })
  const headers = { authorization: `Api-Key ${ending.key}` }
  for (const expiresAt of [undefined, null, new Date(Date.parse(inAnHour) + 1).toISOString()]) {
    const answer = await call('POST', url, { name: 'a child', expires_at: expiresAt }, headers)
    expect([answer.statusCode, Object.keys(answer.json<object>())]).toEqual([400, ['expires_at']])
  }
  expect(await make(headers, { expires_at: inAnHour })).toMatchObject({ expires_at: inAnHour })

  const endless = await make(await authorization(await person()))
  expect(await make({ authorization: `Api-Key ${endless.key}` })).toMatchObject({ expires_at: null })
})

test('the last use is noted, at most once a minute, and leaves the end as it is', async () => {
  const user = await authorization(await person())
  const { key } = await make(user, { expires_at: '2030-01-01T00:00:00Z' })
  const first = clock.now().toISOString()
  const seen: unknown[] = []
  for (const wait of [0, 59_999, 1]) {
    clock.advance(wait)
    await statusWith(key)
    seen.push((await list(user))[0]?.last_used_at)
  }
  expect(seen).toEqual([first, first, clock.now().toISOString()])
  expect((await list(user))[0]).toMatchObject({ expires_at: '2030-01-01T00:00:00.000Z' })
})

test('people see and revoke only their own keys', async () => {
  const [one, other] = [await authorization(await person()), await authorization(await person())]
  const { id, key } = await make(one)
  expect(await list(other)).toEqual([])
  expect((await call('DELETE', `${url}${id}/`, undefined, other)).statusCode).toBe(404)
  expect((await call('DELETE', `${url}${id}/`)).statusCode).toBe(404)
  expect(await statusWith(key)).toBe(200)

  const answer = await call('DELETE', `${url}${id}/`, undefined, one)
  expect([answer.statusCode, answer.body]).toEqual([204, ''])
  expect(await statusWith(key)).toBe(401)
  expect((await call('DELETE', `${url}${id}/`, undefined, one)).statusCode).toBe(404)
})

test('login keys are not among the API keys', async () => {
  const user = await authorization(await person())
  expect(await list(user)).toEqual([])
  const rows = await database.db
    .selectFrom('accessKeys')
    .select('id')
    .where('kind', '=', 'login')
    .orderBy('id', 'desc')
    .execute()
  expect((await call('DELETE', `${url}${rows[0]?.id}/`, undefined, user)).statusCode).toBe(404)
})

test('the list is paged', async () => {
  const user = await authorization(await person())
  const ids = []
  for (let time = 0; time < 3; time++) ids.push((await make(user)).id)
  const page = await call('GET', `${url}?limit=2&page=2`, undefined, user)
  expect(page.headers['x-total-count']).toBe('3')
  expect(page.headers['link']).toContain('rel="prev"')
  expect(page.json<ApiKey[]>().map(({ id }) => id)).toEqual(ids.slice(2))
})

const bad: [string, object, string][] = [
  ['without a name', {}, 'name'],
  ['with an empty name', { name: '' }, 'name'],
  ['with an unknown scope', { name: 'x', scopes: ['everything'] }, 'scopes.0'],
  ['with an empty list of scopes', { name: 'x', scopes: [] }, 'scopes'],
  ['with scopes as a text', { name: 'x', scopes: 'hooks:read' }, 'scopes'],
  ['that has ended', { name: 'x', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
  ['with an end that is no time', { name: 'x', expires_at: 'soon' }, 'expires_at'],
  ['for someone else', { name: 'x', user: 1 }, 'user'],
]
test.each(bad)('a key %s is refused', async (_, body, field) => {
  const answer = await call('POST', url, body)
  expect([answer.statusCode, Object.keys(answer.json<object>())]).toEqual([400, [field]])
})

test('without a credential there is nothing to see', async () => {
  expect((await app.inject({ method: 'GET', url })).statusCode).toBe(401)
})
