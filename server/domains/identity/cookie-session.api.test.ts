import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeKeptLog } from '#testing/kept-log.ts'
import { makePeople, type TestPerson } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const kept = makeKeptLog()
const test_ = await makeTestApp({ clock, log: kept.log })
const { app, call, superuser } = test_
const { person, authorization } = makePeople(test_)

const session = '/api/v1/auth/session/'
const me = '/api/v1/auth/me/'
type Headers = Readonly<Record<string, string>>
const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, headers: Headers, payload?: object) =>
  app.inject({ method, url, headers, ...(payload && { payload }) })

/** A login in a browser: the headers that it sends, and the token that a page reads. */
const logIn = async ({ email, password }: Pick<TestPerson, 'email' | 'password'>) => {
  const answer = await send('POST', session, {}, { username: email, password })
  const [, key = ''] = /^waybill_session=([^;]*);/.exec(String(answer.headers['set-cookie'])) ?? []
  const csrf = { 'x-csrf-token': answer.json<{ csrf_token: string }>().csrf_token }
  const cookie = { cookie: `waybill_session=${key}` }
  return { answer, key, cookie, csrf, both: { ...cookie, ...csrf } }
}

describe('logging in with a cookie', () => {
  test('answers who it is with a token, and keeps the key from scripts', async () => {
    const who = await person({ first_name: 'Ayşe', is_staff: true })
    const { answer, key, cookie } = await logIn(who)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['set-cookie']).toBe(`waybill_session=${key}; Path=/; HttpOnly; SameSite=Strict`)
    expect(key).toMatch(/^wbl_[\w-]{43}$/)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body).not.toContain(key)
    const shown = (await send('GET', me, cookie)).json<object>()
    expect(shown).toMatchObject({ email: who.email, roles: ['staff'], scopes: null })
    expect(answer.json()).toEqual({ csrf_token: expect.stringMatching(/^[\w-]{43}$/), ...shown })
    expect((await send('GET', session, cookie)).json()).toEqual(answer.json())
  })

  test('fails and is throttled as every login', async () => {
    const { email, password } = await person()
    const wrong = await send('POST', session, {}, { username: email, password: 'wrong' })
    const usual = await send('POST', '/api/v1/auth/login/', {}, { username: email, password: 'wrong' })
    expect([wrong.statusCode, wrong.body, wrong.headers['set-cookie']]).toEqual([400, usual.body, undefined])
    for (let time = 0; time < 8; time++) await send('POST', session, {}, { username: email, password: 'wrong' })
    const refused = await send('POST', session, {}, { username: email, password })
    expect([refused.statusCode, refused.headers['set-cookie']]).toEqual([429, undefined])
    expect(refused.headers['retry-after']).toBeDefined()
    clock.advance(3_600_000)
  })

  test('is refused to pages of other sites', async () => {
    const { email, password } = await person()
    const answer = await send('POST', session, { 'sec-fetch-site': 'cross-site' }, { username: email, password })
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([403, undefined])
  })

  test('over TLS its cookie is one that no other host can set, and the plain name counts for nothing', async () => {
    const secure = await makeTestApp({ environment: { PUBLIC_URL: 'https://waybill.example' } })
    const { email, password } = secure.superuser
    const answer = await secure.app.inject({ method: 'POST', url: session, payload: { username: email, password } })
    const [, key = ''] = /^__Host-waybill_session=(\S+);/.exec(String(answer.headers['set-cookie'])) ?? []
    expect(answer.headers['set-cookie']).toBe(
      `__Host-waybill_session=${key}; Path=/; HttpOnly; SameSite=Strict; Secure`,
    )
    const statusWith = async (cookie: string) =>
      (await secure.app.inject({ method: 'GET', url: me, headers: { cookie } })).statusCode
    expect(await statusWith(`__Host-waybill_session=${key}`)).toBe(200)
    expect(await statusWith(`waybill_session=${key}`)).toBe(401)
  })
})

test('no cache keeps what was asked for with a cookie; pages and files say for themselves', async () => {
  const { cookie } = await logIn(superuser)
  const cacheControl = async (url: string, headers: Headers) =>
    (await send('GET', url, headers)).headers['cache-control']
  for (const url of ['/api/v1/packages/', '/api/v1/packages/999999/', '/api/v1/nothing/'])
    expect([url, await cacheControl(url, cookie)]).toEqual([url, 'no-store'])
  expect(await cacheControl('/api/v1/packages/', { authorization: superuser.authorization })).toBeUndefined()
  expect(await cacheControl('/', cookie)).toBe('no-cache')
})

