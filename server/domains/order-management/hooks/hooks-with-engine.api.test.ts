import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogue } from '#events/catalogue.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const { call, app } = await makeTestApp({ environment: { WEBHOOK_SERVICE_PATH: 'notify' } })

/** A receiver on this machine, and what it got. */
const received: { headers: IncomingHttpHeaders; body: string }[] = []
let answerWith = 200
const receiver = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
  request.on('end', () => {
    received.push({ headers: request.headers, body })
    response.writeHead(answerWith).end('Foo')
  })
})
let targetUrl = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve))
  targetUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterAll(() => new Promise((resolve) => void receiver.close(resolve)))

test('a real event reaches its subscriber by a forced retry, under the uuid that the API shows', async () => {
  const subscription = {
    event_type: 'stock_location-created',
    target_url: targetUrl,
    secret_key: 'a secret',
    additional_headers: { 'X-Shop': 'north' },
  }
  expect((await call('POST', '/notify/hooks/', subscription)).statusCode).toBe(201)
  const location = { code: 'IST-1', name: 'Main', kind: 'warehouse' }
  expect((await call('POST', '/api/v1/stock_locations/', location)).statusCode).toBe(201)

  const [event] = (await call('GET', '/notify/hook_events/')).json()
  expect(event).toMatchObject({
    event_type: 'stock_location.created',
    content_type: 4,
    status: 'pending',
    attempt_count: 0,
  })
  expect((await call('POST', `/notify/hook_events/${event.id}/retry/`, {})).statusCode).toBe(406)

  answerWith = 500
  const refused = await call('POST', `/notify/hook_events/${event.id}/retry/`, { force: true })
  expect(refused.statusCode).toBe(406)
  expect(refused.json()).toMatchObject({ response_status: 500, response_content: 'Foo', delivered: false })

  answerWith = 200
  const taken = await call('POST', `/notify/hook_events/${event.id}/retry/`, { force: true })
  expect(taken.statusCode).toBe(200)
  expect(received).toHaveLength(2)
  expect(received[1]?.body).toBe(received[0]?.body)
  expect(JSON.parse(received[1]?.body ?? '')).toEqual(event.request_payload)
  expect(received[1]?.headers).toMatchObject({
    'webhook-id': event.uuid,
    'x-whisperer-event': 'stock_location.created',
    'x-shop': 'north',
  })

  const after = (await call('GET', `/notify/hook_events/${event.id}/`)).json()
  expect(after).toMatchObject({
    uuid: event.uuid,
    delivered: true,
    response_http_status: 200,
    response_content: 'Foo',
    attempt_count: 2,
    retry_count: 2,
    next_attempt_at: null,
  })
  expect(after.attempts.map(({ response_http_status: status }: { response_http_status: number }) => status)).toEqual([
    500, 200,
  ])
  expect(JSON.stringify(after.attempts)).not.toContain('sha256=')
  expect((await call('POST', `/notify/hook_events/${event.id}/retry/`, {})).json().detail).toBe(
    'Event already delivered',
  )
})

test('the retry of a hook that is switched off is 406 and reaches nobody, also when forced', async () => {
  const [event] = (await call('GET', '/notify/hook_events/')).json()
  const path = `/notify/hooks/${event.webhook.id}/`
  await call('PATCH', path, { is_active: false })
  received.length = 0
  const answer = await call('POST', `/notify/hook_events/${event.id}/retry/`, { force: true })
  expect([answer.statusCode, answer.json()]).toMatchObject([
    406,
    { detail: expect.stringContaining('not active'), response_status: null, delivered: false },
  ])
  expect(received).toEqual([])
  await call('PATCH', path, { is_active: true })
})

test('the retry of a removed hook is 406 and reaches nobody', async () => {
  const [event] = (await call('GET', '/notify/hook_events/')).json()
  await call('DELETE', `/notify/hooks/${event.webhook.id}/`)
  received.length = 0
  const answer = await call('POST', `/notify/hook_events/${event.id}/retry/`, { force: true })
  expect(answer.statusCode).toBe(406)
  expect(answer.json().detail).toMatch(/removed/)
  expect(received).toEqual([])
})

