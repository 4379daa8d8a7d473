import type { LookupAddress } from 'node:dns'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { localhost } from '#testing/network/certificates.ts'
import { closedPort, makeCountingServer, makeRawServer, makeTlsServer } from '#testing/network/odd-servers.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { makeGuard } from './guard/guard.ts'
import type { Resolve } from './guard/guarded-lookup.ts'
import { makeSender, type SendResult, type SenderOptions } from './sender.ts'

const guard = makeGuard({ allowedNetworks: [], allowLoopback: true })
const makeTestSender = (options: Partial<SenderOptions> = {}) => {
  const sender = makeSender({ guard, connections: 1, exchangeTimeoutMs: 5_000, ...options })
  afterAll(() => sender.close())
  return sender
}
const post = (by: ReturnType<typeof makeTestSender>, url: string): Promise<SendResult> =>
  by.send({ url, headers: {}, body: '{}' })

const tookMs = 60
/** Resolves every name to these addresses, and takes its time. */
const slowly =
  (...addresses: readonly string[]): Resolve =>
  (_hostname, done) =>
    void setTimeout(
      () =>
        done(
          null,
          addresses.map((address): LookupAddress => ({ address, family: 4 })),
        ),
      tookMs,
    )
const resolve = slowly('127.0.0.1')
/** What is expected of a phase that waited: a timer may be a little early. */
const waited = expect.toSatisfy((ms: unknown) => typeof ms === 'number' && ms >= tookMs - 5)
const wholeMs = expect.toSatisfy((ms: unknown) => Number.isInteger(ms) && Number(ms) >= 0)

describe('an exchange tells the time of each phase, and the address', () => {
  test('over a new connection', async () => {
    const receiver = await makeReceiver({ delayMs: tookMs })
    const result = await post(makeTestSender({ resolve }), `http://shop.example:${receiver.port}/`)
    expect(result.timing).toEqual({ dnsMs: waited, connectMs: wholeMs, tlsMs: null, firstByteMs: waited })
    expect(result.address).toBe('127.0.0.1')
    const { dnsMs, connectMs, firstByteMs } = result.timing
    expect((dnsMs ?? 0) + (connectMs ?? 0) + (firstByteMs ?? 0)).toBeLessThanOrEqual(result.durationMs + 2)
  })

  test('over a connection that is there already: only what it took to answer', async () => {
    const receiver = await makeReceiver({ delayMs: tookMs })
    const sender = makeTestSender({ resolve })
    const url = `http://shop.example:${receiver.port}/`
    await post(sender, url)
    for (let time = 1; time <= 3; time++) {
      const { timing, address } = await post(sender, url)
      expect(timing).toEqual({ dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: waited })
      expect(address).toBe('127.0.0.1')
    }
  })

  test('over a connection that has to be made again', async () => {
    const receiver = await makeReceiver({ headers: { connection: 'close' } })
    const sender = makeTestSender({ resolve })
    const url = `http://shop.example:${receiver.port}/`
    const results = [await post(sender, url), ...(await Promise.all([1, 2, 3].map(() => post(sender, url))))]
    expect(results.map(({ timing }) => timing.dnsMs)).toEqual([waited, waited, waited, waited])
  })

  test('to an address, which needs no look-up', async () => {
    const receiver = await makeReceiver()
    const { timing } = await post(makeTestSender({ resolve }), receiver.url)
    expect(timing).toEqual({ dnsMs: null, connectMs: wholeMs, tlsMs: null, firstByteMs: wholeMs })
  })

  test('over TLS', async () => {
    const { port } = await makeTlsServer(localhost)
    const sender = makeTestSender({ resolve, ca: localhost })
    const first = await post(sender, `https://localhost:${port}/`)
    expect(first).toMatchObject({ status: 200, address: '127.0.0.1' })
    expect(first.timing).toEqual({ dnsMs: waited, connectMs: wholeMs, tlsMs: wholeMs, firstByteMs: wholeMs })
    const second = await post(sender, `https://localhost:${port}/`)
    expect(second.timing).toEqual({ dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: wholeMs })
  })

  test('up to the last byte, the first one apart', async () => {
    const port = await makeRawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n')
      // The sender has read the head by the second turn, however long each takes.
      setImmediate(() => setImmediate(() => setTimeout(() => socket.write('ok'), tookMs)))
    })
    const { timing, durationMs } = await post(makeTestSender(), `http://127.0.0.1:${port}/`)
    expect(durationMs).toBeGreaterThanOrEqual(tookMs - 5)
    expect(timing.firstByteMs).toBeLessThan(durationMs - tookMs / 2)
  })

  test('and does not take a hint before the answer for its first byte', async () => {
    const port = await makeRawServer((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\n')
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), tookMs)
    })
    expect((await post(makeTestSender(), `http://127.0.0.1:${port}/`)).timing.firstByteMs).toEqual(waited)
  })
})

