import { beforeEach, describe, expect, test } from 'vitest'
import { hourMs } from '#platform/clock.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople, type TestPerson } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const test_ = await makeTestApp({ clock })
const { app, call } = test_
const { person, authorization } = makePeople(test_)
const superuser = { authorization: test_.superuser.authorization }
beforeEach(() => clock.advance(hourMs))

type Headers = Record<string, string>
interface Session {
  readonly id: number
  readonly kind: string
  readonly last_used_at: string | null
  readonly is_current: boolean
}
interface Pair {
  readonly access_token: string
  readonly refresh_token: string
}
const mine = '/api/v1/auth/sessions/'
const of = ({ id }: TestPerson) => `/api/v1/users/${id}/sessions/`
const post = (url: string, payload: object, headers: Headers = {}, remoteAddress = '192.0.2.7') =>
  app.inject({ method: 'POST', url, payload, headers, remoteAddress })
const statusOf = async (headers: Headers) => (await app.inject({ url: '/api/v1/auth/me/', headers })).statusCode
const bearer = ({ access_token: token }: Pair): Headers => ({ authorization: `Bearer ${token}` })
const tokensOf = async ({ email, password }: TestPerson, headers: Headers = {}): Promise<Pair> =>
  (await post('/api/v1/auth/token/', { username: email, password }, headers)).json<Pair>()
const refresh = ({ refresh_token: token }: Pair) => post('/api/v1/auth/token/', { refresh_token: token })
const apiKey = async (headers: Headers, more: object = {}): Promise<Headers & { id: string }> => {
  const { id, key } = (await post('/api/v1/auth/api-keys/', { name: 'x', ...more }, headers)).json<{
    id: number
    key: string
  }>()
  return { authorization: `Api-Key ${key}`, id: String(id) }
}
const list = async (headers: Headers, url = mine): Promise<Session[]> =>
  (await app.inject({ url: `${url}?limit=100`, headers })).json<Session[]>()
const end = async (headers: Headers, url: string) => (await app.inject({ method: 'DELETE', url, headers })).statusCode
const currentOf = async (headers: Headers): Promise<number> =>
  (await list(headers)).find(({ is_current: isCurrent }) => isCurrent)?.id ?? 0

describe('the sessions of a person', () => {
  test('are their login keys and tokens, with where each came from; API keys are none', async () => {
    const user = await person()
    await authorization(await person())
    const key = await authorization(user)
    await apiKey(key)
    const madeAt = clock.now()
    clock.advance(1000)
    const tokens = await tokensOf(user, { 'user-agent': 'Browser 1' })
    const [ofTokens, ofKey, ...others] = await list(bearer(tokens))
    expect(others).toEqual([])
    expect(ofTokens).toEqual({
      id: expect.any(Number),
      kind: 'token',
      created_at: clock.now().toISOString(),
      last_used_at: clock.now().toISOString(),
      expires_at: new Date(clock.now().getTime() + 30 * 24 * hourMs).toISOString(),
      address: '192.0.2.7',
      user_agent: 'Browser 1',
      is_current: true,
    })
    expect(ofKey).toMatchObject({
      kind: 'key',
      created_at: madeAt.toISOString(),
      address: '127.0.0.1',
      is_current: false,
    })
    expect((await list(key)).map(({ is_current: isCurrent }) => isCurrent)).toEqual([false, true])
  })

  test('are those that have not ended by themselves', async () => {
    const user = await person()
    const [key] = [await authorization(user), await authorization(user), await tokensOf(user)]
    for (const days of [20, 10]) {
      clock.advance(days * 24 * hourMs)
      expect([await statusOf(key), await statusOf(superuser)]).toEqual([200, 200])
    }
    expect(await list(superuser, of(user))).toMatchObject([{ id: await currentOf(key) }])
  })

  test.each([
    ['x'.repeat(10_000), 'x'.repeat(256)],
    ['a\u0000b\u001b[31m', 'a b [31m'],
    [`${'x'.repeat(255)}😀`, `${'x'.repeat(255)}\uFFFD`],
  ])('keep of the user agent what is harmless', async (agent, kept) => {
    const user = await person()
    const headers = bearer(await tokensOf(user, { 'user-agent': agent }))
    expect(await list(headers)).toMatchObject([{ user_agent: kept }])
  })

  test('say to the minute when tokens were last used, by a request or by a refresh', async () => {
    const user = await person()
    const tokens = await tokensOf(user)
    const lastUsed = async () => (await list(superuser, of(user)))[0]?.last_used_at
    expect(await lastUsed()).toBe(null)
    const usedAt = clock.now().toISOString()
    await statusOf(bearer(tokens))
    clock.advance(59_000)
    await statusOf(bearer(tokens))
    expect(await lastUsed()).toBe(usedAt)
    clock.advance(1_000)
    await statusOf(bearer(tokens))
    expect(await lastUsed()).toBe(clock.now().toISOString())
    clock.advance(1_000)
    await refresh(tokens)
    expect(await lastUsed()).toBe(clock.now().toISOString())
  })

  test('are not for keys that are limited', async () => {
    const user = await authorization(await person())
    const limited = await apiKey(user, { scopes: ['hooks:write'] })
    expect((await app.inject({ url: mine, headers: limited })).statusCode).toBe(403)
    expect([await end(limited, mine), await end(limited, `${mine}2/`)]).toEqual([403, 403])
    expect(await statusOf(user)).toBe(200)
  })
})

