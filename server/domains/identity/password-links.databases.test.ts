import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { hourMs } from '#platform/clock.ts'
import { eventually } from '#testing/eventually.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { makeMailServer } from '#testing/network/mail-server.ts'

const server = await makeMailServer()
const clock = makeFakeClock()
const environment = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, PUBLIC_URL: 'https://waybill.example' }
const test_ = await makeTestApp({ clock, environment })
const { app, call, services } = test_
const { db } = test_.database
const { person, login, authorization } = makePeople(test_)
const worker = services.find(({ name }) => name === 'jobs')
await worker?.start()
afterAll(() => worker?.stop())
type Headers = Record<string, string>
let calls = 0
beforeEach(() => {
  server.received.length = 0
  clock.advance(hourMs)
})

/** Each from an address of its own, where the address is not the point. */
const post = (url: string, payload: object, remoteAddress = `192.0.2.${(calls += 1) % 250}`) =>
  app.inject({ method: 'POST', url, payload, remoteAddress })
const ask = (email: string, address?: string) => post('/api/v1/auth/password/reset/', { email }, address)
const confirm = (token: string, password = 'another password') =>
  post('/api/v1/auth/password/reset/confirm/', { token, password })
const invite = (id: number) => call('POST', `/api/v1/users/${id}/invite/`)
const meStatus = async (headers: Headers) => (await app.inject({ url: '/api/v1/auth/me/', headers })).statusCode
const jobsOf = async (name: string): Promise<string[]> =>
  (await sql<{ data: object }>`select data from jobs.job where name = ${name}`.execute(db)).rows.map(({ data }) =>
    JSON.stringify(data),
  )

/** The tokens of the letters to this address, of which there are so many by now. */
const tokensTo = (email: string, count = 1): Promise<string[]> =>
  eventually(() => {
    const letters = server.received.filter(({ recipients }) => recipients.includes(email))
    expect(letters).toHaveLength(count)
    return letters.map(
      ({ text }) => /https:\/\/waybill\.example\/password\/reset#token=(wbp_[\w-]{43})/.exec(text ?? '')?.[1] ?? '',
    )
  })
const tokenOf = async (email: string): Promise<string> => {
  expect((await ask(email)).statusCode).toBe(202)
  return (await tokensTo(email))[0] ?? ''
}
const inform = (answer: Awaited<ReturnType<typeof ask>>) => [answer.statusCode, answer.json<{ code?: string }>().code]

describe('a reset', () => {
  test('sets a new password by the link, and ends whatever there was', async () => {
    const user = await person()
    const key = await authorization(user)
    const apiKey = (await call('POST', '/api/v1/auth/api-keys/', { name: 'x' }, key)).json<{ key: string }>().key
    await ask(user.email.toUpperCase())
    const [token = ''] = await tokensTo(user.email)
    const answer = await confirm(token)
    expect([answer.statusCode, answer.body, answer.headers['cache-control']]).toEqual([204, '', 'no-store'])
    expect([await meStatus(key), await meStatus({ authorization: apiKey })]).toEqual([401, 401])
    expect((await login(user.email, user.password)).statusCode).toBe(400)
    expect((await login(user.email, 'another password')).statusCode).toBe(200)
  })

  test('answers and does the same for nobody, and for somebody who may not log in, who get no letter', async () => {
    const [active, inactive] = [await person(), await person({ is_active: false })]
    const before = (await jobsOf('password-reset')).length
    const answers = [await ask('nobody@example.com'), await ask(inactive.email), await ask(active.email)]
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    await tokensTo(active.email)
    const jobs = await jobsOf('password-reset')
    expect(jobs.length).toBe(before + 3)
    expect(jobs.join('')).not.toContain('@')
    expect(server.received.map(({ recipients }) => recipients)).toEqual([[active.email]])
  })

  test('of many confirmations at once one wins', async () => {
    const user = await person()
    const token = await tokenOf(user.email)
    const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => confirm(token, `new password ${index}`)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([204, ...Array(5).fill(400)])
    const won = answers.findIndex(({ statusCode }) => statusCode === 204)
    expect((await login(user.email, `new password ${won}`)).statusCode).toBe(200)
  })

  test('is not outlived by a login with the old password that runs beside it', async () => {
    const user = await person()
    const token = await tokenOf(user.email)
    const [done, ...logins] = await Promise.all([
      confirm(token),
      ...Array.from({ length: 6 }, () => login(user.email, user.password)),
    ])
    expect(done.statusCode).toBe(204)
    const keys = logins.flatMap((answer) => answer.json<{ key?: string }>().key ?? [])
    expect(await Promise.all(keys.map((key) => meStatus({ authorization: key })))).toEqual(keys.map(() => 401))
  })

  test('by a link that was used, is unknown, too old or void is refused, always in the same words', async () => {
    const users = [await person(), await person(), await person(), await person(), await person()]
    const tokens = await Promise.all(users.map(({ email }) => tokenOf(email)))
    const [used = '', old = '', deactivated = '', moved = '', changed = ''] = tokens
    expect((await confirm(used)).statusCode).toBe(204)
    await call('PATCH', `/api/v1/users/${users[2]?.id}/`, { is_active: false })
    await call('PATCH', `/api/v1/users/${users[2]?.id}/`, { is_active: true })
    await call('PATCH', `/api/v1/users/${users[3]?.id}/`, { email: 'moved-away@example.com' })
    await call('PATCH', `/api/v1/users/${users[4]?.id}/`, { password: 'set by somebody' })
    const refused = [await confirm(used), await confirm('wbp_unknown'), await confirm(deactivated)]
    refused.push(await confirm(moved), await confirm(changed))
    clock.advance(hourMs)
    refused.push(await confirm(old))
    expect(new Set(refused.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    expect(refused.map(inform)[0]).toEqual([400, 'link_invalid'])
  })

  test('with a password that is refused leaves the link good', async () => {
    const user = await person()
    const token = await tokenOf(user.email)
    for (const password of ['seven77', user.email.toUpperCase()]) {
      const answer = await confirm(token, password)
      expect([answer.statusCode, Object.keys(answer.json<object>())]).toEqual([400, ['password']])
    }
    expect((await confirm(token)).statusCode).toBe(204)
  })

  test('is sent three times in a quarter of an hour, and each link is good', async () => {
    const user = await person()
    for (let time = 0; time < 5; time++) expect((await ask(user.email)).statusCode).toBe(202)
    const other = await person()
    await tokenOf(other.email)
    const tokens = await tokensTo(user.email, 3)
    expect(new Set(tokens).size).toBe(3)
    expect((await confirm(tokens[0] ?? '')).statusCode).toBe(204)
    // With the first that is used the others end.
    expect((await confirm(tokens[2] ?? '')).statusCode).toBe(400)
  })

  test('can be asked for ten times in a quarter of an hour from one address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => ask(`nobody-${index}@example.com`, '198.51.100.7')),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      ...Array(10).fill(202),
      429,
      429,
    ])
    expect(answers.find(({ statusCode }) => statusCode === 429)?.headers['retry-after']).toBe('900')
  })

  test('lets in whom others had locked out by ten wrong passwords', async () => {
    const user = await person()
    for (let time = 0; time < 10; time++) await login(user.email, 'wrong', `203.0.113.${time}`)
    expect((await login(user.email, user.password, '198.51.100.8')).statusCode).toBe(429)
    expect((await confirm(await tokenOf(user.email))).statusCode).toBe(204)
    expect((await login(user.email, 'another password', '198.51.100.8')).statusCode).toBe(200)
  })
})

