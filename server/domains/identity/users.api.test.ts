import { describe, expect, test } from 'vitest'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const test_ = await makeTestApp()
const { app, call, superuser } = test_
const { person, login, authorization } = makePeople(test_)
const url = '/api/v1/users/'
const patch = (id: number, body: object, headers = {}) => call('PATCH', `${url}${id}/`, body, headers)
const statusOf = async (headers: Record<string, string>) =>
  (await app.inject({ url: '/api/v1/auth/me/', headers })).statusCode

describe('making a user', () => {
  test('answers the user, without the password, and where it is', async () => {
    const body = {
      email: 'Ada@Example.com',
      password: 'engine no. 1',
      first_name: 'Ada',
      last_name: 'L.',
      is_staff: true,
    }
    const answer = await call('POST', url, body)
    expect(answer.statusCode).toBe(201)
    const user = answer.json<{ id: number }>()
    expect(user).toEqual({
      id: expect.any(Number),
      email: 'Ada@Example.com',
      username: 'Ada@Example.com',
      first_name: 'Ada',
      last_name: 'L.',
      is_staff: true,
      is_superuser: false,
      is_active: true,
      division: null,
      locale: '',
      time_zone: '',
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      modified_at: expect.stringMatching(/\.\d{3}Z$/),
    })
    expect(answer.headers['location']).toMatch(/^https?:\/\/[^/]+\//)
    expect(new URL(answer.headers['location'] ?? '').pathname).toBe(`${url}${user.id}/`)
    expect((await call('GET', `${url}${user.id}`)).json()).toEqual(user)
    expect((await login('ada@example.COM', 'engine no. 1')).statusCode).toBe(200)
  })

  test('what was read can be sent back', async () => {
    const { id } = await person({ first_name: 'Back' })
    const read = (await call('GET', `${url}${id}/`)).json<{ modified_at: string }>()
    const answer = await patch(id, read)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ ...read, modified_at: expect.any(String) })
  })

  test('with an Idempotency-Key it is made once', async () => {
    const body = { email: 'once@example.com', password: 'battery staple' }
    const make = () => call('POST', url, body, { 'idempotency-key': 'make-once' })
    const [first, second] = [await make(), await make()]
    expect([first.statusCode, second.statusCode]).toEqual([201, 201])
    expect(second.json()).toEqual(first.json())
  })

  const valid = { email: 'someone@example.com', password: 'battery staple' }
  const bad: [string, object, string[]][] = [
    ['without fields', {}, ['email']],
    ['with an e-mail that is none', { ...valid, email: 'someone' }, ['email']],
    ['with a long e-mail', { ...valid, email: `${'a'.repeat(250)}@example.com` }, ['email']],
    ['with a short password', { ...valid, password: 'seven77' }, ['password']],
    ['with a long password', { ...valid, password: 'p'.repeat(129) }, ['password']],
    ['with the e-mail as password', { ...valid, password: 'Someone@example.com' }, ['password']],
    ['with spaces in the user name', { ...valid, username: 'some one' }, ['username']],
    ['in a division that does not exist', { ...valid, division: 1 }, ['division']],
    ['in division zero', { ...valid, division: 0 }, ['division']],
    ['with an unknown field', { ...valid, role: 'superuser' }, ['role']],
    ['with texts for booleans', { ...valid, is_staff: 'true' }, ['is_staff']],
    ['with a NUL in the name', { ...valid, first_name: 'a\u0000' }, ['first_name']],
  ]
  test.each(bad)('%s is a field error', async (_, body, fields) => {
    const answer = await call('POST', url, body)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json<object>()).toSorted()).toEqual(fields)
    expect(answer.body).not.toContain('anyOf')
  })
})