describe('an ended session', () => {
  test('has a key that is refused at once', async () => {
    const user = await person()
    const [one, other] = [await authorization(user), await authorization(user)]
    const url = `${mine}${await currentOf(one)}/`
    expect([await end(other, url), await statusOf(one), await statusOf(other)]).toEqual([204, 401, 200])
    expect(await end(other, url)).toBe(404)
  })

  test('has tokens that are refused at once, those of earlier refreshes too', async () => {
    const user = await person()
    const key = await authorization(user)
    const [first, other] = [await tokensOf(user), await tokensOf(user)]
    const second = (await refresh(first)).json<Pair>()
    expect(await end(key, `${mine}${await currentOf(bearer(second))}/`)).toBe(204)
    expect([await statusOf(bearer(first)), await statusOf(bearer(second))]).toEqual([401, 401])
    expect((await refresh(second)).statusCode).toBe(401)
    expect([await statusOf(bearer(other)), (await refresh(other)).statusCode]).toEqual([200, 200])
  })

  test('can be the one that is used', async () => {
    const headers = await authorization(await person())
    expect([await end(headers, `${mine}${await currentOf(headers)}/`), await statusOf(headers)]).toEqual([204, 401])
  })

  test('is nobody else’s, and no API key', async () => {
    const [user, stranger] = [await person(), await person({ is_staff: true })]
    const [key, other] = [await authorization(user), await authorization(stranger)]
    const tokens = await tokensOf(user)
    const program = await apiKey(key)
    const ids = [await currentOf(key), await currentOf(bearer(tokens))]
    for (const id of ids) {
      expect(await end(other, `${mine}${id}/`)).toBe(404)
      expect(await end(superuser, `${of(stranger)}${id}/`)).toBe(404)
    }
    const near = [Number(program.id), Number(program.id) * 2, Number(program.id) * 2 + 1, 1, 9_007_199_254_740_991]
    for (const id of near.filter((one) => !ids.includes(one))) expect(await end(key, `${mine}${id}/`)).toBe(404)
    for (const headers of [key, bearer(tokens), program]) expect(await statusOf(headers)).toBe(200)
  })
})

describe('ending all others', () => {
  test.each(['key', 'token'])('leaves the %s that it was asked with, and API keys', async (kind) => {
    const user = await person()
    const [key, tokens] = [await authorization(user), await tokensOf(user)]
    const [kept, ended] = kind === 'key' ? [key, bearer(tokens)] : [bearer(tokens), key]
    const [program, another, stranger] = [
      await apiKey(key),
      await authorization(user),
      await authorization(await person()),
    ]
    expect(await end(kept, mine)).toBe(204)
    expect([await statusOf(ended), await statusOf(another)]).toEqual([401, 401])
    for (const headers of [kept, program, stranger]) expect(await statusOf(headers)).toBe(200)
    expect((await refresh(tokens)).statusCode).toBe(kind === 'key' ? 401 : 200)
    expect(await list(kept)).toMatchObject([{ is_current: true, kind }])
  })

  test('with an API key ends all', async () => {
    const user = await authorization(await person())
    const program = await apiKey(user)
    expect([await end(program, mine), await statusOf(user), await statusOf(program)]).toEqual([204, 401, 200])
  })
})

describe('superusers', () => {
  test('see and end the sessions of others', async () => {
    const user = await person()
    const [one, other] = [await authorization(user), await authorization(user)]
    const [tokens, program] = [await tokensOf(user), await apiKey(one)]
    expect((await list(superuser, of(user))).map(({ id }) => id)).toEqual((await list(one)).map(({ id }) => id))
    expect((await list(superuser, of(user))).some(({ is_current: isCurrent }) => isCurrent)).toBe(false)
    expect(await end(superuser, `${of(user)}${await currentOf(one)}/`)).toBe(204)
    expect([await statusOf(one), await statusOf(other)]).toEqual([401, 200])
    expect(await end(superuser, of(user))).toBe(204)
    expect([await statusOf(other), await statusOf(bearer(tokens)), await statusOf(program)]).toEqual([401, 401, 200])
    expect(await list(superuser, of(user))).toEqual([])
  })

  test('keep their own session when they end theirs by their id', async () => {
    const boss = await person({ is_superuser: true })
    const [one, other] = [await authorization(boss), await authorization(boss)]
    expect([await end(one, of(boss)), await statusOf(one), await statusOf(other)]).toEqual([204, 200, 401])
  })

  test('are told when there is no such user, and nobody else gets in', async () => {
    const nobody = { id: 999_999, email: '', password: '' }
    expect((await call('GET', of(nobody))).statusCode).toBe(404)
    expect([await end(superuser, of(nobody)), await end(superuser, `${of(nobody)}2/`)]).toEqual([404, 404])
    const user = await person({ is_staff: true })
    const headers = await authorization(user)
    expect((await app.inject({ url: of(user), headers })).statusCode).toBe(403)
    expect([await end(headers, of(user)), await end(headers, `${of(user)}2/`)]).toEqual([403, 403])
  })

  test('leave an invitation good that the user has not used', async () => {
    const user = await person({ password: undefined })
    expect((await call('POST', `/api/v1/users/${user.id}/invite/`)).statusCode).toBe(202)
    const links = () => test_.database.db.selectFrom('passwordLinks').where('userId', '=', user.id).select('purpose')
    expect(await end(superuser, of(user))).toBe(204)
    expect(await links().execute()).toEqual([{ purpose: 'invite' }])
  })
})
