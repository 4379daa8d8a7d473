import { pino } from 'pino'
import type { FastifyPluginAsync } from 'fastify'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Scope } from '#platform/auth/principal.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeApp } from '#platform/http/app.ts'
import { makeWrite } from '#platform/http/idempotency.ts'
import { problemDetails, problemResponses } from '#platform/http/errors/problem-details.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { testIdempotency } from '#testing/idempotency-keys.ts'
import { makeKeptLog } from '#testing/kept-log.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeIdentity } from './index.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const kept = makeKeptLog()
const oldKey = Buffer.alloc(32, 1)
const write = makeWrite({ db, ...testIdempotency })
const config = { ADMIN_EMAIL: 'admin@waybill.test', ADMIN_PASSWORD: 'correct horse battery' }
const deps = { db, clock, write, log: kept.log, csrfKey: Buffer.alloc(32), config, baseUrl: () => '' }

/** Routes of a surface with tokens of its own: for everybody, for staff, and one that forgot to name it. */
const surface: FastifyPluginAsync = async (app) => {
  const schema = { response: problemResponses }
  const access = { role: 'user', audience: 'flows' } as const
  app.get('/surface/me', { schema, config: { access } }, async ({ principal }) => principal)
  app.get('/surface/staff', { schema, config: { access: { ...access, role: 'staff' } } }, async () => ({}))
  app.get('/surface/other', { schema, config: { access: { role: 'user' } } }, async () => ({}))
}
const serve = async (keys: { tokenKey: Buffer; earlierTokenKeys?: readonly Buffer[] }) => {
  const identity = makeIdentity({ ...deps, ...keys })
  const app = await makeApp({
    log: pino({ level: 'silent' }),
    authenticate: identity.authenticate,
    description: { version: '0.0.0', webhooks: {} },
    errorShapes: [problemDetails('/surface')],
    trustedProxies: [],
    corsOrigins: [],
    routes: [identity.routes, surface],
  })
  afterAll(() => app.close())
  return { identity, app }
}
const { identity, app } = await serve({ tokenKey: oldKey })
const logIn = identity.logInFor('flows')
await identity.ensureSuperuser()

let made = 0
const tokenOf = async (email: string, password = 'battery staple'): Promise<string> =>
  (await logIn(email, password, `10.0.${(made += 1)}.1`)) ?? ''
const get = (url: string, headers: Record<string, string>, from = app) => from.inject({ url, headers })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const statusOf = async (url: string, token: string, from = app) => (await get(url, bearer(token), from)).statusCode

const keyOf = async (username: string, password: string): Promise<string> => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/auth/login/',
    payload: { username, password },
    remoteAddress: `10.0.${(made += 1)}.1`,
  })
  return answer.json<{ key: string }>().key
}
const asRoot = async (method: 'POST' | 'PATCH', url: string, payload: object) => {
  const headers = bearer(await keyOf(config.ADMIN_EMAIL, config.ADMIN_PASSWORD))
  const answer = await app.inject({ method, url, payload, headers })
  expect(answer.statusCode).toBeLessThan(300)
  return answer.json<{ id: number }>()
}
const person = async (fields: object = {}) => {
  const email = `person-${(made += 1)}@example.com`
  return { email, ...(await asRoot('POST', '/api/v1/users/', { email, password: 'battery staple', ...fields })) }
}
const change = ({ id }: { id: number }, fields: object) => asRoot('PATCH', `/api/v1/users/${id}/`, fields)

beforeEach(() => clock.advance(3_600_000))