describe('login names are unique, in any case', () => {
  test('an e-mail', async () => {
    const { email } = await person()
    const answer = await call('POST', url, { email: email.toUpperCase(), password: 'battery staple' })
    expect([answer.statusCode, Object.keys(answer.json<object>())]).toEqual([400, ['email']])
  })
  test('a user name, which may be nobody else’s e-mail either', async () => {
    const one = await person({ username: 'keeper' })
    const other = await person()
    for (const username of ['KEEPER', one.email]) {
      const answer = await patch(other.id, { username })
      expect([answer.statusCode, Object.keys(answer.json<object>())]).toEqual([400, ['username']])
    }
    expect((await patch(one.id, { username: 'Keeper' })).statusCode).toBe(200)
  })
  test('of many that are made at once with one e-mail, one is made', async () => {
    const make = () => call('POST', url, { email: 'race@example.com', password: 'battery staple' })
    const answers = await Promise.all(Array.from({ length: 5 }, make))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 400, 400, 400, 400])
  })
  test('a name that was given up can be taken', async () => {
    const one = await person({ username: 'first-name' })
    await patch(one.id, { username: null, email: 'moved@example.com' })
    expect((await person({ username: 'first-name' })).id).not.toBe(one.id)
    expect((await person({ email: one.email })).id).not.toBe(one.id)
    expect((await call('GET', `${url}${one.id}/`)).json()).toMatchObject({ username: 'moved@example.com' })
    expect((await login('moved@example.com', one.password)).statusCode).toBe(200)
  })
})

describe('credentials end at once', () => {
  const credentialsOf = async (user: { email: string; password: string }) => {
    const key = await authorization(user)
    const api = (await call('POST', '/api/v1/auth/api-keys/', { name: 'x' }, key)).json<{ key: string }>()
    const tokens = (await call('POST', '/api/v1/auth/token/', { username: user.email, password: user.password })).json<{
      access_token: string
      refresh_token: string
    }>()
    const headers = [key, { authorization: api.key }, { authorization: `Bearer ${tokens.access_token}` }]
    return { statuses: () => Promise.all(headers.map(statusOf)), refreshToken: tokens.refresh_token }
  }
  const refreshStatus = async (token: string) =>
    (await call('POST', '/api/v1/auth/token/', { refresh_token: token })).statusCode

  test.each([
    ['when the person is deactivated', { is_active: false }],
    ['when the password is changed', { password: 'another password' }],
  ])('%s', async (_, change) => {
    const user = await person()
    const { statuses, refreshToken } = await credentialsOf(user)
    expect(await statuses()).toEqual([200, 200, 200])
    expect((await patch(user.id, change)).statusCode).toBe(200)
    expect(await statuses()).toEqual([401, 401, 401])
    expect(await refreshStatus(refreshToken)).toBe(401)
    // Reactivating brings none of them back.
    await patch(user.id, { is_active: true })
    expect(await statuses()).toEqual([401, 401, 401])
  })

  test('but not when something else changes', async () => {
    const user = await person()
    const { statuses } = await credentialsOf(user)
    await patch(user.id, { first_name: 'New', is_staff: true, is_active: true })
    expect(await statuses()).toEqual([200, 200, 200])
  })

  test('the new password logs in, the old one does not', async () => {
    const user = await person()
    await patch(user.id, { password: 'another password' })
    expect((await login(user.email, user.password)).statusCode).toBe(400)
    expect((await login(user.email, 'another password')).statusCode).toBe(200)
  })

  test('a login or a new key that runs beside a change of the password does not outlive it', async () => {
    for (let round = 0; round < 3; round++) {
      const user = await person()
      const key = await authorization(user)
      const make = () => call('POST', '/api/v1/auth/api-keys/', { name: 'x' }, key)
      const [, ...answers] = await Promise.all([
        patch(user.id, { password: 'another password' }),
        ...Array.from({ length: 4 }, () => login(user.email, user.password)),
        ...Array.from({ length: 4 }, make),
      ])
      const keys = answers.flatMap((answer) => answer.json<{ key?: string }>().key ?? [])
      expect(await Promise.all(keys.map((made) => statusOf({ authorization: made })))).toEqual(keys.map(() => 401))
    }
  })

  test('rights that were taken away are gone with the next request', async () => {
    const user = await person({ is_superuser: true })
    const key = await authorization(user)
    expect((await call('GET', url, undefined, key)).statusCode).toBe(200)
    await patch(user.id, { is_superuser: false })
    expect((await call('GET', url, undefined, key)).statusCode).toBe(403)
  })
})