describe('an exchange that fails tells how far it got', () => {
  test('to the look-up', async () => {
    const unknown: Resolve = (_, done) =>
      void setTimeout(() => done(Object.assign(new Error('who?'), { code: 'ENOTFOUND' }), []), tookMs)
    const result = await post(makeTestSender({ resolve: unknown }), 'http://shop.example/')
    expect(result).toMatchObject({ reason: 'dns_error', address: null })
    expect(result.timing).toEqual({ dnsMs: waited, connectMs: null, tlsMs: null, firstByteMs: null })
  })

  test('to an address that is refused, which it does not name', async () => {
    const result = await post(makeTestSender({ resolve: slowly('10.0.0.1') }), 'http://shop.example/')
    expect(result).toMatchObject({ reason: 'address_refused', address: null })
    expect(result.timing).toEqual({ dnsMs: waited, connectMs: null, tlsMs: null, firstByteMs: null })
  })

  test('to a connection that is refused', async () => {
    const result = await post(makeTestSender({ resolve }), `http://shop.example:${await closedPort()}/`)
    expect(result).toMatchObject({ reason: 'connection_error', address: '127.0.0.1' })
    expect(result.timing).toEqual({ dnsMs: waited, connectMs: wholeMs, tlsMs: null, firstByteMs: null })
  })

  test('to the last of several addresses', async () => {
    const by = makeTestSender({ resolve: slowly('127.0.0.2', '127.0.0.3') })
    expect((await post(by, `http://shop.example:${await closedPort()}/`)).address).toBe('127.0.0.3')
  })

  test('to a TLS handshake that nobody takes part in', async () => {
    const port = await makeRawServer(() => undefined)
    const result = await post(makeTestSender({ resolve, connectTimeoutMs: tookMs }), `https://shop.example:${port}/`)
    expect(result).toMatchObject({ reason: 'timeout', address: '127.0.0.1', status: null })
    expect(result.detail).toMatch(/No TLS connection to 127\.0\.0\.1 within 0\.06 s/)
    expect(result.timing).toMatchObject({ dnsMs: waited, connectMs: wholeMs, firstByteMs: null })
    expect(result.timing.tlsMs).toBeGreaterThan(0)
  })

  test('to a look-up that outlasts the exchange', async () => {
    const never: Resolve = () => undefined
    const result = await post(makeTestSender({ resolve: never, exchangeTimeoutMs: tookMs }), 'http://shop.example/')
    expect(result).toMatchObject({ reason: 'timeout', address: null, detail: 'No answer within 0.06 s.' })
    expect(result.timing).toEqual({ dnsMs: waited, connectMs: null, tlsMs: null, firstByteMs: null })
  })

  test('to the request, when no answer comes', async () => {
    const receiver = await makeReceiver({ instead: 'hang' })
    const result = await post(
      makeTestSender({ resolve, exchangeTimeoutMs: 300 }),
      `http://shop.example:${receiver.port}/`,
    )
    expect(result).toMatchObject({ reason: 'timeout', address: '127.0.0.1' })
    expect(result.timing).toEqual({ dnsMs: waited, connectMs: wholeMs, tlsMs: null, firstByteMs: null })
  })

  test('to nothing at all, when it was not begun', async () => {
    const nothing = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null }
    expect(await post(makeTestSender(), 'http://10.0.0.1/')).toMatchObject({ timing: nothing, address: null })
  })
})

describe('connecting', () => {
  test('has its whole time after a slow look-up', async () => {
    const receiver = await makeReceiver()
    const sender = makeTestSender({ resolve, connectTimeoutMs: tookMs - 10, dnsTimeoutMs: 2_000 })
    expect(await post(sender, `http://shop.example:${receiver.port}/`)).toMatchObject({ reason: 'response' })
  })

  test('that was given up leaves nothing behind', async () => {
    const { port, count } = await makeCountingServer()
    const sender = makeTestSender({ resolve, exchangeTimeoutMs: tookMs / 2 })
    expect(await post(sender, `http://shop.example:${port}/`)).toMatchObject({ reason: 'timeout' })
    await sleep(2 * tookMs)
    expect(count.made).toBe(0)
  })
})
