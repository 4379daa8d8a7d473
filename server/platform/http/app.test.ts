import { connect } from 'node:net'
import { Type } from 'typebox'
import { afterAll, describe, expect, test } from 'vitest'
import { pino } from 'pino'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DatabaseUnavailable } from '../db/database-unavailable.ts'
import type { Principal } from '../auth/principal.ts'
import { ruleBroken } from '../errors.ts'
import { makeApp } from './app.ts'
import { defineList } from '../lists/define-list.ts'
import { sendList } from '../lists/send-list.ts'
import { Body, IdParams, Nullable, OneOf } from './schemas.ts'

const body = Body(
  {
    name: Type.String({ minLength: 1, maxLength: 5 }),
    count: Type.Optional(Type.Integer()),
    kind: Type.Optional(OneOf(['a', 'b'])),
    kinds: Type.Optional(Type.Array(OneOf(['a', 'b']))),
    kindOrNumber: Type.Optional(Type.Union([OneOf(['a', 'b']), Type.Integer()])),
    note: Type.Optional(Nullable(Type.String())),
  },
  ['id'],
)

const things = defineList({
  parameters: { colour: Type.Optional(Type.String()), dry_run: Type.Optional(Type.Boolean()) },
})

const routes: FastifyPluginAsyncTypebox = async (app) => {
  const config = { access: { role: 'user', scope: 'hooks:write' } } as const
  app.get('/audience', { config: { access: { role: 'user', audience: 'flows' } } }, async () => ({}))
  app.get('/unlimited', { config: { access: { role: 'user' } } }, async () => ({}))
  app.get('/staff', { config: { access: { role: 'staff', scope: 'hooks:write' } } }, async () => ({}))
  app.post('/things', { config, schema: { body } }, async (request) => request.body)
  app.get('/things/:id', { config, schema: { params: IdParams } }, async (request) => ({ id: request.params.id }))
  app.delete('/things/:id', { config, schema: { params: IdParams } }, async () => ({}))
  app.get('/things', { config, schema: { querystring: things.querystring } }, async (_request, reply) =>
    sendList(reply, 'https://waybill.example', { rows: [1], count: 45 }),
  )
  app.get('/rule', { config }, async () => {
    throw ruleBroken('too_late', 'It is too late.', ['cancel'])
  })
  app.get('/bug', { config }, async () => {
    throw new Error('password=hunter2')
  })
  app.get('/away', { config }, async () => {
    throw new DatabaseUnavailable(Object.assign(new Error('read ECONNRESET 10.0.0.7'), { code: 'ECONNRESET' }))
  })
}

/** The same message of several fields. */
const all = (fields: readonly string[], message: string): object =>
  Object.fromEntries(fields.map((field) => [field, [message]]))

const who: Principal = { userId: 1, email: 'a@b.c', isStaff: false, isSuperuser: false, divisionId: null, scopes: null }
const limited: Principal = { ...who, scopes: ['hooks:read'] }

const callers: Record<string, Principal> = { good: who, limited }

const app = await makeApp({
  log: pino({ level: 'silent' }),
  authenticate: async ({ headers }, audience) =>
    headers.authorization === `for ${audience}` ? who : callers[headers.authorization ?? ''],
  description: { version: '1.2.3', webhooks: {} },
  errorShapes: [
    { prefix: '/other', render: (error) => ({ contentType: 'text/plain', body: `plain ${error.status}` }) },
  ],
  trustedProxies: [],
  corsOrigins: [],
  routes: [routes],
})
afterAll(() => app.close())
await app.listen({ port: 0, host: '127.0.0.1' })

/** What comes back to bytes on a socket, for what no HTTP client would send. */
const raw = async (bytes: string): Promise<string> => {
  const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
  socket.write(bytes)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const post = (payload: string | Buffer, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/things',
    payload,
    headers: { authorization: 'good', 'content-type': 'application/json', ...headers },
  })
const get = (url: string, headers: Record<string, string> = { authorization: 'good' }) => app.inject({ url, headers })

