import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { createClient, verifyWebhook, WaybillError, type WebhookEvent } from '@waybill/sdk'

// Against a server that runs: WAYBILL_URL, WAYBILL_KEY.

const { WAYBILL_URL: baseUrl = '', WAYBILL_KEY: apiKey = '' } = process.env
const waybill = createClient({ baseUrl, apiKey })
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const parcel = (id: number) => ({
  id: `ts-${id}`,
  type: 'package.created',
  data: { id, number: `P-${id}`, order_number: 'O-1', status: 'created', items: [] },
})

/** Resolves with what verifies first. */
const receive = async (): Promise<{ url: string; event: Promise<WebhookEvent> }> => {
  const { promise: event, resolve, reject } = Promise.withResolvers<WebhookEvent>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    response.writeHead(204).end()
    try {
      resolve(verifyWebhook(request.headers, Buffer.concat(chunks), secret))
    } catch (error) {
      reject(error)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, event }
}

for (const format of ['original', 'standard'] as const)
  test(`an event is raised, delivered and verified: ${format} envelope`, async () => {
    const { url, event } = await receive()
    const hook = await waybill.post('/whisperer/hooks', {
      body: { event_type: 'package.created', target_url: url, secret_key: secret, config: { format } },
    })
    const id = format === 'standard' ? 1 : 2
    assert.deepEqual(await waybill.post('/api/v1/events', { body: parcel(id) }), { accepted: 1, duplicates: 0 })
    const got = await event
    assert.equal(got.type, 'package.created')
    if (got.type === 'package.created') assert.deepEqual([got.data.id, got.data.number], [id, `P-${id}`])
    assert.equal(got.timestamp === undefined, format === 'original')
    await waybill.delete('/whisperer/hooks/{id}', { params: { path: { id: hook.id } } })
  })

test('a list is read to its end, page after page', async () => {
  const events = Array.from({ length: 25 }, (_, index) => parcel(100 + index))
  await waybill.post('/api/v1/events', { body: events })
  for (const path of ['/api/v1/events', '/whisperer/hooks/registry'] as const) assert.ok(await waybill.get(path))
  const ids = new Set<number>()
  const query = { limit: 7, type: 'package.created' }
  for await (const event of waybill.each('/api/v1/events', { params: { query } })) ids.add(event.id)
  const { data, response } = await waybill.http.GET('/api/v1/events', { params: { query: { ...query, limit: 1000 } } })
  assert.ok(ids.size >= 25)
  assert.deepEqual([ids.size, String(ids.size)], [data?.length, response.headers.get('x-total-count')])
})

test('a list in an envelope too', async () => {
  for (const name of ['one', 'two', 'three'])
    await waybill.post('/api/v1/divisions', { body: { name, erp_code: `ts-${name}` } })
  const names: string[] = []
  for await (const { name } of waybill.each('/api/v1/divisions', { params: { query: { limit: 2 } } })) names.push(name)
  assert.deepEqual(names.filter((name) => ['one', 'two', 'three'].includes(name)).toSorted(), ['one', 'three', 'two'])
})

test('an error says which field, and which rule', async () => {
  const wrong = waybill.post('/whisperer/hooks', { body: { event_type: 'package.created', target_url: 'nowhere' } })
  await assert.rejects(wrong, (error) => {
    assert.ok(error instanceof WaybillError)
    assert.deepEqual([error.status, Object.keys(error.fields)], [400, ['target_url']])
    assert.ok(error.requestId)
    return true
  })
  await waybill.post('/api/v1/events', { body: parcel(900) })
  await assert.rejects(waybill.post('/api/v1/events', { body: { ...parcel(901), id: 'ts-900' } }), {
    name: 'WaybillError',
    status: 409,
    code: 'event_id_reused',
  })
  const stranger = createClient({ baseUrl, apiKey: 'wrong' })
  await assert.rejects(stranger.get('/whisperer/hooks'), { status: 401 })
})

test('a POST that is repeated gets the first answer', async () => {
  const init = { params: { header: { 'Idempotency-Key': 'ts-once' } }, body: { code: 'TS-1', name: 'Depot' } }
  const first = await waybill.post('/api/v1/stock_locations', init)
  assert.deepEqual(await waybill.post('/api/v1/stock_locations', init), first)
})

test('a server that is not there is an error with its reason', async () => {
  const gone = createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const { port } = gone.address() as AddressInfo
  gone.close()
  await once(gone, 'close')
  const nowhere = createClient({ baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 })
  await assert.rejects(nowhere.get('/whisperer/hooks'), { status: 0, message: /got no answer: .*ECONNREFUSED/ })
})
