import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { pino } from 'pino'
import { Webhook } from 'standardwebhooks'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { makeSupervisor } from '#platform/supervisor.ts'
import { eventually } from '#testing/eventually.ts'
import { tries } from '#testing/is-everything-wanted.ts'
import { makeMailServer } from '#testing/network/mail-server.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const mail = await makeMailServer()
const { app, call, superuser, database, services } = await makeTestApp({
  environment: {
    MAX_ATTEMPTS: '2',
    ENDPOINT_FAILING_AFTER: '2',
    PUBLIC_URL: 'https://waybill.test',
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: 'waybill@waybill.test',
  },
})
const url = '/api/nifi/flows'
const receiver = await makeReceiver()
const supervisor = makeSupervisor(services, pino({ level: 'silent' }))
beforeAll(() => supervisor.start())
afterAll(() => supervisor.stop())
beforeEach(() => {
  receiver.answer({})
  receiver.received.length = 0
})

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const makeFlow = async (fields: object = {}): Promise<number> => {
  const body = { direction: 'outbound', target: `${receiver.url}/erp`, ...fields }
  const answer = await call('POST', url, body)
  expect(answer.statusCode).toBe(201)
  return answer.json<{ id: number }>().id
}
const send = (flow: number, data: Uint8Array | string, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: `${url}/${flow}/data`,
    payload: Buffer.from(data),
    headers: { authorization: superuser.authorization, ...headers },
  })
const start = async (flow: number, data: Uint8Array | string = 'data'): Promise<number> =>
  (await send(flow, data)).json<{ run_id: number }>().run_id
const show = async (flow: number, run: number) => (await call('GET', `${url}/${flow}/runs/${run}`)).json()
/** Resolves when the run is in a state. */
const reaches = (flow: number, run: number, state: string) =>
  vi.waitFor(
    async () => {
      const shown = await show(flow, run)
      expect(shown).toMatchObject({ state })
      return shown
    },
    { timeout: 40_000, interval: 20 },
  )
/** A failed delivery is due again at once. */
const retryAtOnce = (flow: number) =>
  sql`update subscriptions set retry = '{"choice": "fixed", "kwargs": {"seconds": 0}}', version = version + 1
      where scope = ${`flow:${flow}`}`.execute(database.db)
/** A failed delivery is due again long after the test. */
const retryLater = (flow: number) =>
  sql`update subscriptions set retry = '{"choice": "fixed", "kwargs": {"seconds": 3600}}', version = version + 1
      where scope = ${`flow:${flow}`}`.execute(database.db)

test('data reaches the target byte for byte, with its content type, the headers of the flow and a signature that verifies', async () => {
  const flow = await makeFlow({ secret, headers: { 'X-Shop': 'north', Authorization: 'Basic opensesame' } })
  const bytes = Buffer.from('\uFEFFa;ü\0\r\n', 'utf8')
  const answer = await send(flow, bytes, { 'content-type': 'Text/CSV; charset="UTF-8"; header=present' })
  const { run_id: run } = answer.json<{ run_id: number }>()
  const [received] = await receiver.got(1)
  expect(received).toMatchObject({ method: 'POST', path: '/erp' })
  expect(received?.body.equals(bytes)).toBe(true)
  expect(received?.headers).toMatchObject({
    'content-type': 'Text/CSV; charset="UTF-8"; header=present',
    'content-length': String(bytes.length),
    'x-shop': 'north',
    authorization: 'Basic opensesame',
  })
  const signed = { ...received?.headers } as Record<string, string>
  const verify = (body: Buffer): unknown => new Webhook(secret).verify(body, signed, { jsonParse: false })
  expect(() => verify(bytes)).not.toThrow()
  expect(() => verify(Buffer.from('other'))).toThrow(/signature/i)
  const shown = await reaches(flow, run, 'succeeded')
  expect(shown).toMatchObject({ attempts: 1, last_status: 200, next_attempt_at: null, finished_at: expect.any(String) })
  expect(shown.attempt_log).toMatchObject([
    {
      number: 1,
      outcome: 'delivered',
      response_status: 200,
      response_body: '',
      request_headers: { 'webhook-id': shown.uuid, 'x-shop': '********' },
      address: '127.0.0.1',
      timing: { total: shown.attempt_log[0].duration_ms },
      next_due: null,
    },
  ])
  expect(shown.uuid).toBe(received?.headers['webhook-id'])
  expect(JSON.stringify(shown)).not.toContain('opensesame')
})