describe('who may call', () => {
  test('no credential is 401 with the schemes, before the body is looked at', async () => {
    const answer = await post('{broken', { authorization: '' })
    expect([answer.statusCode, answer.json()]).toEqual([401, { detail: expect.stringMatching(/\w/) }])
    expect(answer.headers['www-authenticate']).toBe('Bearer, Token')
  })

  test('a key without the scope is 403, before the body is looked at', async () => {
    const answer = await post('{broken', { authorization: 'limited' })
    expect([answer.statusCode, answer.json()]).toEqual([403, { detail: 'This key lacks the scope hooks:write.' }])
  })

  test('a limited key where no scope will do is told so', async () => {
    const answer = await get('/unlimited', { authorization: 'limited' })
    expect([answer.statusCode, answer.json()]).toEqual([
      403,
      { detail: 'Keys that are limited to scopes are refused here.' },
    ])
  })

  test('who lacks the role is not told of scopes', async () => {
    const answer = await get('/staff', { authorization: 'limited' })
    expect([answer.statusCode, answer.json()]).toEqual([
      403,
      { detail: 'You do not have permission to perform this action.' },
    ])
  })

  test('the surface of a route, where it names one, is told to who finds out', async () => {
    const statusOf = async (url: string) => (await get(url, { authorization: 'for flows' })).statusCode
    expect([await statusOf('/audience'), await statusOf('/things')]).toEqual([200, 401])
  })

  test('a route that does not say who may call it stops the start', async () => {
    const make = makeApp({
      log: pino({ level: 'silent' }),
      authenticate: async () => undefined,
      description: { version: '1', webhooks: {} },
      errorShapes: [],
      trustedProxies: [],
      corsOrigins: [],
      routes: [
        async (other) => {
          other.get('/forgotten', async () => ({}))
        },
      ],
    })
    await expect(make).rejects.toThrow('/forgotten does not declare its access')
  })
})

describe('a body', () => {
  test('is taken when it is right, and read-only fields are ignored', async () => {
    expect((await post('{"name":"ok","id":7}')).statusCode).toBe(200)
  })

  test.each([
    ['{}', { name: ['This field is required.'] }],
    ['{"name":""}', { name: ['This field may not be empty.'] }],
    ['{"name":"toolong"}', { name: ['Use at most 5 characters.'] }],
    ['{"name":1}', { name: ['Expected a string.'] }],
    ['{"name":"ok","count":"1"}', { count: ['Expected an integer.'] }],
    ['{"name":"ok","count":1.5}', { count: ['Expected an integer.'] }],
    ['{"name":"ok","kind":"c"}', { kind: ['Expected one of: a, b.'] }],
    ['{"name":"ok","kind":null}', { kind: ['Expected one of: a, b.'] }],
    ['{"name":"ok","kinds":"a"}', { kinds: ['Expected a list.'] }],
    ['{"name":"ok","kinds":[1,"c",null]}', all(['kinds.0', 'kinds.1', 'kinds.2'], 'Expected one of: a, b.')],
    ['{"name":"ok","kindOrNumber":true}', { kindOrNumber: ['Expected one of: a, b.', 'Expected an integer.'] }],
    ['{"name":"ok","note":5}', { note: ['Expected a string.'] }],
    ['{"name":"ok","colour":"red"}', { colour: ['Unknown field.'] }],
    ['{"name":"a\\u0000b"}', { name: ['NUL characters are not allowed.'] }],
    ['{"name":"ok","kinds":["a","\\u0000"]}', { 'kinds.1': ['NUL characters are not allowed.'] }],
    ['{"name":"ok","kinds":[{"deep":[[1e400]]}]}', { 'kinds.0.deep.0.0': ['The number is out of range.'] }],
    ['{"name":"ok","kinds":[{"\\ud800":1}]}', { 'kinds.0': ['A field name is not allowed.'] }],
    ['{"name":"\\ud800"}', { name: ['The text has half of a surrogate pair.'] }],
    ['{"name":"ok","count":1e400}', { count: ['The number is out of range.'] }],
    ['[]', { non_field_errors: ['Expected an object.'] }],
    ['null', { non_field_errors: ['Expected an object.'] }],
  ])('%s names the field and the reason', async (payload, fields) => {
    const answer = await post(payload)
    expect([answer.statusCode, answer.json()]).toEqual([400, fields])
  })

  test.each([
    ['malformed JSON', '{"name":', /not valid JSON/],
    ['an empty body where a field is needed', '', /This field is required/],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), /UTF-8/],
    ['a prototype', '{"name":"ok","__proto__":{"x":1}}', /not allowed/],
    ['a deep nest', `${'['.repeat(500)}${']'.repeat(500)}`, /Nested deeper than 64 levels/],
    ['a very deep nest', `${'['.repeat(400_000)}${']'.repeat(400_000)}`, /Nested deeper/],
  ])('%s is 400 and says so', async (_what, payload, message) => {
    const answer = await post(payload)
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toMatch(message)
  })

  test('brackets in a text are no levels', async () => {
    const text = await post(`{"name":"\\"${'[{'.repeat(50)}\\\\"}`)
    expect([text.statusCode, text.body]).toEqual([400, expect.stringMatching(/5 characters/)])
    expect((await post(`{"name":"\\\\","kinds":${'['.repeat(100)}${']'.repeat(100)}}`)).json()).toEqual({
      non_field_errors: ['Nested deeper than 64 levels.'],
    })
  })

  test('over 1 MiB is 413, of another type 415', async () => {
    const large = await post(JSON.stringify({ name: 'x'.repeat(1_100_000) }))
    expect([large.statusCode, large.json()]).toEqual([413, { detail: 'The body is larger than 1 MiB.' }])
    const xml = await post('<a/>', { 'content-type': 'text/xml' })
    expect([xml.statusCode, xml.json()]).toEqual([415, { detail: 'Send the body as application/json.' }])
  })

  test('a GET may carry the content type without a body', async () => {
    expect((await get('/things/1', { authorization: 'good', 'content-type': 'application/json' })).statusCode).toBe(200)
  })
})

