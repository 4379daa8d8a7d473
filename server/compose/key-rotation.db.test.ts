import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSubscriptions } from '#delivery/subscriptions/subscriptions.ts'
import { readProjectRecord } from '#domains/app-center/projects/index.ts'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import type { SecretKeys } from '#platform/crypto/secret-key.ts'
import { makeVault } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { openTestStore } from '#testing/open-test-store.ts'
import { compose, type Waybill } from '../compose.ts'
import { rotateKey } from './key-rotation.ts'

// One story on one database: a server with the old key, then one with both, the rotation, and one with the new key alone.

const database = await openTestDatabase()
const { db } = database
const files = await openTestStore()
const oldKey = 'the old key of at least 32 characters'
const newKey = 'the new key of at least 32 characters'
const both: SecretKeys = { current: newKey, previous: [oldKey] }

const started: Waybill[] = []
afterAll(() => Promise.all(started.map(({ app }) => app.close())))
const login = { ADMIN_EMAIL: 'admin@waybill.test', ADMIN_PASSWORD: 'correct horse battery' }
const start = async ({ current, previous }: SecretKeys): Promise<Waybill> => {
  const waybill = await compose({
    role: 'all',
    config: readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...login }),
    secretKey: current,
    previousSecretKeys: previous,
    database,
    store: files,
    clock: systemClock,
    log: pino({ level: 'silent' }),
  })
  started.push(waybill)
  await waybill.ensureSuperuser()
  return waybill
}
/** A request of the superuser with a key, which is no access token. */
let authorization = ''
const call = ({ app }: Waybill, methodAndPath: string, body?: object, headers: Record<string, string> = {}) => {
  const [method = 'GET', url = ''] = methodAndPath.split(' ')
  return app.inject({
    method: method as 'GET',
    url,
    ...(body === undefined ? {} : { payload: body }),
    headers: { authorization, ...headers },
  })
}
const credentials = { username: login.ADMIN_EMAIL, password: login.ADMIN_PASSWORD }

const subscriptionsOf = (key: string) => makeSubscriptions({ vault: makeVault(key), wake: () => undefined })
const hookTo = (url: string) => ({ event_type: 'package.created', target_url: url, secret_key: `secret of ${url}` })
const url = (number: number): string => `https://example.com/${number}`
const search = async (waybill: Waybill, target: string): Promise<number[]> => {
  const found = await call(waybill, `GET /whisperer/hooks/?target_url=${encodeURIComponent(target)}`)
  return found.json<{ id: number }[]>().map(({ id }) => id)
}
const idempotent = { 'idempotency-key': 'before-the-change' }

const projectBody = {
  name: 'Drivers',
  slug: 'drivers',
  credential: { ios: { production: { password: 'of the certificate' } } },
}
let projectId = ''
let projectUrl = ''

let accessToken = ''
let removed = 0
let old: Waybill
let overlapping: Waybill

beforeAll(async () => {
  old = await start({ current: oldKey, previous: [] })
  authorization = `Token ${(await call(old, 'POST /api/v1/auth/login/', credentials)).json<{ key: string }>().key}`
  accessToken = (await call(old, 'POST /api/v1/auth/token/', credentials)).json<{ access_token: string }>().access_token
  for (let number = 0; number < 5; number++) await call(old, 'POST /whisperer/hooks/', hookTo(url(number)))
  removed = (await search(old, url(4)))[0] ?? 0
  await call(old, `DELETE /whisperer/hooks/${removed}/`)
  await call(old, 'POST /whisperer/hooks/', hookTo(url(5)), idempotent)
  const organization = (await call(old, 'POST /api/v1/organizations', { name: 'Waybill' })).json<{ _id: string }>()._id
  const projects = `/api/v1/organizations/${organization}/projects`
  projectId = (await call(old, `POST ${projects}`, projectBody)).json<{ _id: string }>()._id
  projectUrl = `${projects}/${projectId}`
  const invited = (await call(old, 'POST /api/v1/users/', { email: 'new@waybill.test' })).json<{ id: number }>().id
  await call(old, `POST /api/v1/users/${invited}/invite/`)
  overlapping = await start(both)
})

