import type { InjectOptions } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const test_ = await makeTestApp({ clock, environment: { FLOW_ENGINE: 'engine-2' } })
const { app } = test_
const { person, login } = makePeople(test_)

const url = '/api/engine-2/login'
const formType = 'application/x-www-form-urlencoded'
const wrong = 'The supplied username and password are not valid.'
const missing = 'The username and password must be specified.'

let asked = 0
/** From an address that nobody used before, so that failures elsewhere do not count. */
const send = (request: Omit<InjectOptions, 'remoteAddress'>) =>
  app.inject({
    method: 'POST',
    url,
    ...request,
    remoteAddress: `10.1.${Math.trunc((asked += 1) / 256)}.${asked % 256}`,
  })
const post = (payload: string | Buffer, headers: Record<string, string> = {}) =>
  send({ payload, headers: { 'content-type': formType, ...headers } })
const form = (username: string, password: string) => new URLSearchParams({ username, password }).toString()

beforeEach(() => clock.advance(3_600_000))

describe('logging in for flows', () => {
  test('answers the token and nothing else, as text that no cache keeps', async () => {
    const { email, password } = await person()
    const answer = await post(form(email, password))
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
  })

  test.each<[string, Omit<InjectOptions, 'payload'>]>([
    ['with a slash at its end', { url: `${url}/` }],
    ['with a letter of the path encoded', { url: '/api/engine-2/%6Cogin' }],
    [
      'with a content type in other letters and a charset',
      { headers: { 'content-type': `${formType.toUpperCase()}; Charset=UTF-8` } },
    ],
    ['with other credentials in the URL', { url: `${url}?username=a&password=b` }],
    ['with what cannot be read in the URL', { url: `${url}?username=%00&x=%zz` }],
    ['with a credential that is not valid', { headers: { authorization: 'Token nobody', 'content-type': formType } }],
  ])('works %s', async (_, request) => {
    const { email, password } = await person()
    const answer = await send({ headers: { 'content-type': formType }, ...request, payload: form(email, password) })
    expect([answer.statusCode, answer.body]).toEqual([200, expect.stringMatching(/^eyJ/)])
  })

  test('takes a user name, in any case, and a password of anything', async () => {
    const { password } = await person({ username: 'Flow-Porter', password: '  ü+%&=🔑\uFEFF ' })
    expect((await post(form('flow-porter', password))).statusCode).toBe(200)
    const blank = await person({ password: ' '.repeat(8) })
    expect((await post(`username=${blank.email}&password=++++++++`)).statusCode).toBe(200)
  })

  test('says the same to a wrong password, to nobody and to a deactivated person, headers included', async () => {
    const [active, inactive] = [await person(), await person({ is_active: false })]
    const answers = [
      await post(form(active.email, 'wrong')),
      await post(form('nobody@example.com', 'wrong')),
      await post(form('nobody', ' ')),
      await post(form(inactive.email, inactive.password)),
    ]
    const shown = answers.map(({ statusCode, headers, body }) =>
      JSON.stringify({ statusCode, headers: { ...headers, 'x-request-id': '', date: '' }, body }),
    )
    expect(new Set(shown).size).toBe(1)
    expect(answers[0]).toMatchObject({
      statusCode: 400,
      body: wrong,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    })
  })
})