describe('a hostile body', () => {
  test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    'a field called %s is an unknown field',
    async (name) => {
      const answer = await post(`{"name":"ok","${name}":1}`)
      expect([answer.statusCode, answer.json()]).toEqual([400, { [name]: ['Unknown field.'] }])
    },
  )

  test('with a hundred thousand faults is told the first one, not all', async () => {
    const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`f${index}`, 0]))
    const answer = await post(JSON.stringify(fields))
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json<object>())).toHaveLength(1)
  })
})

describe('a path', () => {
  test('works with and without a slash at its end, without a redirect', async () => {
    expect((await get('/things/1/')).json()).toEqual({ id: 1 })
    expect((await get('/things/1')).json()).toEqual({ id: 1 })
  })

  test.each([
    '0',
    '-1',
    'abc',
    '1.5',
    '0x1',
    '1e0',
    '1.0',
    '+1',
    '01',
    '%201',
    '0b1',
    '%EF%BB%BF1',
    '9007199254740993',
    '99999999999999999999999',
    '%00',
    '1%00',
    'a'.repeat(400),
  ])('the id %s names nothing', async (id) => {
    const answer = await get(`/things/${id}`)
    expect([answer.statusCode, answer.json()]).toEqual([404, { detail: 'Not found.' }])
  })

  test.each(['/nothing', '/things/1/nothing', '/%E0%A4%A'])('%s is 404', async (url) => {
    expect((await get(url)).statusCode).toBe(404)
  })

  test('the wrong method is 405 and says which are right', async () => {
    const answer = await app.inject({ method: 'PUT', url: '/things/1', headers: { authorization: 'good' } })
    expect([answer.statusCode, answer.json()]).toEqual([405, { detail: 'Method "PUT" not allowed.' }])
    expect(answer.headers['allow']).toBe('DELETE, GET, HEAD')
  })

  test('the wrong method is 405 in whatever way the path is written', async () => {
    for (const url of ['/thi%6Egs/1', '/things/1/?x', '/things/1#x']) {
      const answer = await app.inject({ method: 'PUT', url, headers: { authorization: 'good' } })
      expect([url, answer.statusCode]).toEqual([url, 405])
    }
  })

  test('the wrong method is 405 whatever the body is', async () => {
    const headers = { authorization: 'good', 'content-type': 'application/json' }
    const answer = await app.inject({ method: 'PUT', url: '/things/1', payload: '{broken', headers })
    expect(answer.statusCode).toBe(405)
  })

  test.each(['http://evil.example/things/1', 'http://evil.example:99/things/1?x=1'])(
    '%s means only its path',
    async (target) => {
      const answer = await raw(`GET ${target} HTTP/1.1\r\nhost: h\r\nauthorization: good\r\nconnection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"id":1\}$/)
    },
  )

  test('the method QUERY is not one of ours', async () => {
    const answer = await raw('QUERY /things/1 HTTP/1.1\r\nhost: h\r\nauthorization: good\r\nconnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 405 /)
  })

  test.each([
    '/docs/static/../../package.json',
    '/docs/static/%2e%2e/%2e%2e/package.json',
    '/docs/static/a\\b',
    `/docs/static/${'a'.repeat(5_000)}`,
  ])('%s is not a file of the reference', async (target) => {
    const answer = await raw(`GET ${target} HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 404 [\s\S]*\{"detail":"Not found\."\}$/)
  })

  test('a surface with a shape of its own answers in it', async () => {
    const answer = await get('/other/thing')
    expect([answer.body, answer.headers['content-type']]).toEqual(['plain 404', 'text/plain'])
  })
})

