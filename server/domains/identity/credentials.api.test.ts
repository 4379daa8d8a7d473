import { describe, expect, test } from 'vitest'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const test_ = await makeTestApp()
const { app } = test_
const { person, login, authorization } = makePeople(test_)

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url, payload, headers })
const me = (headers: Record<string, string>) => app.inject({ url: '/api/v1/auth/me/', headers })
const statusOf = async (headers: Record<string, string>) => (await me(headers)).statusCode
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('a credential is valid wherever it is presented', async () => {
  const user = await person()
  const loginKey = (await login(user.email, user.password)).json<{ key: string }>().key
  const made = await post('/api/v1/auth/api-keys/', { name: 'places' }, { authorization: `Token ${loginKey}` })
  const pair = await post('/api/v1/auth/token/', { username: user.email, password: user.password })
  const tokens = pair.json<{ access_token: string; refresh_token: string }>()
  const credentials = {
    'login key': loginKey,
    'API key': made.json<{ key: string }>().key,
    'access token': tokens.access_token,
  }
  const places: Record<string, (credential: string) => Record<string, string>> = {
    'Authorization: Bearer': bearer,
    'Authorization: Token': (text) => ({ authorization: `Token ${text}` }),
    'Authorization: Api-Key': (text) => ({ authorization: `Api-Key ${text}` }),
    'Authorization: api-key': (text) => ({ authorization: `api-key ${text}` }),
    'Authorization, bare': (text) => ({ authorization: text }),
    'x-access-token': (text) => ({ 'x-access-token': text }),
    'both headers': (text) => ({ authorization: `Token ${text}`, 'x-access-token': text }),
  }
  const all = Object.entries(credentials).flatMap(([kind, text]) =>
    Object.entries(places).map(([place, in_]) => [kind, place, in_(text)] as const),
  )
  test.each(all)('%s in %s', async (_, __, headers) => {
    const answer = await me(headers)
    expect([answer.statusCode, answer.json<{ email?: string }>().email]).toEqual([200, user.email])
  })

  test('two different ones at once are refused, even when both are valid', async () => {
    const { 'login key': one, 'API key': two } = credentials
    expect(await statusOf({ authorization: `Token ${one}`, 'x-access-token': two })).toBe(401)
  })

  const changed = credentials['access token'].replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  const invalid: [string, Record<string, string>][] = [
    ['no credential', {}],
    ['an unknown key', { authorization: `Token wbl_${'a'.repeat(43)}` }],
    ['half a key', { authorization: `Token ${loginKey.slice(0, -1)}` }],
    ['a refresh token', { authorization: `Token ${tokens.refresh_token}` }],
    ['a JWT cut short', bearer(credentials['access token'].slice(0, -5))],
    ['a JWT with another header', bearer(credentials['access token'].replace(/^[^.]+/, 'eyJhbGciOiJub25lIn0'))],
    [
      'a JWT with a changed signature',
      bearer(changed.slice(0, -2) + (changed.at(-2) === 'x' ? 'y' : 'x') + changed.slice(-1)),
    ],
    ['a JWT of nothing', bearer('e30.e30.e30')],
    ['a password', { authorization: `Basic ${Buffer.from(`${user.email}:${user.password}`).toString('base64')}` }],
    ['an empty header', { authorization: '' }],
    ['a scheme alone', { authorization: 'Bearer' }],
    ['twelve kilobytes', { authorization: `Token ${'a'.repeat(12_000)}` }],
    ['twelve kilobytes of dots', { 'x-access-token': '.'.repeat(12_000) }],
    ['letters beyond ASCII', { authorization: 'Token \u00e9\u00ff' }],
    ['a quote', { authorization: `Token ' or 1=1 --` }],
  ]
  test.each(invalid)('%s is 401', async (_, headers) => {
    const answer = await me(headers)
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toEqual({ detail: expect.any(String) })
    expect(answer.headers['www-authenticate']).toBeDefined()
  })
})

test('the caller sees who they are', async () => {
  const user = await person({ username: 'porter-1', first_name: 'Pia', last_name: 'Porter', is_staff: true })
  expect((await me(await authorization(user))).json()).toEqual({
    id: user.id,
    email: user.email,
    username: 'porter-1',
    first_name: 'Pia',
    last_name: 'Porter',
    is_staff: true,
    is_superuser: false,
    roles: ['staff'],
    division: null,
    locale: '',
    time_zone: '',
    organizations: [],
    scopes: null,
  })
})

test('people who come at the same moment are told apart, and who lost their key is refused among them', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => person()))
  const withKeys = await Promise.all(all.map(async (user) => ({ user, headers: await authorization(user) })))
  const [gone = { headers: {} }, ...others] = withKeys
  const atOnce = async () => {
    const requests = [...withKeys, ...withKeys].map(({ headers }) => me(headers))
    return (await Promise.all(requests)).map((answer) => answer.json<{ email?: string }>().email)
  }
  const emails = all.map(({ email }) => email)
  expect(await atOnce()).toEqual([...emails, ...emails])
  expect((await post('/api/v1/auth/logout/', {}, gone.headers)).statusCode).toBeLessThan(300)
  const left = [undefined, ...others.map(({ user }) => user.email)]
  expect(await atOnce()).toEqual([...left, ...left])
})