describe('a token of one surface', async () => {
  const someone = await person()

  test.each<[string, (token: string) => Record<string, string>]>([
    ['Authorization: Bearer', bearer],
    ['Authorization: Token', (token) => ({ authorization: `Token ${token}` })],
    ['Authorization, bare', (token) => ({ authorization: token })],
    ['x-access-token', (token) => ({ 'x-access-token': token })],
    ['both headers', (token) => ({ authorization: token, 'x-access-token': token })],
  ])('is accepted there in %s', async (_, headers) => {
    const answer = await get('/surface/me', headers(await tokenOf(someone.email)))
    expect(answer.json()).toEqual({
      userId: someone.id,
      email: someone.email,
      isStaff: false,
      isSuperuser: false,
      divisionId: null,
      scopes: null,
    })
  })

  test('is refused everywhere else, by routes beside them too', async () => {
    const token = await tokenOf(someone.email)
    const refused = await get('/surface/other', bearer(token))
    expect(refused.headers['content-type']).toBe('application/problem+json')
    expect([refused.statusCode, refused.json()]).toEqual([
      401,
      { type: 'about:blank', title: 'Unauthorized', status: 401, detail: 'Invalid token.' },
    ])
    expect(await statusOf('/api/v1/auth/me/', token)).toBe(401)
    const logout = await app.inject({ method: 'POST', url: '/api/v1/auth/logout/', headers: bearer(token) })
    expect([logout.statusCode, await statusOf('/surface/me', token)]).toEqual([401, 200])
  })

  test('gives no right that its owner lacks', async () => {
    const answer = await get('/surface/staff', bearer(await tokenOf(someone.email)))
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([403, 'application/problem+json'])
    expect(await statusOf('/surface/staff', await tokenOf(config.ADMIN_EMAIL, config.ADMIN_PASSWORD))).toBe(200)
  })

  test('is not good beside another credential', async () => {
    const [token, key] = [await tokenOf(someone.email), await keyOf(someone.email, 'battery staple')]
    const answer = await get('/surface/me', { authorization: `Token ${key}`, 'x-access-token': token })
    expect(answer.statusCode).toBe(401)
  })

  test('ends after fifteen minutes', async () => {
    const token = await tokenOf(someone.email)
    clock.advance(899_000)
    expect(await statusOf('/surface/me', token)).toBe(200)
    clock.advance(1_000)
    expect(await statusOf('/surface/me', token)).toBe(401)
  })

  test.each(['', 'nobody', 'e30.e30.e30', 'a.b.c'])('is not %j', async (token) => {
    expect(await statusOf('/surface/me', token)).toBe(401)
  })

  test('is good with the key before, as long as that is named', async () => {
    const token = await tokenOf(someone.email)
    const newKey = Buffer.alloc(32, 2)
    const both = await serve({ tokenKey: newKey, earlierTokenKeys: [oldKey] })
    const alone = await serve({ tokenKey: newKey })
    expect(await statusOf('/surface/me', token, both.app)).toBe(200)
    expect(await statusOf('/surface/me', token, alone.app)).toBe(401)
  })
})

describe('a token of one surface ends at once', () => {
  test('when its owner is deactivated, and stays so when they are back', async () => {
    const user = await person()
    const token = await tokenOf(user.email)
    await change(user, { is_active: false })
    expect(await statusOf('/surface/me', token)).toBe(401)
    await change(user, { is_active: true })
    expect(await statusOf('/surface/me', token)).toBe(401)
    expect(await statusOf('/surface/me', await tokenOf(user.email))).toBe(200)
  })

  test('when its owner gets a new password', async () => {
    const user = await person()
    const token = await tokenOf(user.email)
    await change(user, { password: 'another staple' })
    expect(await statusOf('/surface/me', token)).toBe(401)
  })

  test('when all sessions of its owner are ended', async () => {
    const user = await person()
    const token = await tokenOf(user.email)
    const headers = bearer(await keyOf(config.ADMIN_EMAIL, config.ADMIN_PASSWORD))
    await app.inject({ method: 'DELETE', url: `/api/v1/users/${user.id}/sessions/`, headers })
    expect(await statusOf('/surface/me', token)).toBe(401)
  })

  test('with the rights of its owner', async () => {
    const user = await person({ is_staff: true })
    const token = await tokenOf(user.email)
    expect(await statusOf('/surface/staff', token)).toBe(200)
    await change(user, { is_staff: false })
    expect([await statusOf('/surface/staff', token), await statusOf('/surface/me', token)]).toEqual([403, 200])
  })

  test('when the owner is gone', async () => {
    const user = await person()
    const token = await tokenOf(user.email)
    await inTransaction(db, async (tx) => {
      await tx.deleteFrom('accessKeys').where('userId', '=', user.id).execute()
      await tx.deleteFrom('loginNames').where('userId', '=', user.id).execute()
      await tx.deleteFrom('users').where('id', '=', user.id).execute()
    })
    expect(await statusOf('/surface/me', token)).toBe(401)
  })
})

describe('other credentials', async () => {
  const { email } = await person()
  const key = await keyOf(email, 'battery staple')
  const apiKey = async (scopes: readonly Scope[] | null) => {
    const payload = { name: 'for flows', scopes }
    const answer = await app.inject({ method: 'POST', url: '/api/v1/auth/api-keys/', payload, headers: bearer(key) })
    return answer.json<{ key: string }>().key
  }

  test('are accepted on such routes: login keys, access tokens, unlimited API keys', async () => {
    const payload = { username: email, password: 'battery staple' }
    const answer = await app.inject({ method: 'POST', url: '/api/v1/auth/token/', payload })
    const tokens = [key, answer.json<{ access_token: string }>().access_token, await apiKey(null)]
    expect(await Promise.all(tokens.map((token) => statusOf('/surface/me', token)))).toEqual([200, 200, 200])
  })

  test('but limited API keys are not', async () => {
    const answer = await get('/surface/me', bearer(await apiKey(['hooks:write'])))
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([403, 'application/problem+json'])
  })
})

test('nothing that was typed is logged', async () => {
  await logIn('my secret passphrase', 'secret', '10.1.1.1')
  for (let time = 0; time < 11; time++) await logIn('my secret passphrase', 'secret', '10.1.1.1').catch(() => undefined)
  expect(kept.linesOf('login.failed').length).toBeGreaterThan(0)
  expect(kept.linesOf('login.throttled').length).toBeGreaterThan(0)
  expect(kept.text()).not.toMatch(/secret|passphrase/)
})