describe('an active superuser is always left', () => {
  const idOf = async (headers: Record<string, string>) =>
    (await app.inject({ url: '/api/v1/auth/me/', headers })).json<{ id: number }>().id

  test.each([{ is_superuser: false }, { is_active: false }])('the last one refuses %o', async (change) => {
    const id = await idOf(superuser)
    const answer = await patch(id, change)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'last_superuser', non_field_errors: [expect.any(String)] })
    expect((await patch(id, { is_superuser: true, is_active: true })).statusCode).toBe(200)
  })

  test('an inactive one does not count', async () => {
    await person({ is_superuser: true, is_active: false })
    expect((await patch(await idOf(superuser), { is_superuser: false })).statusCode).toBe(400)
  })

  test('of two that demote each other at once, one stays', async () => {
    const id = await idOf(superuser)
    for (let round = 0; round < 3; round++) {
      const other = await person({ is_superuser: true })
      const othersKey = await authorization(other)
      const answers = await Promise.all([
        patch(other.id, { is_superuser: false }),
        patch(id, { is_superuser: false }, othersKey),
      ])
      const done = answers.filter(({ statusCode }) => statusCode === 200)
      expect(done.length).toBe(1)
      const { db } = test_.database
      const left = await db
        .selectFrom('users')
        .select('id')
        .where('isSuperuser', '=', true)
        .where('isActive', '=', true)
        .execute()
      expect(left.length).toBe(1)
      // Whoever is left, the next round starts from the same state.
      await db.updateTable('users').set({ isSuperuser: true }).where('id', '=', id).execute()
      await db.updateTable('users').set({ isSuperuser: false }).where('id', '=', other.id).execute()
    }
  })
})

describe('the list', () => {
  const emails = async (query: string) =>
    (await call('GET', `${url}?limit=1000&${query}`)).json<{ email: string }[]>().map(({ email }) => email)

  test('is filtered and ordered', async () => {
    await person({ email: 'list_b@filter.test', is_staff: true })
    await person({ email: 'list_a@filter.test', is_active: false })
    await person({ email: 'listXa@filter.test' })
    expect(await emails('email=LIST_')).toEqual(['list_b@filter.test', 'list_a@filter.test'])
    expect(await emails('email=filter.test&is_staff=true')).toEqual(['list_b@filter.test'])
    expect(await emails('email=filter.test&is_active=false')).toEqual(['list_a@filter.test'])
    expect(await emails('email=list_&ordering=email')).toEqual(['list_a@filter.test', 'list_b@filter.test'])
    expect(await emails('email=list_&ordering=-created_at')).toEqual(['list_a@filter.test', 'list_b@filter.test'])
    expect(await emails('email=%25')).toEqual([])
    expect(await emails(`email=${encodeURIComponent('\\')}`)).toEqual([])
  })

  test('is paged, ten at a time', async () => {
    for (let time = 0; time < 3; time++) await person({ email: `page-${time}@paged.test` })
    const page = await call('GET', `${url}?email=paged.test&limit=2`)
    expect(page.json<unknown[]>().length).toBe(2)
    expect(page.headers['x-total-count']).toBe('3')
    expect(page.headers['link']).toMatch(/email=paged\.test.*page=2.*rel="next"/)
    expect((await call('GET', `${url}?page=9007199254740991&limit=1000`)).json()).toEqual([])
  })

  test.each(['ordering=password_hash', 'limit=0', 'limit=1001', 'page=0', 'is_staff=maybe', 'email=%00', 'page=x'])(
    '%s is 400',
    async (query) => {
      expect((await call('GET', `${url}?${query}`)).statusCode).toBe(400)
    },
  )
})

describe('only superusers reach users', () => {
  test.each([{}, { is_staff: true }])('a person with %o does not', async (fields) => {
    const key = await authorization(await person(fields))
    for (const method of ['GET', 'POST'] as const) expect((await call(method, url, {}, key)).statusCode).toBe(403)
    for (const method of ['GET', 'PATCH'] as const)
      expect((await call(method, `${url}1/`, {}, key)).statusCode).toBe(403)
  })
  test('nobody without a credential does', async () => {
    expect((await app.inject({ url })).statusCode).toBe(401)
  })
})

test.each(['999999', '0', '-1', 'x', '9007199254740993', '1e3'])('user %s is 404', async (id) => {
  expect((await call('GET', `${url}${id}/`)).statusCode).toBe(404)
  expect((await call('PATCH', `${url}${id}/`, { first_name: 'x' })).statusCode).toBe(404)
})

test('users are not deleted', async () => {
  const { id } = await person()
  const answer = await call('DELETE', `${url}${id}/`)
  expect([answer.statusCode, answer.headers['allow']]).toEqual([405, expect.stringContaining('PATCH')])
})