describe('a server with the new key and the old one', () => {
  test('finds hooks by their URLs', async () => {
    expect(await search(overlapping, url(1))).toHaveLength(1)
    expect(await search(overlapping, url(1).toUpperCase())).toHaveLength(1)
  })

  test('refuses a second hook for the same event and URL, made with another key or not', async () => {
    expect((await call(overlapping, 'POST /whisperer/hooks/', hookTo(url(1)))).json()).toMatchObject({
      code: 'webhook_100_2',
    })
    const { id } = (await call(overlapping, 'POST /whisperer/hooks/', hookTo(url(6)))).json()
    const moved = await call(overlapping, `PATCH /whisperer/hooks/${id}/`, { target_url: url(1), secret_key: 's' })
    expect(moved.json()).toMatchObject({ code: 'webhook_100_2' })
    expect((await call(overlapping, `PATCH /whisperer/hooks/${id}/`, { is_active: false })).statusCode).toBe(200)
    expect((await call(overlapping, 'POST /whisperer/hooks/', hookTo(url(4)))).statusCode).toBe(201)
  })

  test('reads a project, and keeps the secrets in it that are not sent', async () => {
    const changed = await call(overlapping, `PATCH ${projectUrl}`, {
      credential: { ios: { production: { password: '********' } } },
    })
    expect([changed.statusCode, changed.json()]).toEqual([
      200,
      expect.objectContaining({ credential: { ios: { production: { password: '********' } } } }),
    ])
  })

  test('takes access tokens of the old key', async () => {
    const answer = await call(overlapping, 'GET /api/v1/auth/me/', undefined, {
      authorization: `Bearer ${accessToken}`,
    })
    expect(answer.statusCode).toBe(200)
  })

  test('repeats the answer to a request that was made with the old key, and knows another body', async () => {
    const again = await call(overlapping, 'POST /whisperer/hooks/', hookTo(url(5)), idempotent)
    expect(again.statusCode).toBe(201)
    expect(again.headers['idempotency-replayed']).toBe('true')
    const other = await call(overlapping, 'POST /whisperer/hooks/', hookTo(url(7)), idempotent)
    expect(other.json()).toMatchObject({ code: 'idempotency_key_reused' })
  })
})

describe('a rotation', () => {
  test('that is killed leaves a database that only servers with both keys start on', async () => {
    // Its first transaction has sealed subscriptions again; the rest is not reached.
    await expect(rotateKey(failingAfter(1), both)).rejects.toThrow('killed')
    await expect(start({ current: newKey, previous: [] })).rejects.toThrow('SECRET_KEY is not the one')
    await expect(start(both)).resolves.toBeDefined()
  })

  test('goes on where it was killed, beside a change of a hook', async () => {
    const [id = 0] = await search(overlapping, url(2))
    const [rotation, changed] = await Promise.all([
      rotateKey(db, both),
      call(overlapping, `PATCH /whisperer/hooks/${id}/`, { target_url: `${url(2)}/moved`, secret_key: 'changed' }),
    ])
    expect(changed.statusCode).toBe(200)
    expect(rotation).toMatchObject({
      isComplete: true,
      subscriptions: { left: 0, unknown: 0 },
      projects: { done: 1, left: 0, unknown: 0 },
      mails: { done: 1, left: 0, unknown: 0 },
      urlHashes: { seconds: [] },
    })
    expect(await subscriptionsOf(newKey).find(db, id)).toMatchObject({ url: `${url(2)}/moved`, secret: 'changed' })
    expect(await search(overlapping, `${url(2)}/moved`)).toEqual([id])
  })

  test('changes no version: nothing in a subscription is new', async () => {
    const [id = 0] = await search(overlapping, url(3))
    expect(await subscriptionsOf(newKey).find(db, id)).toMatchObject({ version: 1, secret: `secret of ${url(3)}` })
  })

  test('run again finds nothing to do', async () => {
    expect(await rotateKey(db, both)).toEqual({
      isComplete: true,
      subscriptions: { done: 0, left: 0, unknown: 0 },
      projects: { done: 0, left: 0, unknown: 0 },
      answers: { done: 0, left: 0, unknown: 0 },
      mails: { done: 0, left: 0, unknown: 0 },
      urlHashes: { renewed: 0, seconds: [] },
    })
  })

  test('leaves nothing that the old key can read or find', async () => {
    await expect(start({ current: oldKey, previous: [] })).rejects.toThrow('SECRET_KEY is not the one')
    const texts = JSON.stringify([
      await db.selectFrom('subscriptions').select('sealed').execute(),
      await db.selectFrom('projects').select('sealed').execute(),
      await db.selectFrom('idempotencyKeys').select('answer').execute(),
      await db.selectFrom('mails').select('sealed').execute(),
    ])
    expect(texts).toContain(makeVault(newKey).mark)
    expect(texts).not.toContain(makeVault(oldKey).mark)
    expect(await search(old, url(1))).toEqual([])
  })

  test('is not complete while a project cannot be read', async () => {
    const { sealed } = await db.selectFrom('projects').select('sealed').executeTakeFirstOrThrow()
    const store = (text: string) => db.updateTable('projects').set({ sealed: text }).execute()
    await store(`${makeVault(oldKey).mark}AAAA.AAAA.AAAA`)
    expect(await rotateKey(db, both)).toMatchObject({ isComplete: false, projects: { done: 0, left: 1, unknown: 0 } })
    await store(sealed)
  })

  test('counts what it cannot read, and leaves it and the check as they are', async () => {
    const third = makeVault('a third key that nobody has named here')
    const id = await inTransaction(db, (tx) => subscriptionsOf(oldKey).create(tx, plain))
    const foreign = await inTransaction(db, (tx) =>
      subscriptionsOf('a third key that nobody has named here').create(tx, plain),
    )
    const damaged = `${makeVault(oldKey).mark}AAAA.AAAA.AAAA`
    await db.updateTable('subscriptions').set({ sealed: damaged }).where('id', '=', id).execute()
    const rotation = await rotateKey(db, both)
    expect(rotation).toMatchObject({ isComplete: false, subscriptions: { done: 0, left: 1, unknown: 1 } })
    const { sealed } = await db
      .selectFrom('subscriptions')
      .select('sealed')
      .where('id', '=', foreign)
      .executeTakeFirstOrThrow()
    expect(third.open(sealed)).toContain(plain.url)
    await db.deleteFrom('subscriptionEvents').where('subscriptionId', 'in', [id, foreign]).execute()
    await db.deleteFrom('subscriptions').where('id', 'in', [id, foreign]).execute()
  })
})