test('addresses that deliveries may never reach are refused when subscribing', async () => {
  const answer = await call('POST', '/notify/hooks/', {
    event_type: 'package.created',
    target_url: 'http://169.254.169.254/',
  })
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toHaveProperty('target_url')
})

test('a second user does not see the hooks of the first, a buyer sees none at all', async () => {
  const { id } = (await call('POST', '/notify/hooks/', { event_type: 'package.created', target_url: targetUrl })).json()
  const signIn = async (email: string, fields: object): Promise<Record<string, string>> => {
    const password = 'correct horse battery'
    await call('POST', '/api/v1/users/', { email, password, ...fields })
    const login = await app.inject({
      method: 'POST',
      url: '/api/v1/auth/login/',
      payload: { username: email, password },
    })
    return { authorization: `Token ${login.json().key}` }
  }
  const staff = await signIn('staff@waybill.test', { is_staff: true })
  expect((await call('GET', `/notify/hooks/${id}/`, undefined, staff)).statusCode).toBe(404)
  expect((await call('GET', '/notify/hooks/', undefined, staff)).json()).toEqual([])
  const buyer = await signIn('buyer@waybill.test', {})
  expect((await call('GET', '/notify/hooks/', undefined, buyer)).statusCode).toBe(403)
})

test('every operation of the hook service is in the OpenAPI document', async () => {
  const { paths } = (await app.inject({ url: '/openapi.json' })).json()
  expect(
    Object.keys(paths)
      .filter((path) => path.startsWith('/notify/'))
      .toSorted(),
  ).toEqual([
    '/notify/hook_events',
    '/notify/hook_events/histogram',
    '/notify/hook_events/retry',
    '/notify/hook_events/{id}',
    '/notify/hook_events/{id}/drop',
    '/notify/hook_events/{id}/explain',
    '/notify/hook_events/{id}/replay',
    '/notify/hook_events/{id}/retry',
    '/notify/hooks',
    '/notify/hooks/registry',
    '/notify/hooks/try',
    '/notify/hooks/{id}',
    '/notify/hooks/{id}/activity',
    '/notify/hooks/{id}/attempts',
    '/notify/hooks/{id}/explain',
    '/notify/hooks/{id}/health',
    '/notify/hooks/{id}/health/history',
    '/notify/hooks/{id}/ping',
    '/notify/hooks/{id}/recover',
    '/notify/hooks/{id}/secret',
    '/notify/hooks/{id}/secret/previous',
    '/notify/redeliveries',
    '/notify/redeliveries/{id}',
    '/notify/redeliveries/{id}/cancel',
  ])
})

test('a ping brings the example of an event, marked as a test, in the envelope that its hook had then', async () => {
  answerWith = 500
  const fields = { event_type: 'package.created', target_url: `${targetUrl}/ping`, config: { max_attempts: 3 } }
  const { id } = (await call('POST', '/notify/hooks/', fields)).json()
  const answer = await call('POST', `/notify/hooks/${id}/ping/`, {})
  expect(answer.statusCode).toBe(202)
  const { hook_event: event, uuid } = answer.json()
  expect(answer.headers.location).toMatch(new RegExp(`/notify/hook_events/${event}/$`))

  received.length = 0
  await call('POST', `/notify/hook_events/${event}/retry/`, { force: true })
  await call('PATCH', `/notify/hooks/${id}/`, { config: { format: 'standard' } })
  await call('POST', `/notify/hook_events/${event}/retry/`, { force: true })
  const [first, second] = received
  expect(JSON.parse(first?.body ?? '')).toEqual({
    event: { type: 'package.created', uuid: uuid.replaceAll('-', '') },
    payload: catalogue['package.created'].example,
  })
  expect(second?.body).toBe(first?.body)
  expect(first?.headers).toMatchObject({ 'webhook-id': uuid, 'x-waybill-test': 'true' })
  expect((await call('GET', `/notify/hooks/${id}/`)).json().config).toEqual({ format: 'standard', max_attempts: 3 })

  const other = (await call('POST', `/notify/hooks/${id}/ping/`, { event_type: 'package-created' })).json()
  await call('POST', `/notify/hook_events/${other.hook_event}/retry/`, { force: true })
  expect(JSON.parse(received[2]?.body ?? '')).toMatchObject({
    type: 'package.created',
    data: { number: 'P-2026-000007' },
  })
})

