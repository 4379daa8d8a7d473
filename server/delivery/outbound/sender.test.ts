import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { makeReceiver, type Reply } from '#testing/receiver.ts'
import { makeGuard } from './guard/guard.ts'
import { makeSender, type SendRequest, type SendResult, type SenderOptions } from './sender.ts'

const guard = makeGuard({ allowedNetworks: [], allowLoopback: true })
const receiver = await makeReceiver()
const elsewhere = await makeReceiver()
beforeEach(() => {
  receiver.answer({})
  receiver.received.length = 0
  elsewhere.received.length = 0
})

const shortMs = 250
/** Longer than a test may take: what waits for the end of such an exchange fails. */
const longMs = 90_000
const makeTestSender = (options: Partial<SenderOptions> = {}) => {
  const sender = makeSender({ guard, exchangeTimeoutMs: longMs, ...options })
  afterAll(() => sender.close())
  return sender
}
const sender = makeTestSender()
const hasty = makeTestSender({ exchangeTimeoutMs: shortMs })

const send = (request: Partial<SendRequest> = {}): Promise<SendResult> =>
  sender.send({ url: receiver.url, headers: { 'content-type': 'application/json' }, body: '{}', ...request })
const answered = (reply: Reply, by = sender): Promise<SendResult> => {
  receiver.answer(reply)
  return by.send({ url: receiver.url, headers: {}, body: '{}' })
}

describe('what is sent', () => {
  test('is a POST to path and query with these headers and exactly these bytes', async () => {
    const body = '{"a":"ışık 🎁","b":"\\u0000"}'
    await send({
      url: `${receiver.url}/hooks/a%20b?x=1&y=%C3%BC`,
      headers: { 'x-one': '1', 'content-type': 'application/json' },
      body,
    })
    const [received] = receiver.received
    expect(received).toMatchObject({ method: 'POST', path: '/hooks/a%20b?x=1&y=%C3%BC' })
    expect(received?.headers).toMatchObject({ 'x-one': '1', 'content-type': 'application/json' })
    expect(received?.headers['content-length']).toBe(String(Buffer.byteLength(body)))
    expect(received?.body.equals(Buffer.from(body))).toBe(true)
  })

  test('stays unsent when the caller says that it is too late', async () => {
    expect(await send({ mayStart: () => false })).toMatchObject({ reason: 'not_started', status: null })
    expect(receiver.received).toEqual([])
  })

  test('with a header that HTTP does not allow fails without a request', async () => {
    expect(await send({ headers: { 'x-bad': 'a\nb' } })).toMatchObject({ reason: 'protocol_error', status: null })
    expect(await send({ headers: { 'x bad': 'a' } })).toMatchObject({ reason: 'protocol_error', status: null })
    expect(receiver.received).toEqual([])
  })
})

describe('an answer', () => {
  test.each([200, 201, 202, 204, 299, 304, 400, 404, 410, 429, 500, 503, 599])(
    'of status %i is a response',
    async (status) => {
      const result = await answered({ status, headers: { 'x-got': 'it' } })
      expect(result).toMatchObject({ reason: 'response', status, detail: `HTTP ${status}`, body: '' })
      expect(result.headers).toMatchObject({ 'x-got': 'it' })
    },
  )

  test.each([300, 301, 302, 303, 307, 308])(
    'that redirects with %i is a response and is not followed',
    async (status) => {
      const result = await answered({ status, headers: { location: elsewhere.url } })
      expect(result).toMatchObject({ reason: 'response', status })
      await sleep(20)
      expect(elsewhere.received).toEqual([])
      expect(receiver.received).toHaveLength(1)
    },
  )

  test('is kept whole up to 64 KiB', async () => {
    const body = 'x'.repeat(65_536)
    expect((await answered({ body })).body).toBe(body)
  })

  test('over 64 KiB is still a response, and cut there', async () => {
    const result = await answered({ body: `${'x'.repeat(65_536)}y` })
    expect(result).toMatchObject({ reason: 'response', status: 200, body: 'x'.repeat(65_536) })
    const large = await answered({ status: 500, body: Buffer.alloc(5_000_000, 'z') })
    expect(large).toMatchObject({ reason: 'response', status: 500, body: 'z'.repeat(65_536) })
  })

  test('over 64 KiB is not waited for to its end', async () => {
    const result = await answered({ body: Buffer.alloc(70_000, 'z'), instead: 'stall' })
    expect(result).toMatchObject({ reason: 'response', status: 200 })
  })

  test('cut in the middle of a character is still text', async () => {
    const { body } = await answered({ body: `x${'ü'.repeat(40_000)}` })
    expect(body).toBe(`x${'ü'.repeat(32_767)}\uFFFD`)
  })

  test.each([
    ['NUL', Buffer.from('a\0b\0'), 'a\uFFFDb\uFFFD'],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0xc3, 0x28]), 'a\uFFFD\uFFFD\uFFFD('],
    ['a surrogate written as UTF-8', Buffer.from([0xed, 0xa0, 0x80]), '\uFFFD\uFFFD\uFFFD'],
    ['a byte order mark', Buffer.from('\uFEFF{}'), '\uFEFF{}'],
    ['four-byte characters', Buffer.from('🎁'), '🎁'],
  ])('with %s can be stored as text', async (_, bytes, text) => {
    const { body } = await answered({ body: bytes })
    expect(body).toBe(text)
    expect(body?.isWellFormed()).toBe(true)
  })

  test('with many headers keeps them all', async () => {
    const headers = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`x-header-${index}`, `${index}`]))
    expect((await answered({ headers })).headers).toMatchObject(headers)
  })

  test('with a header of several lines joins them', async () => {
    const { headers } = await answered({ headers: { 'set-cookie': ['a=1', 'b=2'], 'x-two': ['1', '2'] } })
    expect(headers).toMatchObject({ 'set-cookie': 'a=1, b=2', 'x-two': '1, 2' })
  })
})

