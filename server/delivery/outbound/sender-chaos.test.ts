import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { makeFullServer, makeServerOddOnce, saying } from '#testing/network/odd-servers.ts'
import { makeGuard } from './guard/guard.ts'
import { makeSender, type SendResult, type SenderOptions } from './sender.ts'

const guard = makeGuard({ allowedNetworks: [], allowLoopback: true })
const budgetMs = 400

const makeTestSender = (options: Partial<SenderOptions> = {}) => {
  // With one connection only, one that stays stuck would be noticed.
  const sender = makeSender({ guard, connections: 1, exchangeTimeoutMs: budgetMs, ...options })
  afterAll(() => sender.close())
  return sender
}
const post = (by: ReturnType<typeof makeTestSender>, url: string): Promise<SendResult> =>
  by.send({ url, headers: {}, body: '{}' })

const head = (...lines: string[]): string => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n')
const hello = head('content-type: text/plain', 'content-length: 5')

/** Writes as fast as it is read, until the other end has had enough. */
const pouring =
  (first: string | Buffer, piece: string | Buffer) =>
  (socket: Socket): void => {
    const more = (): void => {
      let isRead = true
      while (isRead && !socket.destroyed) isRead = socket.write(piece)
    }
    socket.write(first)
    socket.on('drain', more)
    more()
  }
const dripping =
  (first: string, slow: string) =>
  (socket: Socket): void => {
    let at = 0
    if (first !== '') socket.write(first)
    const timer = setInterval(() => socket.write(slow[at++ % slow.length] ?? ''), 20)
    socket.on('close', () => clearInterval(timer))
  }
const resetting =
  (first: string) =>
  (socket: Socket): void => {
    if (first === '') return void socket.resetAndDestroy()
    socket.write(first, () => setTimeout(() => socket.resetAndDestroy(), 20))
  }
const stalling =
  (first: string) =>
  (socket: Socket): void =>
    void socket.write(first)

type Odd = (socket: Socket) => void
const unanswered = { status: null, headers: null, body: null }