describe('a list', () => {
  test('tells the count and links to the pages, keeping every filter', async () => {
    const answer = await get('/things?page=2&limit=20&colour=red')
    expect(answer.headers['x-total-count']).toBe('45')
    const links = String(answer.headers['link'])
    expect(links).toContain('<https://waybill.example/things?page=1&limit=20&colour=red>; rel="first"')
    expect(links).toContain('<https://waybill.example/things?page=3&limit=20&colour=red>; rel="next"')
    expect(links).toContain('<https://waybill.example/things?page=3&limit=20&colour=red>; rel="last"')
  })

  test.each([
    'page=0',
    'page=-1',
    'page=x',
    'page=1.5',
    'page=',
    'limit=0',
    'limit=1001',
    'limit=a',
    'page=1&page=2',
    'page=1e400',
    'page=%00',
  ])('%s is 400', async (query) => {
    const answer = await get(`/things?${query}`)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json<object>())).toEqual([query.split('=', 1)[0]])
  })
})

const unknown = 'Unknown query parameter.'
describe('a query parameter that the route does not know', () => {
  test.each([
    ['/things?colours=red', { colours: ['Unknown query parameter. Did you mean "colour"?'] }],
    ['/things?limt=1&x=1&page=2', { limt: [`${unknown} Did you mean "limit"?`], x: [unknown] }],
    ['/things?constructor=1', { constructor: [unknown] }],
    [`/things?${'limit'.repeat(100)}=1`, { ['limit'.repeat(100)]: [unknown] }],
  ])('is refused by name, with the nearest one: %s', async (url, errors) => {
    const answer = await get(url)
    expect([answer.statusCode, answer.json()]).toEqual([400, errors])
  })

  test('is refused on writes, before anything is written', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/things?dry_run=true',
      payload: { name: 'a' },
      headers: { authorization: 'good' },
    })
    expect([answer.statusCode, answer.json()]).toEqual([400, { dry_run: [unknown] }])
  })

  test('is ignored when clients add it to any URL', async () => {
    const answers = [
      await get('/things?format=json&lang=tr&_=17'),
      await app.inject({ method: 'DELETE', url: '/things/1?format=json', headers: { authorization: 'good' } }),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  })
})

test.each(['true', 'True', '1', 'false', 'False', '0'])('%s is a boolean in a URL', async (text) => {
  expect((await get(`/things?dry_run=${text}`)).statusCode).toBe(200)
})
test.each(['', 'yes', 'TRUE', '2'])('"%s" is no boolean in a URL', async (text) => {
  expect((await get(`/things?dry_run=${text}`)).json()).toEqual({ dry_run: ['Expected true or false.'] })
})

describe('an error', () => {
  test('of a broken rule says what is allowed', async () => {
    const answer = await get('/rule')
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { non_field_errors: ['It is too late.'], code: 'too_late', allowed_actions: ['cancel'] },
    ])
  })

  test('of our own is opaque and quotes the request', async () => {
    const answer = await get('/bug')
    expect(answer.statusCode).toBe(500)
    expect(answer.body).not.toContain('hunter2')
    expect(answer.json<{ detail: string }>().detail).toContain(String(answer.headers['x-request-id']))
  })

  test('of the database is 503, to be tried again, and says nothing of where it is', async () => {
    const answer = await get('/away')
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBe('1')
    expect(answer.json()).toEqual({ detail: 'The database does not answer. Try again.' })
  })

  test('every answer has a request id and is not sniffed', async () => {
    const answer = await get('/nothing')
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })
})

test('what is not HTTP is answered in the same shape', async () => {
  const answer = await raw('this is not http\r\n\r\n')
  expect(answer).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/)
  expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"detail":"This is not an HTTP request\."\}$/)
})

test('the API describes itself', async () => {
  const document = (await get('/openapi.json', {})).json<{
    openapi: string
    info: { version: string }
    paths: object
  }>()
  expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.2.3'])
  expect(Object.keys(document.paths)).toContain('/things/{id}')
  expect((await get('/docs/', {})).body).toContain('Scalar.createApiReference')
  const script = await get('/docs/scalar.js', {})
  expect([script.statusCode, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect(script.body.length).toBeGreaterThan(1_000_000)
})
