import { hourMs } from '#platform/clock.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeHooksApp } from '#testing/make-hooks-app.ts'

const { call, clock, database, subscriptions, clear } = await makeHooksApp()
const { db } = database

const mask = '********'
const inHours = (hours: number): string => new Date(clock.now().getTime() + hours * hourMs).toISOString()
const whpk = /^whpk_[A-Za-z0-9+/]{43}=$/

const subscribe = async (fields: object = {}): Promise<number> => {
  const body = {
    event_type: 'package.created',
    target_url: 'https://example.com/hooks',
    secret_key: 'first',
    ...fields,
  }
  const answer = await call('ayse', 'POST /hooks/', body)
  expect(answer.statusCode).toBe(201)
  return answer.json().id
}
const pair = { config: { signature: 'v1a' } }
const rotate = (id: number, body?: object, headers: Record<string, string> = {}) =>
  call('ayse', `POST /hooks/${id}/secret/`, body, headers)
const read = async (id: number) => (await call('ayse', `GET /hooks/${id}/secret/`)).json()
const change = (id: number, body: object, method = 'PATCH') => call('ayse', `${method} /hooks/${id}/`, body)

beforeEach(clear)

describe('the overlap', () => {
  test.each(['PATCH', 'PUT'])('ends when %s sets another secret', async (method) => {
    const id = await subscribe()
    await rotate(id)
    const { json } = await call('ayse', `GET /hooks/${id}/`)
    await change(id, { ...json(), secret_key: 'another' }, method)
    expect((await read(id)).previous).toEqual([])
    expect((await subscriptions.find(db, id))?.secret).toBe('another')
  })

  test.each(['PATCH', 'PUT'])('goes on when %s changes something else', async (method) => {
    const id = await subscribe()
    const { secret_key: secret } = (await rotate(id)).json()
    const { json } = await call('ayse', `GET /hooks/${id}/`)
    await change(id, { ...json(), target_url: 'https://elsewhere.example.com/' }, method)
    expect((await read(id)).previous).toHaveLength(1)
    expect((await subscriptions.find(db, id))?.secret).toBe(secret)
  })
})

describe('a hook with key pairs', () => {
  test('says so in its config, and shows its public key and never the private one', async () => {
    const id = await subscribe(pair)
    expect((await call('ayse', `GET /hooks/${id}/`)).json()).toMatchObject({
      config: { signature: 'v1a' },
      secret_key: mask,
    })
    const shown = await call('ayse', `GET /hooks/${id}/secret/`)
    expect(shown.json()).toEqual({
      algorithm: 'ed25519',
      public_key: expect.stringMatching(whpk),
      secret_key: mask,
      previous: [],
    })
    expect(shown.body).not.toContain('whsk_')
  })

  test('gets another one when it is rotated, and shows no secret', async () => {
    const id = await subscribe(pair)
    const { public_key: before } = await read(id)
    const answer = (await rotate(id)).json()
    expect(answer).toEqual({
      algorithm: 'ed25519',
      public_key: expect.stringMatching(whpk),
      secret_key: null,
      previous_valid_until: inHours(24),
    })
    expect(answer.public_key).not.toBe(before)
    expect((await subscriptions.find(db, id))?.secret).toBe('first')
  })

  test('takes no secret when it is rotated', async () => {
    const id = await subscribe(pair)
    const answer = await rotate(id, { secret_key: 'second' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ secret_key: [expect.stringContaining('key pair')] })
  })

  test.each([
    ['PATCH that does not name it', 'PATCH', { config: { auth: null } }, 'v1a'],
    ['PATCH without config', 'PATCH', { is_active: false }, 'v1a'],
    ['PATCH with v1', 'PATCH', { config: { signature: 'v1' } }, 'v1'],
    ['PATCH with null', 'PATCH', { config: { signature: null } }, 'v1'],
    ['PUT that does not name it', 'PUT', { event_type: 'package.created', target_url: 'https://example.com/' }, 'v1'],
  ])('after %s', async (_, method, body, signature) => {
    const id = await subscribe(pair)
    const { public_key: before } = await read(id)
    const answer = await change(id, body, method)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().config).toEqual(signature === 'v1a' ? { signature } : {})
    expect((await read(id)).public_key).toBe(signature === 'v1a' ? before : undefined)
  })

  test('keeps its key pair when its record is sent back as it was read', async () => {
    const id = await subscribe({
      config: { signature: 'v1a', auth: { auth_type: 'basic', username: 'shop', password: 'hunter2' } },
    })
    const { public_key: before } = await read(id)
    const record = (await call('ayse', `GET /hooks/${id}/`)).json()
    const answer = await change(id, record, 'PUT')
    expect(answer.json().config).toEqual(record.config)
    expect((await read(id)).public_key).toBe(before)
  })
})

test.each([
  [{ signature: 'v2' }, 'config.signature'],
  [{ signature: 'toString' }, 'config.signature'],
  [{ signature: 1 }, 'config.signature'],
  [{ signature: ['v1a'] }, 'config.signature'],
])('config %j is 400', async (config, field) => {
  const body = { event_type: 'package.created', target_url: 'https://example.com/hooks', config }
  const answer = await call('ayse', 'POST /hooks/', body)
  expect(answer.statusCode).toBe(400)
  expect(Object.keys(answer.json())).toEqual([field])
})

describe('the secret of a hook', () => {
  const operations = ['GET secret/', 'POST secret/', 'DELETE secret/previous/']
  const as = (who: string, operation: string, id: number) => {
    const [method, path] = operation.split(' ')
    return call(who, `${method} /hooks/${id}/${path}`)
  }

  test.each(operations)('is nobody else’s: %s of a foreign, a removed or no hook is 404', async (operation) => {
    const [foreign, removed] = [await subscribe(), await subscribe({ target_url: 'https://example.com/other' })]
    await call('ayse', `DELETE /hooks/${removed}/`)
    expect((await as('bora', operation, foreign)).statusCode).toBe(404)
    for (const id of [removed, 999_999]) expect((await as('ayse', operation, id)).statusCode).toBe(404)
    expect((await subscriptions.find(db, foreign))?.version).toBe(1)
  })

  test.each(operations)('is open to its owner and to superusers, as far as their scopes go: %s', async (operation) => {
    const id = await subscribe()
    const mayDo = async (who: string) => (await as(who, operation, id)).statusCode < 300
    for (const who of ['root', 'ayse', 'ayse, writing']) expect(await mayDo(who)).toBe(true)
    for (const who of ['ayse, elsewhere', 'buyer', 'nobody']) expect(await mayDo(who)).toBe(false)
    expect(await mayDo('ayse, reading')).toBe(operation.startsWith('GET'))
  })
})