describe('what changes something', () => {
  const name = { first_name: 'Changed' }

  test('takes the token of this very session', async () => {
    const [one, other] = [await logIn(await person()), await logIn(await person())]
    const tries: [Headers, number][] = [
      [one.cookie, 403],
      [{ ...one.cookie, 'x-csrf-token': '' }, 403],
      [{ ...one.cookie, 'x-csrf-token': 'x'.repeat(43) }, 403],
      [{ ...one.cookie, ...other.csrf }, 403],
      [{ ...one.cookie, 'x-csrf-token': `${one.csrf['x-csrf-token']}, ${one.csrf['x-csrf-token']}` }, 403],
      [{ ...one.both, 'sec-fetch-site': 'cross-site' }, 403],
      [{ ...one.both, 'sec-fetch-site': 'same-origin' }, 200],
      [one.both, 200],
      // A token alone is nobody.
      [one.csrf, 401],
    ]
    for (const [headers, status] of tries) {
      const answer = await send('PATCH', me, headers, name)
      expect([answer.statusCode, headers]).toEqual([status, headers])
      const says = status === 403 ? /"detail":".*(x-csrf-token|other sites)/ : /./
      expect(answer.body).toMatch(says)
    }
  })

  test('whatever the method, before the body is looked at', async () => {
    const { cookie } = await logIn(superuser)
    for (const [method, url] of [
      ['POST', '/api/v1/users/'],
      ['DELETE', '/api/v1/auth/sessions/'],
      ['DELETE', session],
      ['POST', '/api/v1/auth/logout/'],
    ] as const)
      expect([url, (await send(method, url, cookie, { wrong: 1 })).statusCode]).toEqual([url, 403])
    expect((await send('GET', me, cookie)).statusCode).toBe(200)
  })

  test('an Idempotency-Key is that of its caller, whatever they log in with', async () => {
    const boss = await person({ is_superuser: true })
    const [mine, theirs] = [await logIn(superuser), await logIn(boss)]
    const key = { 'idempotency-key': 'once' }
    const make = async (headers: Headers, email: string) => {
      const answer = await send('POST', '/api/v1/users/', { ...headers, ...key }, { email })
      return [answer.statusCode, answer.json<{ id?: number }>().id]
    }
    const [status, id] = await make(mine.both, 'once@example.com')
    expect(status).toBe(201)
    expect(await make(mine.both, 'once@example.com')).toEqual([201, id])
    expect(await make({ authorization: superuser.authorization }, 'once@example.com')).toEqual([201, id])
    expect(await make(theirs.both, 'twice@example.com')).toEqual([201, Number(id) + 1])
  })
})

describe('a cookie beside another credential is ignored', () => {
  test('whoever the other one is', async () => {
    const [one, other] = [await person(), await person()]
    const [{ cookie }, token] = [await logIn(one), await authorization(other)]
    const asked = await send('GET', me, { ...cookie, ...token })
    expect(asked.json()).toMatchObject({ email: other.email })
    // A program needs no token against forgery, and none helps it.
    expect((await send('PATCH', me, { ...cookie, ...token }, { last_name: 'x' })).json()).toMatchObject({
      email: other.email,
    })
    expect((await send('GET', session, { ...cookie, ...token })).statusCode).toBe(401)
    expect((await send('DELETE', session, { ...cookie, ...token })).statusCode).toBe(401)
    expect((await send('GET', me, cookie)).statusCode).toBe(200)
  })

  test.each([{ authorization: 'Token wrong' }, { authorization: '' }, { 'x-access-token': 'wrong' }])(
    'also where that is not valid: %j',
    async (wrong) => {
      const { both } = await logIn(await person())
      expect((await send('GET', me, { ...both, ...wrong })).statusCode).toBe(401)
    },
  )
})

