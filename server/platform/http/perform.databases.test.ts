import { pino } from 'pino'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { notFound } from '../errors.ts'
import { makeApp } from './app.ts'
import { makePerform, type Answer } from './idempotency.ts'
import { testIdempotency } from '#testing/idempotency-keys.ts'

const { db } = await openTestDatabase()
const perform = makePerform({ db, ...testIdempotency })

/** What the route does; how often it was asked to. */
let work: () => Promise<Answer> = async () => ({ status: 200 })
let runs = 0

const app = await makeApp({
  log: pino({ level: 'silent' }),
  authenticate: async ({ headers }) => ({
    userId: Number(headers['x-user'] ?? 1),
    email: '',
    isStaff: true,
    isSuperuser: true,
    divisionId: null,
    scopes: null,
  }),
  description: { version: '0.0.0', webhooks: {} },
  errorShapes: [],
  trustedProxies: [],
  corsOrigins: [],
  routes: [
    async (routes) => {
      routes.post('/work', { config: { access: { role: 'user' } } }, async (request, reply) =>
        perform(request, reply, () => {
          runs++
          return work()
        }),
      )
    },
    async (routes) => {
      routes.removeAllContentTypeParsers()
      routes.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
      routes.post('/bytes', { config: { access: { role: 'user' } } }, async (request, reply) =>
        perform(request, reply, () => work()),
      )
    },
  ],
})
afterAll(() => app.close())

const post = (body: object, headers: Record<string, string> = { 'idempotency-key': 'k' }) =>
  app.inject({ method: 'POST', url: '/work', payload: body, headers })

beforeEach(async () => {
  await db.deleteFrom('idempotencyKeys').execute()
  runs = 0
  work = async () => ({ status: 202, body: { run: runs }, headers: { 'x-run': String(runs) } })
})

test('without a key the work is done every time, and nothing is stored', async () => {
  await post({}, {})
  expect((await post({}, {})).json()).toEqual({ run: 2 })
  expect(await db.selectFrom('idempotencyKeys').select('key').execute()).toEqual([])
})

test('with a key the work is done once, and its answer repeated', async () => {
  const first = await post({ a: 1 })
  const second = await post({ a: 1 })
  expect([first.statusCode, second.statusCode]).toEqual([202, 202])
  expect(second.json()).toEqual({ run: 1 })
  expect(second.headers).toMatchObject({ 'x-run': '1', 'idempotency-replayed': 'true' })
  expect(second.headers).not.toHaveProperty('reservation')
})

test('a key belongs to its caller and its body', async () => {
  await post({ a: 1 })
  expect((await post({ a: 2 })).json().code).toBe('idempotency_key_reused')
  expect((await post({ a: 1 }, { 'idempotency-key': 'k', 'x-user': '2' })).json()).toEqual({ run: 2 })
})

test('while the work goes on, the same key is 409', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  work = () => promise
  const first = post({})
  await expect.poll(() => runs).toBe(1)
  const second = await post({})
  expect(second.statusCode).toBe(409)
  expect(second.json().code).toBe('idempotency_key_in_use')
  resolve({ status: 200, body: { run: 1 } })
  expect((await first).statusCode).toBe(200)
  expect((await post({})).json()).toEqual({ run: 1 })
  expect(runs).toBe(1)
})

test('of many requests at the same moment one does the work', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => post({})))
  expect(runs).toBe(1)
  for (const { statusCode } of answers) expect([202, 409]).toContain(statusCode)
})

test('work that throws leaves the key free', async () => {
  work = () => Promise.reject(notFound())
  expect((await post({})).statusCode).toBe(404)
  work = () => Promise.reject(new Error('a bug'))
  expect((await post({})).statusCode).toBe(500)
  work = async () => ({ status: 200, body: { run: runs } })
  expect((await post({})).json()).toEqual({ run: 3 })
})

test('the key of a process that died is taken over after a minute, and not before', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  work = () => promise
  const dead = post({})
  await expect.poll(() => runs).toBe(1)
  const ageBy = async (seconds: number) => {
    const createdAt = new Date(Date.now() - seconds * 1_000)
    await db.updateTable('idempotencyKeys').set({ createdAt }).execute()
  }
  await ageBy(50)
  expect((await post({})).statusCode).toBe(409)
  await ageBy(70)
  expect((await post({ other: 'body' })).json().code).toBe('idempotency_key_reused')
  work = async () => ({ status: 200, body: { run: 'second' } })
  expect((await post({})).json()).toEqual({ run: 'second' })

  // It was only slow: it answers its own caller, but what is stored stays.
  resolve({ status: 200, body: { run: 'first' } })
  expect((await dead).json()).toEqual({ run: 'first' })
  expect((await post({})).json()).toEqual({ run: 'second' })
})

test('a slow worker whose key was taken over cannot free it by failing', async () => {
  const { promise, reject } = Promise.withResolvers<Answer>()
  work = () => promise
  const slow = post({})
  await expect.poll(() => runs).toBe(1)
  await db
    .updateTable('idempotencyKeys')
    .set({ createdAt: new Date(Date.now() - 70_000) })
    .execute()
  work = async () => ({ status: 200, body: { run: 'second' } })
  await post({})
  reject(notFound())
  expect((await slow).statusCode).toBe(404)
  expect((await post({})).json()).toEqual({ run: 'second' })
})

test('bytes are the same when their content type is too', async () => {
  const send = (bytes: number[], type: string) =>
    app.inject({
      method: 'POST',
      url: '/bytes',
      payload: Buffer.from(bytes),
      headers: { 'idempotency-key': 'k', 'content-type': type },
    })
  expect((await send([255, 0], 'a/b')).statusCode).toBe(202)
  expect((await send([255, 0], 'a/b')).headers['idempotency-replayed']).toBe('true')
  for (const other of [await send([254, 0], 'a/b'), await send([255, 0], 'a/c'), await send([255], 'a/b')])
    expect(other.json()).toMatchObject({ code: 'idempotency_key_reused' })
})
