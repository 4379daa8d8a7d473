import { beforeEach, describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const test_ = await makeTestApp({ clock })
const { app, call } = test_
const { person, login, authorization } = makePeople(test_)
type Headers = Record<string, string>
beforeEach(() => clock.advance(3_600_000))

const change = (headers: Headers, body: object) => call('PATCH', '/api/v1/auth/me/', body, headers)
const me = (headers: Headers) => app.inject({ url: '/api/v1/auth/me/', headers })
const statusesOf = async (...all: Headers[]) => Promise.all(all.map(async (headers) => (await me(headers)).statusCode))
const post = (url: string, payload: object, headers: Headers = {}) =>
  app.inject({ method: 'POST', url, payload, headers })
const tokensOf = async ({ email, password }: { email: string; password: string }) => {
  const answer = await post('/api/v1/auth/token/', { username: email, password })
  const tokens = answer.json<{ access_token: string; refresh_token: string }>()
  return { bearer: { authorization: `Bearer ${tokens.access_token}` }, refreshToken: tokens.refresh_token }
}
const apiKeyOf = async (headers: Headers, body = {}) => ({
  authorization: (await post('/api/v1/auth/api-keys/', { name: 'x', ...body }, headers)).json<{ key: string }>().key,
})
const fresh = 'another password'

describe('people change their own account', () => {
  test('names, language and time zone, and nothing else', async () => {
    const headers = await authorization(await person())
    const read = (await me(headers)).json<object>()
    const wanted = { first_name: 'Ayşe', last_name: 'Y.', locale: 'tr', time_zone: 'Europe/Istanbul' }
    const answer = await change(headers, { ...read, ...wanted, is_superuser: true, email: 'other@example.com' })
    expect([answer.statusCode, answer.json()]).toEqual([200, { ...read, ...wanted }])
    expect((await me(headers)).json()).toEqual({ ...read, ...wanted })
    expect((await change(headers, { locale: '', time_zone: '' })).json()).toMatchObject({ locale: '', time_zone: '' })
    expect((await change(headers, { time_zone: 'europe/istanbul' })).json()).toMatchObject({
      time_zone: 'Europe/Istanbul',
    })
    const refused = (await change(headers, { locale: 'de' })).json()
    expect(refused).toEqual({ locale: ['Expected one of: en, tr, or an empty text.'] })
  })

  const bad: [string, object, string[]][] = [
    ['a language that there is not', { locale: 'de' }, ['locale']],
    ['a time zone that there is not', { time_zone: 'Europe/Atlantis' }, ['time_zone']],
    ['an offset for a time zone', { time_zone: '+03:00' }, ['time_zone']],
    ['an unknown field', { role: 'superuser' }, ['role']],
    ['a password without the present one', { password: fresh }, ['current_password']],
    ['the present password alone', { current_password: 'battery staple' }, ['password']],
    ['a wrong present password', { password: fresh, current_password: 'wrong' }, ['current_password']],
    ['a short password', { password: 'seven77', current_password: 'battery staple' }, ['password']],
  ]
  test.each(bad)('%s is a field error', async (_, body, fields) => {
    const user = await person()
    const answer = await change(await authorization(user), { first_name: 'New', ...body })
    expect([answer.statusCode, Object.keys(answer.json<object>())]).toEqual([400, fields])
    expect((await me(await authorization(user))).json()).toMatchObject({ first_name: '' })
  })

  test('not with a limited key', async () => {
    const key = await apiKeyOf(await authorization(await person()), { scopes: ['hooks:write'] })
    expect((await change(key, { first_name: 'New' })).statusCode).toBe(403)
  })
})

describe('a new password of one’s own', () => {
  const body = { password: fresh, current_password: 'battery staple' }

  test('ends every other login, and neither the present one nor API keys', async () => {
    const user = await person()
    const [here, elsewhere] = [await authorization(user), await authorization(user)]
    const [tokens, apiKey] = [await tokensOf(user), await apiKeyOf(here)]
    expect((await change(here, body)).statusCode).toBe(200)
    expect(await statusesOf(here, apiKey, elsewhere, tokens.bearer)).toEqual([200, 200, 401, 401])
    expect((await post('/api/v1/auth/token/', { refresh_token: tokens.refreshToken })).statusCode).toBe(401)
    expect((await login(user.email, 'battery staple')).statusCode).toBe(400)
    expect((await login(user.email, fresh)).statusCode).toBe(200)
  })

  test('keeps the session whose access token it came with', async () => {
    const user = await person()
    const [here, elsewhere, key] = [await tokensOf(user), await tokensOf(user), await authorization(user)]
    expect((await change(here.bearer, body)).statusCode).toBe(200)
    expect(await statusesOf(here.bearer, elsewhere.bearer, key)).toEqual([200, 401, 401])
    expect((await post('/api/v1/auth/token/', { refresh_token: here.refreshToken })).statusCode).toBe(200)
  })

  test('is not outlived by a login with the old one that runs beside it', async () => {
    for (let round = 0; round < 3; round++) {
      const user = await person()
      const here = await authorization(user)
      const [changed, ...logins] = await Promise.all([
        change(here, body),
        ...Array.from({ length: 6 }, () => login(user.email, user.password)),
      ])
      expect(changed.statusCode).toBe(200)
      const keys = logins.flatMap((answer) => answer.json<{ key?: string }>().key ?? [])
      expect(await statusesOf(here, ...keys.map((key) => ({ authorization: key })))).toEqual([
        200,
        ...keys.map(() => 401),
      ])
    }
  })

  test('can be guessed at ten times in a quarter of an hour, with whatever login of the person', async () => {
    const user = await person()
    const headers = [await authorization(user), (await tokensOf(user)).bearer]
    const guess = (index: number) => change(headers[index % 2] ?? {}, { ...body, current_password: 'wrong' })
    const answers = await Promise.all(Array.from({ length: 14 }, (_, index) => guess(index)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      ...Array(10).fill(400),
      ...Array(4).fill(429),
    ])
    expect((await change(headers[0] ?? {}, body)).statusCode).toBe(429)
    clock.advance(900_000)
    expect((await change(headers[0] ?? {}, body)).statusCode).toBe(200)
  })
})