describe('no answer', () => {
  test('at all is a timeout after the budget', async () => {
    const result = await answered({ instead: 'hang' }, hasty)
    expect(result).toMatchObject({ reason: 'timeout', status: null, headers: null, body: null })
    expect(result.detail).toBe('No answer within 0.25 s.')
    expect(result.durationMs).toBeGreaterThanOrEqual(shortMs - 5)
  })

  test.each(['stall', 'drip'] as const)(
    'to the end (%s) is a timeout after the budget, with what came so far',
    async (instead) => {
      const result = await answered({ status: 200, body: 'so far', instead }, hasty)
      expect(result).toMatchObject({
        reason: 'timeout',
        status: 200,
        detail: 'The answer was not complete within 0.25 s.',
      })
      expect(result.body).toMatch(/^so far\.*$/)
    },
  )

  test('because the connection broke is a connection error', async () => {
    expect(await answered({ instead: 'reset' })).toMatchObject({ reason: 'connection_error', status: null })
  })

  test('frees its connection for the next request', async () => {
    const narrow = makeTestSender({ connections: 1, exchangeTimeoutMs: 400 })
    const request = { url: receiver.url, headers: {}, body: '{}' }
    for (const instead of ['hang', 'stall', 'reset', 'drip'] as const) {
      receiver.answer({ instead })
      await narrow.send(request)
      receiver.answer({})
      await expect.poll(() => narrow.send(request)).toMatchObject({ reason: 'response', status: 200 })
    }
  })
})

describe('connections', () => {
  test('to one origin are limited; what waits for one starts its budget when it has it', async () => {
    const narrow = makeTestSender({ connections: 2, exchangeTimeoutMs: 400 })
    let open = 0
    let most = 0
    receiver.answer(async () => {
      open += 1
      most = Math.max(most, open)
      await sleep(150)
      open -= 1
      return {}
    })
    const requests = Array.from({ length: 8 }, () => narrow.send({ url: receiver.url, headers: {}, body: '{}' }))
    const results = await Promise.all(requests)
    expect(results.map(({ reason }) => reason)).toEqual(results.map(() => 'response'))
    expect(most).toBe(2)
  })

  test('are not waited for any longer than the caller allows', async () => {
    const narrow = makeTestSender({ connections: 1 })
    receiver.answer({ delayMs: 100 })
    const mayStart = (): boolean => receiver.received.length === 0
    const request = { url: receiver.url, headers: {}, body: '{}', mayStart }
    const results = await Promise.all([narrow.send(request), narrow.send(request), narrow.send(request)])
    expect(results.map(({ reason }) => reason)).toEqual(['response', 'not_started', 'not_started'])
    expect(receiver.received).toHaveLength(1)
  })

  test('to an origin that hangs do not keep another one waiting', async () => {
    const narrow = makeTestSender({ connections: 1 })
    receiver.answer({ instead: 'hang' })
    const hanging = narrow.send({ url: receiver.url, headers: {}, body: '{}' })
    const other = await narrow.send({ url: elsewhere.url, headers: {}, body: '{}' })
    expect(other).toMatchObject({ reason: 'response', status: 200 })
    narrow.abort()
    await hanging
  })
})

describe('ending', () => {
  test('aborts what is in flight, and what waits or comes later stays unsent', async () => {
    const ending = makeTestSender({ connections: 1 })
    receiver.answer({ instead: 'hang' })
    const request = { url: receiver.url, headers: {}, body: '{}' }
    const inFlight = ending.send(request)
    const waiting = ending.send(request)
    await receiver.got(1)
    ending.abort()
    expect(await inFlight).toMatchObject({ reason: 'aborted', status: null })
    expect(await waiting).toMatchObject({ reason: 'not_started' })
    expect(await ending.send(request)).toMatchObject({ reason: 'not_started' })
    await ending.close()
    await ending.close()
    expect(receiver.received).toHaveLength(1)
  })

  test('in the middle of a body keeps the status', async () => {
    receiver.answer({ status: 202, body: 'so', instead: 'stall' })
    const aborted = makeTestSender()
    const inFlight = aborted.send({ url: receiver.url, headers: {}, body: '{}' })
    await receiver.got(1)
    await sleep(50)
    aborted.abort()
    expect(await inFlight).toMatchObject({ reason: 'aborted', status: 202 })
  })
})