test('whatever the data is, it arrives as it was sent, and is shown as it was sent', async () => {
  const flow = await makeFlow()
  const types = fc.constantFrom(
    'application/json',
    'application/json; charset=latin1',
    'text/plain',
    'image/png',
    'multipart/form-data; boundary=x',
  )
  const contents = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 2_000 }),
    fc.json().map((json) => new TextEncoder().encode(` ${json}\n`)),
    fc.string({ unit: 'binary', minLength: 1 }).map((text) => new TextEncoder().encode(text)),
  )
  const property = fc.asyncProperty(contents, types, async (bytes, type) => {
    receiver.received.length = 0
    const answer = await send(flow, bytes, { 'content-type': type })
    expect(answer.statusCode).toBe(202)
    const [received] = await receiver.got(1)
    expect(received?.body.equals(Buffer.from(bytes))).toBe(true)
    expect(received?.headers['content-type']).toBe(type)
    const { payload, payload_encoding: encoding, size } = await show(flow, answer.json().run_id)
    expect(Buffer.from(payload, encoding).equals(Buffer.from(bytes))).toBe(true)
    expect(size).toBe(bytes.length)
  })
  await fc.assert(property, tries(15, 40))
})

test('the signature is of the bytes, also where they are no text', async () => {
  const bytes = Buffer.from([0xff, 0x00, 0xfe, 0x0a])
  await start(await makeFlow({ secret }), bytes)
  const [received] = await receiver.got(1)
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = received?.headers ?? {}
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key)
    .update(`${String(id)}.${String(timestamp)}.`)
    .update(bytes)
    .digest('base64')
  expect(signature).toBe(`v1,${expected}`)
})

test('while a secret is being changed, what it was and what it is verify; after that the new one alone', async () => {
  const flow = await makeFlow({ secret })
  const rotated = (await call('POST', `${url}/${flow}/secret`)).json<{ secret: string }>()
  const verifies = async (): Promise<boolean[]> => {
    receiver.received.length = 0
    await start(flow)
    const [received] = await receiver.got(1)
    const headers = { ...received?.headers } as Record<string, string>
    return [secret, rotated.secret].map((one) => {
      try {
        new Webhook(one).verify(received?.body ?? '', headers, { jsonParse: false })
        return true
      } catch {
        return false
      }
    })
  }
  expect(await verifies()).toEqual([true, true])
  expect((await call('DELETE', `${url}/${flow}/secret/previous`)).statusCode).toBe(204)
  expect(await verifies()).toEqual([false, true])
})

test('a target that asked for quiet is left alone, also when a retry is forced, and its health says until when', async () => {
  receiver.answer({ status: 503, headers: { 'retry-after': '3600' } })
  const flow = await makeFlow()
  const asked = Date.now()
  const run = await start(flow)
  await receiver.got(1)
  const health = () => call('GET', `${url}/${flow}/health`)
  const quiet = await vi.waitFor(
    async () => {
      const shown = (await health()).json<{ hold_until: string; pending: number; failures: number }>()
      expect(shown.hold_until).not.toBeNull()
      expect((await show(flow, run)).last_status).toBe(503)
      return shown
    },
    { timeout: 20_000, interval: 20 },
  )
  expect(Date.parse(quiet.hold_until)).toBeGreaterThan(asked + 3_500_000)
  expect(quiet).toMatchObject({ pending: 1, failures: 1 })
  const refusal = await call('POST', `${url}/${flow}/runs/${run}/retry`)
  expect(refusal.json()).toMatchObject({ code: 'run_due', detail: expect.stringMatching(/asked for quiet.*health/) })
  expect((await call('POST', `${url}/${flow}/runs/${run}/retry`, { force: true })).statusCode).toBe(202)
  // Another flow's data goes out after it, so by then it would have come.
  await start(await makeFlow({ target: `${receiver.url}/other` }), 'last')
  await eventually(() => expect(receiver.received.map(({ path }) => path)).toContain('/other'))
  expect(receiver.received.filter(({ path }) => path === '/erp')).toHaveLength(1)
})

test('data without a content type arrives as application/octet-stream, unsigned without a secret', async () => {
  await start(await makeFlow(), Buffer.alloc(1_048_576, 'ab'))
  const [received] = await receiver.got(1)
  expect(received?.headers).toMatchObject({ 'content-type': 'application/octet-stream' })
  expect(received?.headers).not.toHaveProperty('webhook-signature')
  expect(received?.body.equals(Buffer.alloc(1_048_576, 'ab'))).toBe(true)
})

