import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { contentTypes } from '#events/content-types.ts'
import { makeErrorReports } from '#testing/data/make-error-reports.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

// A client as channel integrations are: it logs in for a token, once more when that is refused, sends bodies as Python
// writes them, and asks again up to ten times when no answer comes or one of 499 and above.

const testApp = await makeTestApp()
const make = makeErrorReports(testApp)
await testApp.app.listen({ port: 0, host: '127.0.0.1' })
const origin = `http://127.0.0.1:${(testApp.app.server.address() as AddressInfo).port}`

/** Answers that get lost on their way: the server has done what was asked, and the client does not know. */
let toLose = 0
const passOn = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
  const answer = await fetch(`${origin}${request.url ?? ''}`, {
    method: request.method ?? 'GET',
    headers: headersOf(request),
    ...(request.method === 'GET' ? {} : { body: await bodyOf(request) }),
  })
  if (toLose > 0) {
    toLose -= 1
    reply.destroy()
    return
  }
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => !/^(connection|keep-alive|content-length|transfer-encoding)$/.test(name)),
  )
  reply.writeHead(answer.status, headers).end(await answer.text())
}
const network = createServer((request, reply) => void passOn(request, reply))
const headersOf = ({ headers }: IncomingMessage): Record<string, string> => ({
  'content-type': headers['content-type'] ?? 'application/json',
  authorization: headers.authorization ?? '',
})
const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
network.listen(0, '127.0.0.1')
await once(network, 'listening')
afterAll(() => {
  network.closeAllConnections()
  network.close()
})
const through = `http://127.0.0.1:${(network.address() as AddressInfo).port}`

const tries = 10

const makeClient = (username: string, password: string) => {
  let token: string | undefined
  const send = async (method: string, path: string, body?: unknown) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await fetch(`${through}${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(token === undefined ? {} : { authorization: `Token ${token}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch(() => undefined)
      if (answer !== undefined && answer.status < 499)
        return { status: answer.status, json: JSON.parse((await answer.text()) || 'null') }
      if (attempt === tries) throw new Error('Gave up.')
    }
  }
  const login = async () => {
    token = undefined
    const answer = await send('POST', '/api/v1/auth/login/', { username, password })
    if (answer.status === 200) token = answer.json.key
    return answer
  }
  return {
    login,
    forget: () => (token = 'of yesterday'),
    async request(method: string, path: string, body?: unknown) {
      if (token === undefined) await login()
      const first = await send(method, path, body)
      if (first.status !== 401) return first
      await login()
      return send(method, path, body)
    },
  }
}

const { email, password } = testApp.superuser
const client = makeClient(email, password)

const report = (fields: object = {}) => ({
  action_content_type: contentTypes.batchrequest,
  action_object_id: 33,
  target_content_type: contentTypes.product,
  target_object_id: 1,
  obj_modified_date: '2026-11-21 09:30:00',
  error_code: '33-Channel-InsertProducts-1763717400.123456',
  error_desc: 'InsertProducts',
  raw_request: "POST-https://shop.example/v1/-{'sku': 'CHAIR'}",
  raw_response: '{"error": "no such category"} - Traceback (most recent call last): …',
  is_ok: false,
  ...fields,
})

test('a login with a wrong password is 400 with JSON', async () => {
  const { status, json } = await makeClient(email, 'wrong').login()
  expect([status, json]).toEqual([400, { non_field_errors: [expect.any(String)] }])
})

/** The kinds of objects that the client knows. Of each it asks for exactly one row, and stops when there is another number. */
const models = [
  'batchrequest',
  'product',
  'order',
  'orderitem',
  'productprice',
  'productstock',
  'integrationaction',
  'productimage',
  'categorytree',
  'categorynode',
  'channel',
  'productcategory',
  'marketplaceattributeset',
  'marketplaceattributesetconfig',
  'marketplaceattribute',
  'marketplaceattributeschema',
  'marketplaceattributevalue',
  'marketplaceattributevalueconfig',
  'cancellationrequest',
]

test.each(models)('the content type %s is exactly one row, and a report of it is listed by its name', async (model) => {
  const channel = await make.channel()
  const { json: rows } = await client.request('GET', `/api/v1/content_types/?model=${model}`)
  expect(rows).toEqual([expect.objectContaining({ id: expect.any(Number), model })])
  const path = `/api/v1/channel/${channel}/error_reports/`
  const { status, json } = await client.request('POST', path, report({ action_content_type: rows[0].id }))
  expect([status, json.action]).toEqual([201, expect.objectContaining({ type: model })])
  const { json: listed } = await client.request(
    'GET',
    `/api/v1/error_reports/?channel=${channel}&action_content_type=${model}`,
  )
  expect(listed).toHaveLength(1)
})

