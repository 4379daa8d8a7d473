import { beforeEach, describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const test_ = await makeTestApp({ clock })
const { app } = test_
const { person, login } = makePeople(test_)

beforeEach(() => clock.advance(3_600_000))

const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })

describe('logging in for a key', () => {
  test('answers the key and nothing else, and no cache keeps it', async () => {
    const { email, password } = await person()
    const answer = await login(email, password)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ key: expect.stringMatching(/^wbl_[\w-]{43}$/) })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('says the same for a wrong password, for nobody and for a deactivated person', async () => {
    const [active, inactive] = [await person(), await person({ is_active: false })]
    const answers = [
      await login(active.email, 'wrong'),
      await login('nobody@example.com', 'wrong'),
      await login(inactive.email, inactive.password),
      await post('/api/v1/auth/token/', { username: active.email, password: 'wrong' }),
      await post('/api/v1/auth/token/', { username: 'nobody@example.com', password: 'wrong' }),
    ]
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    expect(answers[0]?.statusCode).toBe(400)
    expect(answers[0]?.json()).toEqual({ non_field_errors: [expect.any(String)] })
    expect(answers.map(({ headers }) => headers['cache-control'])).toEqual(Array(5).fill('no-store'))
  })

  const bad: [string, object, string[]][] = [
    ['without fields', {}, ['password', 'username']],
    ['without a password', { username: 'a' }, ['password']],
    ['with empty fields', { username: '', password: '' }, ['password', 'username']],
    ['with a long name', { username: 'a'.repeat(255), password: 'b' }, ['username']],
    ['with a long password', { username: 'a', password: 'b'.repeat(1025) }, ['password']],
    ['with other types', { username: 1, password: ['b'] }, ['password', 'username']],
    ['with an unknown field', { username: 'a', password: 'b', otp: '1' }, ['otp']],
    ['with a NUL', { username: 'a\u0000', password: 'b' }, ['username']],
  ]
  test.each(bad)('%s is a field error', async (_, body, fields) => {
    const answer = await post('/api/v1/auth/login/', body)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json<object>()).toSorted()).toEqual(fields)
  })
})

test.each(['/api/v1/auth/login/', '/api/v1/auth/token/'])(
  'a body over 64 KiB is not read without a credential: %s',
  async (url) => {
    const send = (bytes: number) => {
      const [before, after] = ['{"username":"', '","password":"x"}']
      const payload = `${before}${'x'.repeat(bytes - before.length - after.length)}${after}`
      return app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } })
    }
    const large = await send(65_537)
    expect([large.statusCode, large.json()]).toEqual([413, { detail: 'The body is larger than 64 KiB.' }])
    expect((await send(65_536)).statusCode).toBe(400)
  },
)

describe('after ten failed logins', () => {
  test.each(['/api/v1/auth/login/', '/api/v1/auth/token/'])(
    '%s answers 429 to the right password, and says when',
    async (url) => {
      const { email, password } = await person()
      for (let time = 0; time < 10; time++) expect((await login(email, 'wrong')).statusCode).toBe(400)
      clock.advance(60_000)
      const answer = await post(url, { username: email, password })
      expect(answer.statusCode).toBe(429)
      expect(answer.json()).toEqual({ detail: expect.any(String) })
      expect(answer.headers).toMatchObject({
        'retry-after': '840',
        'ratelimit-limit': '10',
        'ratelimit-remaining': '0',
        'ratelimit-reset': '840',
      })
      clock.advance(840_000)
      expect((await post(url, { username: email, password })).statusCode).toBe(200)
    },
  )

  test('at both operations together', async () => {
    const { email, password } = await person()
    const wrong = { username: email, password: 'wrong' }
    for (let time = 0; time < 5; time++) {
      await post('/api/v1/auth/login/', wrong)
      await post('/api/v1/auth/token/', wrong)
    }
    expect((await login(email, password, '192.0.2.1')).statusCode).toBe(429)
  })

  test('from one address, everyone there is refused, and nobody elsewhere', async () => {
    const { email, password } = await person()
    for (let time = 0; time < 10; time++) await login(`nobody-${time}@example.com`, 'wrong', '192.0.2.7')
    expect((await login(email, password, '192.0.2.7')).statusCode).toBe(429)
    expect((await login(email, password, '192.0.2.8')).statusCode).toBe(200)
  })

  test('refreshing is not logging in', async () => {
    const user = await person()
    const tokens = await post('/api/v1/auth/token/', { username: user.email, password: user.password })
    for (let time = 0; time < 10; time++) await login(user.email, 'wrong')
    const { refresh_token } = tokens.json<{ refresh_token: string }>()
    expect((await post('/api/v1/auth/token/', { refresh_token })).statusCode).toBe(200)
  })
})