test('a run is running while its target fails, failed when it is given up, and succeeds when it is retried', async () => {
  receiver.answer({ status: 503, body: 'closed' })
  const flow = await makeFlow()
  await retryLater(flow)
  const run = await start(flow, '{"a": 1}')
  const running = await vi.waitFor(
    async () => {
      const shown = await show(flow, run)
      expect(shown.last_status).toBe(503)
      return shown
    },
    { timeout: 20_000, interval: 20 },
  )
  expect(running).toMatchObject({ state: 'running', attempts: 1, last_reason: 'http_503', finished_at: null })
  expect(Date.parse(running.next_attempt_at)).toBeGreaterThan(Date.now())
  expect((await call('POST', `${url}/${flow}/runs/${run}/retry`)).json()).toMatchObject({ code: 'run_due' })

  const { rows } = await sql`update deliveries set next_attempt_at = now() where id = ${run} returning id`.execute(
    database.db,
  )
  expect(rows).toHaveLength(1)
  const failed = await reaches(flow, run, 'failed')
  expect(failed).toMatchObject({
    attempts: 2,
    last_status: 503,
    next_attempt_at: null,
    finished_at: expect.any(String),
  })
  expect(failed.attempt_log).toMatchObject([
    { number: 1, outcome: 'retry', response_status: 503, response_body: 'closed' },
    { number: 2, outcome: 'failed', response_status: 503, response_body: 'closed' },
  ])

  receiver.answer({})
  const again = await call('POST', `${url}/${flow}/runs/${run}/retry`)
  expect([again.statusCode, again.json()]).toEqual([202, { run_id: run, state: 'running' }])
  await reaches(flow, run, 'succeeded')
  const ids = receiver.received.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body.toString()}`)
  expect([ids.length, new Set(ids).size]).toEqual([3, 1])
  expect((await call('POST', `${url}/${flow}/runs/${run}/retry`)).json()).toMatchObject({ code: 'run_succeeded' })
  expect((await call('POST', `${url}/${flow}/runs/${run}/retry`, { force: true })).statusCode).toBe(202)
  await receiver.got(4)
})

test('requests that are repeated at once with one key reach the target once', async () => {
  const flow = await makeFlow()
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(flow, 'a', { 'idempotency-key': 'once' })))
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
  // What is sent after it arrives after it, so by then a second one would have come.
  await start(flow, 'last')
  await vi.waitFor(() => expect(receiver.received.map(({ body }) => body.toString())).toContain('last'), {
    timeout: 10_000,
  })
  expect(receiver.received.filter(({ body }) => body.toString() === 'a')).toHaveLength(1)
})

test('a target that says it is gone switches the flow off; data is kept, and goes out when somebody switches it on', async () => {
  receiver.answer({ status: 410 })
  const flow = await makeFlow()
  const first = await start(flow, 'first')
  await reaches(flow, first, 'failed')
  await vi.waitFor(
    async () =>
      expect((await call('GET', `${url}/${flow}`)).json()).toMatchObject({ is_active: false, disabled_reason: 'gone' }),
    { timeout: 10_000 },
  )
  receiver.answer({})
  receiver.received.length = 0
  const kept = [await start(flow, 'second'), await start(flow, 'third')]
  expect(await show(flow, kept[0] ?? 0)).toMatchObject({ state: 'queued', next_attempt_at: null })
  await call('PATCH', `${url}/${flow}`, { is_active: true })
  for (const run of kept) await reaches(flow, run, 'succeeded')
  expect(receiver.received.map(({ body }) => body.toString()).toSorted()).toEqual(['second', 'third'])
})

test('a target that failed for days is tried by itself, and gets what was kept when it is back', async () => {
  const flow = await makeFlow()
  await sql`update subscriptions set is_active = false, disabled_reason = 'failing', health = 'disabled', failures = 9,
              failing_since = now() - interval '1 h', disabled_at = now() - interval '1 min', probe_at = null
            where scope = ${`flow:${flow}`}`.execute(database.db)
  const kept = [await start(flow, 'one'), await start(flow, 'two')]
  expect(await show(flow, kept[1] ?? 0)).toMatchObject({ state: 'queued', next_attempt_at: null })
  await sql`update subscriptions set probe_at = now() where scope = ${`flow:${flow}`}`.execute(database.db)
  for (const run of kept) await reaches(flow, run, 'succeeded')
  expect((await call('GET', `${url}/${flow}`)).json()).toMatchObject({ is_active: true, disabled_reason: null })
}, 60_000)

test('who made a flow is told by e-mail that its target fails', async () => {
  receiver.answer({ status: 500 })
  const flow = await makeFlow({ name: 'Orders\nto the ERP' })
  await retryAtOnce(flow)
  const run = await start(flow)
  await reaches(flow, run, 'failed')
  const about = () => mail.received.find(({ subject = '' }) => subject.includes('Orders to the ERP'))
  await vi.waitFor(() => expect(about()).toBeDefined(), { timeout: 30_000, interval: 50 })
  expect(about()).toMatchObject({
    subject: `Flow “Orders to the ERP” is failing (${receiver.url})`,
    recipients: [superuser.email],
  })
  expect(about()?.text).toContain(`\nhttps://waybill.test/flows/${flow}\n`)
})

test('a flow that is removed while a run is due sends nothing any more', async () => {
  receiver.answer({ status: 503 })
  const flow = await makeFlow()
  await retryLater(flow)
  const run = await start(flow)
  await receiver.got(1)
  await eventually(async () => expect((await show(flow, run)).last_status).toBe(503))
  await call('DELETE', `${url}/${flow}`)
  expect(await show(flow, run)).toMatchObject({ state: 'failed', attempts: 1, last_reason: 'unsubscribed' })
  expect(receiver.received).toHaveLength(1)
})
