import { beforeEach, describe, expect, test } from 'vitest'
import { makeHooksApp } from '#testing/make-hooks-app.ts'

const { call, database, subscriptions, clear } = await makeHooksApp()
const { db } = database

const mask = '********'
const basic = { auth_type: 'basic', username: 'shop', password: 'hunter2' }
const token = {
  auth_type: 'token',
  url: 'https://login.example.com/in',
  username: 'shop',
  password: 'hunter2',
  username_field: 'username',
  password_field: 'password',
  token_key: 'key',
  header_format: 'Token {}',
}
const headers = { 'X-Api-Key': 'k3y', 'X-Shop': 'north' }

const subscribe = async (fields: object): Promise<number> => {
  const body = { event_type: 'package.created', target_url: 'https://example.com/hooks?a=1', secret_key: 'a secret' }
  const answer = await call('ayse', 'POST /hooks/', { ...body, ...fields })
  expect(answer.statusCode).toBe(201)
  return answer.json().id
}
const change = (id: number, body: object, method = 'PATCH') => call('ayse', `${method} /hooks/${id}/`, body)
const find = (id: number) => subscriptions.find(db, id)

beforeEach(clear)

const elsewhere = ['https://evil.test/hooks', 'http://example.com/hooks', 'https://example.com:8443/hooks']

describe.each(elsewhere)('when deliveries move to %s', (url) => {
  test.each([
    ['a password', { config: { auth: basic } }, {}, 'config'],
    ['a token', { config: { auth: token } }, {}, 'config'],
    [
      'a masked password',
      { config: { auth: basic } },
      { config: { auth: { ...basic, password: mask } } },
      'config.auth.password',
    ],
    [
      'a masked token account',
      { config: { auth: token } },
      { config: { auth: { ...token, password: mask } } },
      'config.auth.password',
    ],
  ])('%s is not taken along', async (_, stored, sent, field) => {
    const id = await subscribe(stored)
    const before = await find(id)
    const answer = await change(id, { target_url: url, ...sent })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ [field]: [expect.stringMatching(/^Send .+ again because the address changes\.$/)] })
    expect(answer.body).not.toMatch(/hunter2|k3y/)
    expect(await find(id)).toEqual(before)
  })

  test('PUT with masks is refused for each of them', async () => {
    const id = await subscribe({ config: { auth: basic }, additional_headers: headers })
    const read = (await call('ayse', `GET /hooks/${id}/`)).json()
    const answer = await change(id, { ...read, target_url: url }, 'PUT')
    expect(Object.keys(answer.json()).toSorted()).toEqual(['additional_headers.X-Api-Key', 'config.auth.password'])
  })

  test('what is sent again, or taken away, is no obstacle; the signing secret stays', async () => {
    const id = await subscribe({ config: { auth: basic }, additional_headers: headers })
    const body = { target_url: url, config: { auth: { ...basic, password: 'new' } }, additional_headers: null }
    expect((await change(id, { ...body, secret_key: mask })).statusCode).toBe(200)
    expect(await find(id)).toMatchObject({ url, auth: { password: 'new' }, headers: null, secret: 'a secret' })
  })
})

test.each(['http://attacker.test/', 'https://login.example.com:444/in', 'http://login.example.com/in'])(
  'a stored password is not posted to %s',
  async (url) => {
    const id = await subscribe({ config: { auth: token } })
    const answer = await change(id, { config: { auth: { ...token, url, password: mask } } })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toHaveProperty(['config.auth.password'])
    expect(await find(id)).toMatchObject({ auth: token })
    expect((await change(id, { config: { auth: { ...token, url, password: 'new' } } })).statusCode).toBe(200)
  },
)

test('at the same scheme, host and port everything is kept, whatever else changes', async () => {
  const id = await subscribe({ config: { auth: token }, additional_headers: headers })
  const url = 'https://EXAMPLE.com:443/elsewhere'
  const auth = { ...token, url: 'https://login.example.com/other', username: 'new', password: mask }
  const sent = { target_url: url, config: { auth }, additional_headers: { 'x-api-key': mask, 'X-Shop': 'south' } }
  expect((await change(id, sent)).statusCode).toBe(200)
  expect(await find(id)).toMatchObject({
    url,
    auth: { ...auth, password: 'hunter2' },
    headers: { 'x-api-key': 'k3y', 'X-Shop': 'south' },
  })
  expect((await change(id, { target_url: 'https://example.com/third' })).statusCode).toBe(200)
  expect(await find(id)).toMatchObject({ auth: { password: 'hunter2' }, headers: { 'x-api-key': 'k3y' } })
})

test('the mask keeps no password of another kind of auth', async () => {
  const id = await subscribe({ config: { auth: basic } })
  const answer = await change(id, { config: { auth: { ...token, url: 'https://example.com/', password: mask } } })
  expect(answer.json()).toEqual({ 'config.auth.password': [expect.stringContaining('no password is stored')] })
})