test.each([410, 200])(
  'a hook that is off is not pinged, whoever switched it off (its receiver answers %i)',
  async (status) => {
    answerWith = status
    const fields = { event_type: 'package.created', target_url: `${targetUrl}/off-${status}` }
    const { id } = (await call('POST', '/notify/hooks/', fields)).json()
    const ping = () => call('POST', `/notify/hooks/${id}/ping/`, {})
    const { hook_event: event } = (await ping()).json()
    await call('POST', `/notify/hook_events/${event}/retry/`, { force: true })
    if (status === 200) await call('PATCH', `/notify/hooks/${id}/`, { is_active: false })
    const { disabled_reason: reason } = (await call('GET', `/notify/hooks/${id}/health/`)).json()
    expect(reason).toBe(status === 410 ? 'gone' : null)
    const refused = await ping()
    expect([refused.statusCode, Object.keys(refused.json())]).toEqual([400, ['is_active']])
  },
)

test('with order, a delivery waits for the one before it, which can be dropped', async () => {
  const fields = { event_type: 'package.created', target_url: `${targetUrl}/ordered`, config: { order: 'object' } }
  const hook = (await call('POST', '/notify/hooks/', fields)).json()
  expect(hook.config).toEqual({ order: 'object' })
  const data = { ...catalogue['package.created'].example, id: 77 }
  for (const id of ['order-1', 'order-2'])
    expect((await call('POST', '/api/v1/events/', { id, type: 'package.created', data })).statusCode).toBe(202)

  const log = `/notify/hook_events/?webhook=${hook.id}`
  const waiting = (await call('GET', `${log}&waiting_for_earlier=true`)).json()
  expect(waiting).toMatchObject([{ status: 'waiting', delivered: false, next_attempt_at: null }])
  const [first] = (await call('GET', `${log}&waiting_for_earlier=false`)).json()
  expect(first).toMatchObject({ status: 'pending' })
  expect((await call('GET', `/notify/hooks/${hook.id}/health/`)).json()).toMatchObject({ pending: 1, waiting: 1 })
  const path = `/notify/hook_events/${waiting[0].id}`
  const explained = (await call('GET', `${path}/explain/`)).json()
  expect(explained).toMatchObject({ verdict: 'waiting_for_earlier', next: { waits_for: 'earlier_delivery' } })
  expect(explained.summary).toContain(`delivery ${first.id} (package.created)`)

  const retried = await call('POST', `${path}/retry/`, { force: true })
  expect(retried.statusCode).toBe(406)
  expect(retried.json().detail).toBe(
    'Another event of the same object is not done yet, and this hook gets them in order',
  )
  expect((await call('POST', `${path}/retry/`)).json()).toMatchObject({ code: 'event_100_6' })
  expect((await call('POST', `/notify/hook_events/${first.id}/drop/`)).statusCode).toBe(204)
  expect((await call('POST', `/notify/hook_events/${first.id}/drop/`)).json()).toMatchObject({ code: 'delivery_ended' })
  expect((await call('GET', `/notify/hook_events/${first.id}/explain/`)).json().summary).toBe('Dropped by hand.')
})

test('a ping of an event that the hook does not hear, or of a hook that is off, is 400', async () => {
  const fields = { event_type: 'package.created', target_url: `${targetUrl}/off` }
  const { id } = (await call('POST', '/notify/hooks/', fields)).json()
  expect((await call('POST', `/notify/hooks/${id}/ping/`, { event_type: 'stock.adjusted' })).json()).toEqual({
    event_type: ['The hook does not hear this event. It hears package.created.'],
  })
  await call('PATCH', `/notify/hooks/${id}/`, { is_active: 'False' })
  expect((await call('POST', `/notify/hooks/${id}/ping/`)).json()).toHaveProperty('is_active')
})