describe('an invitation', () => {
  const newcomer = async (fields = {}) => {
    const email = `new-${(calls += 1)}@example.com`
    const answer = await call('POST', '/api/v1/users/', { email, ...fields })
    expect(answer.statusCode).toBe(201)
    return { email, id: answer.json<{ id: number }>().id }
  }

  test('lets a new user set the first password, once', async () => {
    const { email, id } = await newcomer()
    const answer = await invite(id)
    expect([answer.statusCode, answer.json()]).toEqual([
      202,
      { expires_at: new Date(clock.now().getTime() + 7 * 24 * hourMs).toISOString() },
    ])
    const [token = ''] = await tokensTo(email)
    clock.advance(7 * 24 * hourMs - 1)
    expect((await confirm(token)).statusCode).toBe(204)
    expect((await login(email, 'another password')).statusCode).toBe(200)
    expect((await confirm(token)).statusCode).toBe(400)
  })

  test('ends the one before', async () => {
    const { email, id } = await newcomer()
    await invite(id)
    const [first = ''] = await tokensTo(email)
    await invite(id)
    await tokensTo(email, 2)
    expect(inform(await confirm(first))).toEqual([400, 'link_invalid'])
  })

  test('is for who has no password and is active, and by superusers', async () => {
    const user = await person()
    expect(inform(await invite(user.id))).toEqual([400, 'password_already_set'])
    expect(inform(await invite((await newcomer({ is_active: false })).id))).toEqual([400, 'user_inactive'])
    expect((await invite(999_999)).statusCode).toBe(404)
    const own = await authorization(user)
    const { id } = await newcomer()
    expect((await call('POST', `/api/v1/users/${id}/invite/`, undefined, own)).statusCode).toBe(403)
  })

  test('who has not followed it cannot log in: the answer is that for nobody', async () => {
    const { email } = await newcomer()
    const answers = [await login(email, 'x'), await login('nobody@example.com', 'x')]
    expect(answers.map(({ statusCode, body }) => [statusCode, body])[0]).toEqual([400, answers[1]?.body])
    expect((await post('/api/v1/auth/login/', { username: email, password: '' })).statusCode).toBe(400)
  })
})

test('no token stands in the database, nor in what the API answers', async () => {
  const user = await person()
  const token = await tokenOf(user.email)
  const tables = await sql<{ name: string }>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`.execute(db)
  let rows = ''
  for (const { name } of tables.rows)
    rows +=
      (
        await sql<{
          text: string
        }>`select coalesce(string_agg(t::text, ''), '') as text from ${sql.table(name)} t`.execute(db)
      ).rows[0]?.text ?? ''
  expect(rows).toContain(user.email)
  expect(rows).not.toContain(token)
})