describe('a receiver', () => {
  test.each<[string, Odd, Partial<SendResult>]>([
    ['resets before its answer', resetting(''), { reason: 'connection_error', ...unanswered }],
    ['resets in the head', resetting('HTTP/1.1 200 OK\r\ncontent-'), { reason: 'connection_error', ...unanswered }],
    ['resets after the head', resetting(hello), { reason: 'connection_error', status: 200, body: '' }],
    ['resets in the body', resetting(`${hello}hel`), { reason: 'connection_error', status: 200, body: 'hel' }],
    ['closes at once', (socket) => void socket.destroy(), { reason: 'connection_error', ...unanswered }],
    ['says nothing', stalling(''), { reason: 'timeout', ...unanswered }],
    ['stops in the head', stalling('HTTP/1.1 200 OK\r\ncontent-'), { reason: 'timeout', ...unanswered }],
    ['stops after the head', stalling(hello), { reason: 'timeout', status: 200, body: '' }],
    ['stops in the body', stalling(`${hello}hel`), { reason: 'timeout', status: 200, body: 'hel' }],
    ['stops in a chunk', stalling(`${head('transfer-encoding: chunked')}9\r\nhel`), { reason: 'timeout', body: 'hel' }],
    ['asks to go on, and no more', stalling('HTTP/1.1 100 Continue\r\n\r\n'), { reason: 'timeout', ...unanswered }],
    ['drips its head', dripping('', hello), { reason: 'timeout', ...unanswered }],
    ['drips its body', dripping(head('content-length: 9999'), '.'), { reason: 'timeout', status: 200 }],
    ['drips line ends before its head', dripping('', '\r\n'), { reason: 'timeout', ...unanswered }],
    ['never ends its status line', pouring('HTTP/1.1 200 ', 'OK'.repeat(500)), { reason: 'timeout', ...unanswered }],
    [
      'never ends its head',
      pouring('HTTP/1.1 200 OK\r\n', 'x-a: b\r\n'.repeat(100)),
      { reason: 'protocol_error', ...unanswered },
    ],
    [
      'never ends one header',
      pouring('HTTP/1.1 200 OK\r\nx-a: ', 'b'.repeat(1_000)),
      { reason: 'protocol_error', ...unanswered },
    ],
    [
      'never ends the trailers',
      pouring(`${head('transfer-encoding: chunked')}2\r\nhi\r\n0\r\n`, 'x-a: b\r\n'.repeat(100)),
      { reason: 'protocol_error', status: 200, body: 'hi' },
    ],
    [
      'never ends the extension of a chunk',
      pouring(`${head('transfer-encoding: chunked')}2;`, 'a'.repeat(1_000)),
      { reason: 'timeout', status: 200 },
    ],
    [
      'says garbage',
      pouring('', Buffer.alloc(1_000, Buffer.from([0x00, 0xff, 0x16, 0x03]))),
      { reason: 'protocol_error', ...unanswered },
    ],
    [
      'sends hints without end',
      pouring('', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(100)),
      { reason: 'protocol_error', ...unanswered, detail: 'More than 16 interim answers came in place of an answer.' },
    ],
    [
      'asks to go on without end',
      pouring('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)),
      { reason: 'protocol_error', ...unanswered },
    ],
    [
      'promises more than it sends',
      saying(`${head('content-length: 9')}hel`),
      { reason: 'connection_error', body: 'hel' },
    ],
    ['sends more than it promises', saying(`${head('content-length: 3')}hello`), { reason: 'response', body: 'hel' }],
    [
      'sends more, and keeps the connection',
      stalling(`${head('content-length: 3')}hello`),
      { reason: 'response', body: 'hel' },
    ],
  ])('that %s costs no more than its exchange', async (_, odd, expected) => {
    const url = `http://127.0.0.1:${await makeServerOddOnce(odd)}/`
    // Only what ends by its budget is given a short one: on a busy machine it could end anything else.
    const sender = makeTestSender(expected.reason === 'timeout' ? {} : { exchangeTimeoutMs: 30_000 })
    const startedAt = performance.now()
    const result = await post(sender, url)
    const tookMs = performance.now() - startedAt
    expect(result).toMatchObject({ address: '127.0.0.1', ...expected })
    expect(result.detail).not.toBe('')
    expect(result.durationMs).toBeLessThanOrEqual(Math.ceil(tookMs))
    expect(result.durationMs).toBeGreaterThanOrEqual(expected.reason === 'timeout' ? budgetMs - 5 : 0)
    // Its end is seen, and another connection made.
    await expect.poll(() => post(sender, url)).toMatchObject({ reason: 'response', status: 200, body: 'fine' })
  })

  test('that never reads what it is sent costs no more than its exchange', async () => {
    const url = `http://127.0.0.1:${await makeServerOddOnce((socket) => void socket.pause())}/`
    const sender = makeTestSender({ exchangeTimeoutMs: 1_000 })
    const result = await sender.send({ url, headers: {}, body: 'x'.repeat(20_000_000) })
    expect(result).toMatchObject({ reason: 'timeout', ...unanswered })
    expect(await post(sender, url)).toMatchObject({ reason: 'response', body: 'fine' })
  })

  test('that cannot take connections is given up after the time for connecting', async () => {
    const { port, free } = await makeFullServer()
    const url = `http://127.0.0.1:${port}/`
    // These two fill it.
    const filling = [makeTestSender(), makeTestSender()].map((by) => post(by, url))
    await sleep(50)
    const sender = makeTestSender({ exchangeTimeoutMs: 5_000, connectTimeoutMs: 200 })
    const result = await post(sender, url)
    expect(result).toMatchObject({ reason: 'timeout', ...unanswered, address: '127.0.0.1' })
    expect(result.detail).toMatch(/No connection to 127\.0\.0\.1 within 0\.2 s/)
    expect(result.timing).toMatchObject({ dnsMs: null, tlsMs: null, firstByteMs: null })
    expect(result.timing.connectMs).toBeGreaterThanOrEqual(195)
    free()
    await Promise.all(filling)
    expect(await post(makeTestSender({ exchangeTimeoutMs: 5_000 }), url)).toMatchObject({ body: 'fine' })
    expect(await post(sender, url)).toMatchObject({ reason: 'response', body: 'fine' })
  })
})

describe('a huge body', () => {
  /** How much of it left the server, for 64 KiB that are kept: what the system's buffers hold. */
  const maxBytes = 16_000_000

  test('of 50 MB is cut at 64 KiB, and its connection closed', async () => {
    const size = 50_000_000
    let server: Socket | undefined
    const url = `http://127.0.0.1:${await makeServerOddOnce((socket) => {
      server = socket
      pouring(head(`content-length: ${size}`), Buffer.alloc(100_000, 'z'))(socket)
    })}/`
    const sender = makeTestSender({ exchangeTimeoutMs: 5_000 })
    const result = await post(sender, url)
    expect(result).toMatchObject({ reason: 'response', status: 200, body: 'z'.repeat(65_536) })
    await expect.poll(() => server?.destroyed).toBe(true)
    expect(server?.bytesWritten).toBeLessThan(maxBytes)
    expect(await post(sender, url)).toMatchObject({ reason: 'response', body: 'fine' })
  })

  test('that is packed is kept as it came, and not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 'z'), { level: 9 })
    const odd = saying(
      Buffer.concat([Buffer.from(head('content-encoding: gzip', `content-length: ${bomb.length}`)), bomb]),
    )
    const url = `http://127.0.0.1:${await makeServerOddOnce(odd)}/`
    const sender = makeTestSender({ exchangeTimeoutMs: 5_000 })
    const packed = bomb.toString('utf8').replaceAll('\0', '\uFFFD')
    expect(await post(sender, url)).toMatchObject({ reason: 'response', status: 200, body: packed })
  })

  test('that comes byte by byte is put together', async () => {
    const text = Array.from({ length: 300 }, (_, index) => String(index % 10)).join('')
    const odd = async (socket: Socket): Promise<void> => {
      socket.setNoDelay(true)
      socket.write(head(`content-length: ${text.length}`))
      for (const letter of text) {
        socket.write(letter)
        await sleep(1)
      }
    }
    const url = `http://127.0.0.1:${await makeServerOddOnce((socket) => void odd(socket))}/`
    expect(await post(makeTestSender({ exchangeTimeoutMs: 5_000 }), url)).toMatchObject({ status: 200, body: text })
  })
})
