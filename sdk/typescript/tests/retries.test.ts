import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { createClient, WaybillError } from '@waybill/sdk'

interface Seen {
  readonly method: string | undefined
  readonly key: string | undefined
  readonly body: string
}
let seen: Seen[] = []
/** What is answered first; 200 after that. 0: the connection breaks. */
let refusals: number[] = []
let retryAfter = '0'

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  seen.push({ method: request.method, key: request.headers['idempotency-key']?.toString(), body })
  const refusal = refusals.shift()
  if (refusal === 0) return void request.socket.destroy()
  response.writeHead(refusal ?? 200, { 'content-type': 'application/json', 'retry-after': retryAfter })
  response.end(refusal === undefined ? '{"id": 1}' : '{"detail": "Not now."}')
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const waybill = createClient({ baseUrl, apiKey: 'key', maxRetries: 2 })

beforeEach(() => {
  seen = []
  refusals = []
  retryAfter = '0'
})

const raise = () => waybill.post('/api/v1/events', { body: { id: '1', type: 'package.created', data: {} } })
const rename = () =>
  waybill.patch('/api/v1/stock_locations/{id}', { params: { path: { id: 1 } }, body: { name: 'Depot' } })
const statusOf = async (call: Promise<unknown>): Promise<number> => {
  try {
    await call
    return 200
  } catch (error) {
    assert.ok(error instanceof WaybillError)
    return error.status
  }
}

test('a POST is sent again with the same key and body', async () => {
  refusals = [503, 0]
  await raise()
  assert.equal(seen.length, 3)
  assert.equal(new Set(seen.map(({ key, body }) => `${key} ${body}`)).size, 1)
  assert.match(seen[0]?.key ?? '', /^[0-9a-f-]{36}$/)
  await raise()
  assert.notEqual(seen[3]?.key, seen[0]?.key)
})

test('a key of the caller is kept', async () => {
  await waybill.post('/api/v1/events', {
    params: { header: { 'Idempotency-Key': 'mine' } },
    body: { id: '1', type: 'package.created', data: {} },
  })
  assert.equal(seen[0]?.key, 'mine')
})

test('what may have happened is not done again without a key', async () => {
  refusals = [503]
  assert.equal(await statusOf(rename()), 503)
  refusals = [0]
  assert.equal(await statusOf(rename()), 0)
  refusals = [503]
  assert.equal(await statusOf(waybill.post('/api/v1/auth/logout')), 503)
  assert.deepEqual([seen.length, seen[2]?.key], [3, undefined])
})

test('what was refused for being too much is always tried again', async () => {
  refusals = [429]
  await rename()
  assert.equal(seen.length, 2)
})

test('other refusals, and the last of several, are errors', async () => {
  refusals = [500]
  assert.equal(await statusOf(raise()), 500)
  refusals = [503, 503, 503]
  assert.equal(await statusOf(raise()), 503)
  assert.equal(seen.length, 4)
})

test('a server that asks for minutes gets an error instead', async () => {
  refusals = [429]
  retryAfter = '90'
  await assert.rejects(raise(), { status: 429, retryAfterSeconds: 90 })
  assert.equal(seen.length, 1)
})

test('a call can be given up, also while it waits', async () => {
  refusals = [503]
  retryAfter = '30'
  const giveUp = new AbortController()
  const call = waybill.get('/whisperer/hooks', { signal: giveUp.signal })
  while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  giveUp.abort()
  await assert.rejects(call, { name: 'AbortError' })
})
