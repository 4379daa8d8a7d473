import { dayMs } from '#platform/clock.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const test_ = await makeTestApp({ clock })
const { app } = test_
const { person, authorization } = makePeople(test_)

beforeEach(() => clock.advance(3_600_000))

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url, payload, headers })
const me = (headers: Record<string, string>) => app.inject({ url: '/api/v1/auth/me/', headers })
const statusOf = async (headers: Record<string, string>) => (await me(headers)).statusCode
const logout = (headers: Record<string, string>) => app.inject({ method: 'POST', url: '/api/v1/auth/logout/', headers })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

interface Pair {
  readonly access_token: string
  readonly refresh_token: string
}
const tokensOf = async ({ email, password }: { email: string; password: string }): Promise<Pair> => {
  const answer = await post('/api/v1/auth/token/', { username: email, password })
  expect(answer.statusCode).toBe(200)
  return answer.json<Pair>()
}
const refresh = (token: string) => post('/api/v1/auth/token/', { refresh_token: token })

describe('logging out', () => {
  test('ends a login key, and no other', async () => {
    const user = await person()
    const [one, other] = [await authorization(user), await authorization(user)]
    const answer = await logout(one)
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect([await statusOf(one), await statusOf(other)]).toEqual([401, 200])
    expect((await logout(one)).statusCode).toBe(401)
  })

  test('ends an API key, also a limited one', async () => {
    const user = await authorization(await person())
    const key = (await post('/api/v1/auth/api-keys/', { name: 'x', scopes: ['hooks:read'] }, user)).json<{
      key: string
    }>().key
    expect((await logout({ 'x-access-token': key })).statusCode).toBe(204)
    expect([await statusOf({ 'x-access-token': key }), await statusOf(user)]).toEqual([401, 200])
  })

  test('with an access token ends its session at once: every access token, and the refresh token', async () => {
    const user = await person()
    const first = await tokensOf(user)
    const second = (await refresh(first.refresh_token)).json<Pair>()
    const another = await tokensOf(user)
    expect((await logout(bearer(first.access_token))).statusCode).toBe(204)
    expect(await statusOf(bearer(first.access_token))).toBe(401)
    expect(await statusOf(bearer(second.access_token))).toBe(401)
    expect((await refresh(second.refresh_token)).statusCode).toBe(401)
    expect(await statusOf(bearer(another.access_token))).toBe(200)
  })

  test('without a credential is 401', async () => {
    expect((await logout({})).statusCode).toBe(401)
  })
})

describe('access tokens', () => {
  test('come with what a client needs to use and refresh them', async () => {
    const { email, password } = await person()
    const answer = await post('/api/v1/auth/token/', { username: email, password })
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 900,
      refresh_token: expect.stringMatching(/^wbr_/),
    })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('end after fifteen minutes; a refresh gives the next ones', async () => {
    const tokens = await tokensOf(await person())
    clock.advance(900_000)
    expect(await statusOf(bearer(tokens.access_token))).toBe(401)
    const next = (await refresh(tokens.refresh_token)).json<Pair>()
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    expect(await statusOf(bearer(next.access_token))).toBe(200)
  })

  test('a refresh token that comes back ends the whole session', async () => {
    const tokens = await tokensOf(await person())
    const next = (await refresh(tokens.refresh_token)).json<Pair>()
    const again = await refresh(tokens.refresh_token)
    expect([again.statusCode, again.json()]).toEqual([401, { detail: expect.any(String) }])
    expect(await statusOf(bearer(next.access_token))).toBe(401)
    expect((await refresh(next.refresh_token)).statusCode).toBe(401)
  })

  test('of many refreshes at once with one token, exactly one wins, and the session ends', async () => {
    const tokens = await tokensOf(await person())
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(tokens.refresh_token)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, ...Array(7).fill(401)])
    const winner = answers.find(({ statusCode }) => statusCode === 200)?.json<Pair>()
    expect((await refresh(winner?.refresh_token ?? '')).statusCode).toBe(401)
    expect(await statusOf(bearer(winner?.access_token ?? ''))).toBe(401)
  })

  const bad: [string, object, string[]][] = [
    ['nothing', {}, ['password', 'username']],
    ['a name alone', { username: 'a' }, ['password']],
    ['both', { username: 'a', password: 'b', refresh_token: 'c' }, ['refresh_token']],
    ['a refresh token that is no text', { refresh_token: 1 }, ['refresh_token']],
  ]
  test.each(bad)('asked for with %s are a field error', async (_, body, fields) => {
    const answer = await post('/api/v1/auth/token/', body)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json<object>()).toSorted()).toEqual(fields)
  })

  test.each(['wbr_unknown', 'é', ' '])('an unknown refresh token is 401', async (token) => {
    expect((await refresh(token)).statusCode).toBe(401)
  })
})

// These two outlive the login of the first superuser, so their people are made before.
const [lasting, other] = [await person(), await person()]

test('a session ends thirty days after its last refresh, and a year after the login', async () => {
  let tokens = await tokensOf(lasting)
  for (let day = 29; day <= 348; day += 29) {
    clock.advance(29 * dayMs)
    tokens = (await refresh(tokens.refresh_token)).json<Pair>()
  }
  clock.advance(17 * dayMs)
  expect((await refresh(tokens.refresh_token)).statusCode).toBe(401)

  const idle = await tokensOf(lasting)
  clock.advance(30 * dayMs)
  expect((await refresh(idle.refresh_token)).statusCode).toBe(401)
})

test('a login key ends thirty days after its last use, and a year after the login', async () => {
  const [used, idle] = [await authorization(other), await authorization(other)]
  for (let day = 29; day <= 348; day += 29) {
    clock.advance(29 * dayMs)
    expect(await statusOf(used)).toBe(200)
  }
  expect(await statusOf(idle)).toBe(401)
  clock.advance(17 * dayMs)
  expect(await statusOf(used)).toBe(401)
})