test('afterwards a server with the new key alone has everything', async () => {
  const waybill = await start({ current: newKey, previous: [] })
  const [id = 0] = await search(waybill, url(1))
  expect((await call(waybill, `GET /whisperer/hooks/${id}/`)).json()).toMatchObject({ target_url: url(1) })
  expect(await subscriptionsOf(newKey).find(db, id)).toMatchObject({ secret: `secret of ${url(1)}` })
  expect((await call(waybill, 'POST /whisperer/hooks/', hookTo(url(1)))).json()).toMatchObject({
    code: 'webhook_100_2',
  })
  expect(await readProjectRecord(db, makeVault(newKey), projectId)).toMatchObject({
    credential: { ios: { production: { password: '********' } } },
  })
  expect((await call(waybill, `GET ${projectUrl}`)).statusCode).toBe(200)
  const [mail] = (await call(waybill, 'GET /api/v1/mails/?purpose=invitation')).json<{ text: string }[]>()
  expect(mail?.text).toContain('/password/reset#token=wbp_')
  const token = await call(waybill, 'GET /api/v1/auth/me/', undefined, { authorization: `Bearer ${accessToken}` })
  expect(token.statusCode).toBe(401)
  // Whether it was the same body cannot be told any more, and twice would be worse than not at all.
  const again = await call(waybill, 'POST /whisperer/hooks/', hookTo(url(5)), idempotent)
  expect(again.statusCode).toBe(409)
})

test('two hooks that servers with different keys let pass are named, and both can be found', async () => {
  const next: SecretKeys = { current: 'the next key of at least 32 characters', previous: [newKey] }
  // Each has only its own key, as if one had not been restarted yet.
  const [one, other] = [await start(both), await start(next)]
  const first = (await call(one, 'POST /whisperer/hooks/', hookTo(url(8)))).json().id
  await db
    .updateTable('hooks')
    .set({ urlHash: 'of a key that is unknown here' })
    .where('subscriptionId', '=', first)
    .execute()
  const second = (await call(other, 'POST /whisperer/hooks/', hookTo(url(8)))).json().id
  expect(second).toBeGreaterThan(first)
  expect((await rotateKey(db, next)).urlHashes.seconds).toEqual([first])
  expect(await search(other, url(8))).toEqual([first, second])
  expect((await rotateKey(db, next)).isComplete).toBe(true)
  expect(await search(await start({ current: next.current, previous: [] }), url(8))).toEqual([first, second])
})

test('a key that is named as its own predecessor is one key', async () => {
  const key = 'the next key of at least 32 characters'
  const waybill = await start({ current: key, previous: [key] })
  const [id = 0] = await search(waybill, url(3))
  expect((await call(waybill, `PATCH /whisperer/hooks/${id}/`, { is_active: false })).statusCode).toBe(200)
  expect(await rotateKey(db, { current: key, previous: [key] })).toMatchObject({
    isComplete: true,
    subscriptions: { done: 0, left: 0, unknown: 0 },
  })
})

const plain = {
  scope: 'back-office',
  dialect: 'standard',
  envelope: 'standard',
  eventTypes: ['package.created'],
  url: 'https://example.com/plain',
  headers: null,
  secret: null,
  signature: 'v1',
  auth: null,
  retry: { choice: 'fixed', kwargs: { seconds: 60 } },
  isActive: true,
} as const

/** The database, as if the process were killed after so many transactions. */
const failingAfter = (transactions: number): Db => {
  let begun = 0
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction' && ++begun > transactions) throw new Error('killed')
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