describe('a cookie that is not one login key is none', () => {
  test('however it is written', async () => {
    const who = await person()
    const [{ key, both }, another] = [await logIn(who), await logIn(who)]
    const apiKey = (await send('POST', '/api/v1/auth/api-keys/', both, { name: 'x' })).json<{ key: string }>().key
    const tokens = await send('POST', '/api/v1/auth/token/', {}, { username: who.email, password: who.password })
    const { access_token: jwt, refresh_token: refresh } = tokens.json<Record<string, string>>()
    const good = [`waybill_session=${key}`, `a=b; waybill_session=${key};c`, ` waybill_session = ${key} `]
    const twice = `waybill_session=${key}; waybill_session=${key}`
    const bad = [
      `waybill_session=${key}; waybill_session=${another.key}`,
      `waybill_session=; waybill_session=${key}`,
      `waybill_session="${key}"`,
      `waybill_session=${key}x`,
      `waybill_session=${key.slice(0, -1)}`,
      `waybill_session=${key.replace('_', '%5F')}`,
      `Waybill_Session=${key}`,
      `xwaybill_session=${key}`,
      `__Host-waybill_session=${key}`,
      `waybill_session=${key}=`,
      `waybill_session=\u00FF\u00FE\u0080`,
      `waybill_session=${'=;'.repeat(2_000)}`,
      'waybill_session',
      '',
      ...[apiKey, jwt, refresh].map((other) => `waybill_session=${other}`),
    ]
    const statusOf = async (cookie: string) => [cookie, (await send('GET', me, { cookie })).statusCode]
    for (const cookie of [...good, twice]) expect(await statusOf(cookie)).toEqual([cookie, 200])
    for (const cookie of bad) expect(await statusOf(cookie)).toEqual([cookie, 401])
  })

  test('nor is the token of anything else good for its session', async () => {
    expect((await call('GET', session)).statusCode).toBe(401)
    expect((await call('DELETE', session)).statusCode).toBe(401)
    expect((await send('GET', session, {})).statusCode).toBe(401)
  })
})

test('no line of the log has a cookie or a token', async () => {
  const { key, csrf, both, cookie } = await logIn(await person())
  await send('PATCH', me, both, { first_name: 'x' })
  await send('PATCH', me, cookie, { first_name: 'x' })
  await send('DELETE', session, both)
  const lines = kept.text()
  expect(lines).toContain('/api/v1/auth/session')
  expect(lines).not.toContain(key.slice(4))
  expect(lines).not.toContain(csrf['x-csrf-token'])
})

describe('it is a session like others', () => {
  test('and ends where it is logged out, for good', async () => {
    const { both, cookie } = await logIn(await person())
    const answer = await send('DELETE', session, both)
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect(answer.headers['set-cookie']).toBe('waybill_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict')
    for (const url of [me, session]) expect((await send('GET', url, cookie)).statusCode).toBe(401)
    expect((await send('DELETE', session, both)).statusCode).toBe(401)
  })

  test('which is listed, and ends there', async () => {
    const who = await person()
    const [here, there] = [await logIn(who), await logIn(who)]
    const list = (await send('GET', '/api/v1/auth/sessions/', here.cookie)).json<
      { id: number; is_current: boolean }[]
    >()
    expect(list).toHaveLength(2)
    const others = list.filter((one) => !one.is_current)
    expect((await send('DELETE', `/api/v1/auth/sessions/${others[0]?.id}`, here.both)).statusCode).toBe(204)
    expect((await send('GET', me, there.cookie)).statusCode).toBe(401)
    expect((await send('GET', me, here.cookie)).statusCode).toBe(200)
  })

  test('and ends with a change of the password, unless that is made here', async () => {
    const who = await person()
    const [here, there] = [await logIn(who), await logIn(who)]
    const change = { password: 'another password', current_password: who.password }
    expect((await send('PATCH', me, here.both, change)).statusCode).toBe(200)
    expect((await send('GET', me, there.cookie)).statusCode).toBe(401)
    expect((await send('GET', session, here.cookie)).json()).toMatchObject({ csrf_token: here.csrf['x-csrf-token'] })
    await call('PATCH', `/api/v1/users/${who.id}/`, { is_active: false })
    expect((await send('GET', me, here.cookie)).statusCode).toBe(401)
  })

  test('and after 30 days without use', async () => {
    const { cookie } = await logIn(await person())
    clock.advance(30 * 86_400_000)
    expect((await send('GET', me, cookie)).statusCode).toBe(401)
  })
})