test('a report whose answer is lost nine times is one row', async () => {
  const channel = await make.channel()
  await client.login()
  toLose = 9
  const { status, json } = await client.request('POST', `/api/v1/channel/${channel}/error_reports/`, report())
  expect([status, toLose]).toEqual([200, 0])
  expect(json).toMatchObject({ channel, obj_modified_date: '2026-11-21T09:30:00.000Z', target_object_id: '1' })
  const { json: rows } = await client.request('GET', `/api/v1/error_reports/?channel=${channel}&page=1`)
  expect(rows).toEqual([json])
})

test('a token that is not known any more leads to one login and the report', async () => {
  const channel = await make.channel()
  client.forget()
  const { status } = await client.request('POST', `/api/v1/channel/${channel}/error_reports/`, report({ is_ok: true }))
  expect(status).toBe(201)
})

test('a list is read page by page until one is empty', async () => {
  const channel = await make.channel()
  const path = `/api/v1/channel/${channel}/error_reports/`
  for (let n = 0; n < 7; n++) await client.request('POST', path, report({ action_object_id: n + 1 }))
  const seen: number[] = []
  for (let page = 1; ; page++) {
    const { json } = await client.request('GET', `/api/v1/error_reports/?channel=${channel}&limit=3&page=${page}`)
    if (json.length === 0) break
    seen.push(...json.map((row: { action_object_id: number }) => row.action_object_id))
  }
  expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1])
})

test('the SDK reads, changes and deletes below its channel what it reported, sending back all that it read', async () => {
  const channel = await make.channel()
  const path = `/api/v1/channel/${channel}/error_reports/`
  const { json: made } = await client.request('POST', path, report())
  expect((await client.request('GET', `${path}?page=1`)).json).toEqual([made])
  const one = `${path}${made.id}/`
  expect(await client.request('PATCH', one, { ...made, is_ok: true })).toEqual({ status: 200, json: null })
  expect((await client.request('GET', one)).json).toMatchObject({ id: made.id, is_ok: true })
  expect(await client.request('DELETE', one)).toEqual({ status: 204, json: null })
  expect((await client.request('GET', one)).status).toBe(404)
})

test('an integration reads whether its channel is active, and its settings', async () => {
  const { json: catalog } = await client.request('POST', '/api/v1/catalogs/', { name: 'Of integrations' })
  const conf = { connection_pool_count: 10 }
  const { json: made } = await client.request('POST', '/api/v1/channels/', { name: 'Shop', catalog: catalog.id, conf })
  const { json: channel } = await client.request('GET', `/api/v1/channels/${made.id}/`)
  expect(channel).toMatchObject({ pk: made.id, name: 'Shop', is_active: true, conf })
})

test.each([
  ['city', { country_id: 1 }, 'country_id', 1],
  ['township', { city_id: 34, name: 'Kadıköy' }, 'city_id', 34],
  ['district', { city_id: 34, township_id: 5, name: 'Moda' }, 'township_id', 5],
] as const)('a %s that is not mapped becomes an ordinary report', async (type, parents, parentField, parent) => {
  const channel = await make.channel()
  const path = `/api/v1/channel/${channel}/error_reports/${type}/`
  const body = {
    type,
    remote_code: '34-X',
    ...parents,
    integration_type: 'sales_channel',
    err_code: 'integrations_200_10_2',
    err_desc: 'Not mapped',
  }
  toLose = 3
  const { status, json } = await client.request('POST', path, body)
  expect([status, json]).toEqual([
    200,
    expect.objectContaining({
      channel,
      action_content_type: contentTypes[type],
      action_object_id: parent,
      target_content_type: contentTypes.channel,
      target_object_id: String(channel),
      error_code: 'integrations_200_10_2',
      error_desc: 'Not mapped',
      raw_request: JSON.stringify(body),
      is_ok: false,
    }),
  ])
  const again = await testApp.call('POST', path, body)
  expect([again.statusCode, again.json()]).toEqual([200, json])
  const wrong = await client.request('POST', path, { ...body, [parentField]: null })
  expect([wrong.status, Object.keys(wrong.json)]).toEqual([400, [parentField]])
})