describe('a form without both', async () => {
  const { email, password } = await person()
  const name = `username=${email}`
  const cases: [string, string | Buffer][] = [
    ['an empty body', ''],
    ['no password', name],
    ['no user name', `password=${password}`],
    ['an empty password', `${name}&password=`],
    ['an empty user name', `username=&password=${password}`],
    ['a password without equals sign', `${name}&password`],
    ['the user name twice', `${name}&${name}&password=battery+staple`],
    ['the password twice', `${name}&password=battery+staple&password=battery+staple`],
    ['a name longer than any', `username=${'a'.repeat(255)}&password=b`],
    ['a password longer than any', `${name}&password=${'b'.repeat(1025)}`],
    ['a broken percent-encoding', `${name}&password=100%`],
    ['a NUL', `${name}&password=%00`],
    ['half a surrogate pair', `${name}&password=%ED%A0%80`],
    ['bytes that are not UTF-8', Buffer.from(`${name}&password=\u00ff`, 'latin1')],
    ['JSON', JSON.stringify({ username: email, password })],
  ]
  test.each(cases)('%s is told so', async (_, payload) => {
    const answer = await post(payload)
    expect([answer.statusCode, answer.body]).toEqual([400, missing])
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
    })
  })

  test.each([
    ['in the URL', { url: `${url}?${form(email, password)}` }],
    [
      'in the URL, beside an empty form',
      { url: `${url}?${form(email, password)}`, headers: { 'content-type': formType } },
    ],
    ['as Basic', { headers: { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` } }],
  ])('with credentials %s is told so too', async (_, request) => {
    const answer = await send(request)
    expect([answer.statusCode, answer.body]).toEqual([400, missing])
  })

  test('of the longest that can be, is not one', async () => {
    const answer = await post(`username=${'%C3%A9'.repeat(254)}&password=${'%F0%9F%94%91'.repeat(1024)}`)
    expect([answer.statusCode, answer.body]).toEqual([400, wrong])
  })
})

describe('a request that is no form', () => {
  const instead = 'Send username and password as application/x-www-form-urlencoded.'
  test.each([
    ['JSON', { payload: { username: 'a', password: 'b' } }],
    ['JSON without a body', { headers: { 'content-type': 'application/json' } }],
    ['multipart', { payload: '--a--', headers: { 'content-type': 'multipart/form-data; boundary=a' } }],
    ['text', { payload: 'username=a&password=b', headers: { 'content-type': 'text/plain' } }],
    ['of a type that is none', { payload: 'username=a&password=b', headers: { 'content-type': 'form' } }],
    ['of an empty type', { payload: 'username=a&password=b', headers: { 'content-type': '' } }],
    ['without a type', { payload: 'username=a&password=b' }],
    ['of a longer type', { payload: 'username=a&password=b', headers: { 'content-type': `${formType}+x` } }],
  ])('%s is 415 and says what to send', async (_, request) => {
    const answer = await send(request)
    expect([answer.statusCode, answer.body]).toEqual([415, instead])
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  test('over 64 KiB is 413, at 64 KiB it is read', async () => {
    const [most, more] = ['a'.repeat(65_536), 'a'.repeat(65_537)]
    expect((await post(most)).body).toBe(missing)
    const answer = await post(more)
    expect([answer.statusCode, answer.body]).toEqual([413, 'The body is larger than 64 KiB.'])
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)('%s is 405 and says POST', async (method) => {
    for (const path of [url, `${url}/`, `${url}?username=a`]) {
      const answer = await send({ method, url: path })
      expect([answer.statusCode, answer.body]).toEqual([405, `Method "${method}" not allowed.`])
      expect(answer.headers).toMatchObject({ allow: 'POST', 'content-type': 'text/plain; charset=utf-8' })
    }
  })
  test.each([{ a: 1 }, '{broken', 'a=b'])('PUT with a body is 405 whatever the body is', async (payload) => {
    const types = ['application/json', formType, 'text/xml']
    const answers = await Promise.all(
      types.map((type) => send({ method: 'PUT', payload, headers: { 'content-type': type } })),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([405, 405, 405])
    expect(answers.map(({ headers }) => headers['content-type'])).toEqual(Array(3).fill('text/plain; charset=utf-8'))
  })
})

describe('after ten failed logins', () => {
  test.each(['here', 'at the other login'])(
    '%s, the right password is 429, and when to try again is told as there',
    async (where) => {
      const { email, password } = await person()
      for (let time = 0; time < 10; time++) {
        const answer =
          where === 'here' ? await post(form(email, 'wrong')) : await login(email, 'wrong', `10.2.0.${time}`)
        expect(answer.statusCode).toBe(400)
      }
      clock.advance(60_000)
      const [answer, other] = [await post(form(email, password)), await login(email, password, '10.2.1.1')]
      expect([answer.statusCode, answer.body]).toEqual([429, 'Too many failed logins. Try again in 840 seconds.'])
      expect(other.statusCode).toBe(429)
      for (const name of [
        'retry-after',
        'ratelimit-limit',
        'ratelimit-remaining',
        'ratelimit-reset',
        'cache-control',
      ]) {
        expect([name, answer.headers[name]]).toEqual([name, other.headers[name]])
      }
      expect(answer.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'retry-after': '840',
        'ratelimit-limit': '10',
        'ratelimit-remaining': '0',
        'ratelimit-reset': '840',
      })
      clock.advance(840_000)
      expect((await post(form(email, password))).statusCode).toBe(200)
    },
  )

  test('from one address, everyone there is refused', async () => {
    const { email, password } = await person()
    const from = (payload: string) =>
      app.inject({ method: 'POST', url, payload, headers: { 'content-type': formType }, remoteAddress: '192.0.2.7' })
    for (let time = 0; time < 10; time++) await from(form(`nobody-${time}@example.com`, 'wrong'))
    expect((await from(form(email, password))).statusCode).toBe(429)
    expect((await post(form(email, password))).statusCode).toBe(200)
  })

  test('what is missing does not count', async () => {
    const { email, password } = await person()
    for (let time = 0; time < 20; time++) await post(form(email, ''))
    expect((await post(form(email, password))).statusCode).toBe(200)
  })
})

describe('the rest of the service', () => {
  test.each(['', '/', '/nothing', '/login/more', '/logins', '/%E0%A4%A'])(
    'has no %s, in problem details',
    async (path) => {
      const answer = await send({ url: `/api/engine-2${path}` })
      expect(answer.headers['content-type']).toBe('application/problem+json')
      expect([answer.statusCode, answer.json()]).toEqual([
        404,
        { type: 'about:blank', title: 'Not Found', status: 404, detail: 'Not found.' },
      ])
    },
  )

  test.each(['/api/nifi/login', '/api/login', '/engine-2/login', '/api/v1/login'])('is not at %s', async (path) => {
    const answer = await send({ url: path })
    expect([answer.statusCode, answer.json()]).toEqual([404, { detail: 'Not found.' }])
  })
})
