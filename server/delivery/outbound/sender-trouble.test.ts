import type { LookupAddress } from 'node:dns'
import { afterAll, describe, expect, test } from 'vitest'
import { closedPort, makeRawServer, makeSelfSignedServer, saying } from '#testing/network/odd-servers.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { makeGuard } from './guard/guard.ts'
import type { Resolve } from './guard/guarded-lookup.ts'
import { makeSender, type SendResult, type SenderOptions } from './sender.ts'

const guard = makeGuard({ allowedNetworks: [], allowLoopback: true })
const makeTestSender = (options: Partial<SenderOptions> = {}) => {
  const sender = makeSender({ guard, exchangeTimeoutMs: 1_000, ...options })
  afterAll(() => sender.close())
  return sender
}
const sender = makeTestSender()
const post = (url: string, by = sender): Promise<SendResult> => by.send({ url, headers: {}, body: '{"a":1}' })

const head = (...lines: string[]): string => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n')

describe('a server that does not speak HTTP as it should', () => {
  const unspoken = { status: null, headers: null, body: null }
  test.each<[string, string | Buffer, Partial<SendResult>]>([
    ['greets like a mail server', '220 mail.example ESMTP\r\n', { reason: 'protocol_error', ...unspoken }],
    [
      'sends a web page without a head',
      '<html><body>hello</body></html>\r\n\r\n',
      { reason: 'protocol_error', ...unspoken },
    ],
    [
      'sends random bytes',
      Buffer.from([0x16, 0x03, 0x01, 0x00, 0xff, 0x00, 0x0a]),
      { reason: 'protocol_error', ...unspoken },
    ],
    ['sends no status', 'HTTP/1.1 \r\n\r\n', { reason: 'protocol_error', ...unspoken }],
    ['sends a header with NUL', head('x-a: a\0b', 'content-length: 0'), { reason: 'protocol_error', ...unspoken }],
    ['sends a header without a name', head(': b', 'content-length: 0'), { reason: 'protocol_error', ...unspoken }],
    [
      'sends two lengths',
      head('content-length: 1', 'content-length: 2') + 'ab',
      { reason: 'protocol_error', ...unspoken },
    ],
    ['sends a length that is no number', head('content-length: two') + 'ab', { reason: 'protocol_error', ...unspoken }],
    [
      'sends heads of 64 KiB',
      head(`x-a: ${'a'.repeat(65_536)}`, 'content-length: 0'),
      { reason: 'protocol_error', ...unspoken },
    ],
    [
      'sends a chunk whose size is no number',
      head('transfer-encoding: chunked') + 'zz\r\nab\r\n',
      { reason: 'protocol_error', status: 200, body: '' },
    ],
    ['closes without a word', '', { reason: 'connection_error', ...unspoken }],
    ['closes in the head', 'HTTP/1.1 200 OK\r\ncontent-le', { reason: 'connection_error', ...unspoken }],
    [
      'closes before the length it promised',
      head('content-length: 10') + 'half',
      { reason: 'connection_error', status: 200, body: 'half' },
    ],
    [
      'closes between chunks',
      head('transfer-encoding: chunked') + '4\r\nhalf\r\n',
      { reason: 'connection_error', status: 200, body: 'half' },
    ],
    [
      'switches to another protocol',
      'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      { status: null },
    ],
  ])('%s', async (_, bytes, expected) => {
    const port = await makeRawServer(saying(bytes))
    const result = await post(`http://127.0.0.1:${port}/`)
    expect(result).toMatchObject(expected)
    expect(result.reason).not.toBe('response')
    expect(result.detail).not.toBe('')
  })

  test.each<[string, string, Partial<SendResult>]>([
    ['ends the body by closing', `${head('connection: close')}until the end`, { status: 200, body: 'until the end' }],
    ['speaks HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nold', { status: 200, body: 'old' }],
    [
      'sends 103 before it answers',
      `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${head('content-length: 2')}ok`,
      { status: 200, body: 'ok' },
    ],
    ['sends more than the length it promised', `${head('content-length: 2')}okand more`, { status: 200, body: 'ok' }],
    [
      'sends chunks with extensions',
      `${head('transfer-encoding: chunked')}2;a=b\r\nok\r\n0\r\n\r\n`,
      { status: 200, body: 'ok' },
    ],
    ['answers with a status of its own', 'HTTP/1.1 999 Mine\r\ncontent-length: 0\r\n\r\n', { status: 999, body: '' }],
  ])('may be understood all the same: %s', async (_, bytes, expected) => {
    const port = await makeRawServer(saying(bytes))
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ reason: 'response', ...expected })
  })

  test('a hint before the answer is not taken for one when the answer does not come', async () => {
    const port = await makeRawServer((socket) => void socket.write('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'))
    const result = await post(`http://127.0.0.1:${port}/`)
    expect(result).toMatchObject({ reason: 'timeout', status: null, headers: null, timing: { firstByteMs: null } })
  })

  test('asks to go on in the middle of nowhere, and the connection is still good', async () => {
    let connections = 0
    const port = await makeRawServer((socket) => {
      connections += 1
      const answer = (): void => {
        socket.write('HTTP/1.1 10')
        setTimeout(() => socket.write('0 Continue\r\n'), 10)
        setTimeout(() => socket.write(`\r\n${head('content-length: 2')}ok`), 20)
      }
      answer()
      socket.on('data', answer)
    })
    for (let time = 1; time <= 3; time++)
      expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ reason: 'response', status: 200, body: 'ok' })
    expect(connections).toBe(1)
  })

  test('does not spoil the next exchange on its connection', async () => {
    let asked = 0
    const port = await makeRawServer((socket) => {
      const answer = (): void => {
        asked += 1
        socket.write(`${head('content-length: 2')}okHTTP/1.1 500 Forged\r\ncontent-length: 0\r\n\r\n`)
      }
      answer()
      socket.on('data', answer)
    })
    for (let time = 1; time <= 4; time++) {
      const result = await post(`http://127.0.0.1:${port}/`)
      expect(result.status).not.toBe(500)
    }
    expect(asked).toBeGreaterThan(1)
  })
})

describe('TLS', () => {
  test('with a certificate that nobody vouches for is an error, and nothing is sent', async () => {
    const port = await makeSelfSignedServer()
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ reason: 'tls_error', status: null })
    expect(await post(`https://localhost:${port}/`)).toMatchObject({ reason: 'tls_error', status: null })
  })

  test('to a server that speaks plain HTTP is an error', async () => {
    const plain = await makeReceiver()
    expect(await post(`https://127.0.0.1:${plain.port}/`)).toMatchObject({ reason: 'tls_error', status: null })
    expect(plain.received).toEqual([])
  })

  test('when the server expects it and plain HTTP comes, is an error of the connection', async () => {
    const port = await makeSelfSignedServer()
    const { reason, status } = await post(`http://127.0.0.1:${port}/`)
    expect(['connection_error', 'protocol_error']).toContain(reason)
    expect(status).toBeNull()
  })
})

describe('addresses', () => {
  const named =
    (...addresses: readonly string[]): Resolve =>
    (_hostname, done) =>
      done(
        null,
        addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
  const closed = makeGuard({ allowedNetworks: [], allowLoopback: false })

  test('where nobody listens are a connection error', async () => {
    expect(await post(`http://127.0.0.1:${await closedPort()}/`)).toMatchObject({
      reason: 'connection_error',
      status: null,
    })
  })

  test('of a name are used as resolved, with the name in Host', async () => {
    const receiver = await makeReceiver()
    const result = await post(`http://shop.example:${receiver.port}/x`, makeTestSender({ resolve: named('127.0.0.1') }))
    expect(result).toMatchObject({ reason: 'response', status: 200 })
    expect(receiver.received[0]?.headers.host).toBe(`shop.example:${receiver.port}`)
  })

  test('of which the first does not answer are tried one after the other', async () => {
    const receiver = await makeReceiver()
    const by = makeTestSender({ resolve: named('127.0.0.2', '127.0.0.1') })
    expect(await post(`http://shop.example:${receiver.port}/`, by)).toMatchObject({ reason: 'response', status: 200 })
  })

  test.each([
    ['http://10.0.0.1/', []],
    ['http://[::1]/', []],
    ['http://127.0.0.1:9/', []],
    ['ftp://127.0.0.1/', []],
    ['http://shop.example/', ['192.168.0.1']],
    ['http://shop.example/', ['93.184.215.14', '127.0.0.1']],
    ['https://shop.example/', ['::ffff:169.254.169.254']],
  ])('that must not be reached are refused: %s resolved to %j', async (url, addresses) => {
    const by = makeTestSender({ guard: closed, resolve: named(...addresses) })
    const result = await post(url, by)
    expect(result).toMatchObject({ reason: 'address_refused', status: null })
    expect(result.detail).toMatch(/public address|not allowed|Expected an http/)
  })

  test('of a name that changes after the check are never connected to', async () => {
    const receiver = await makeReceiver()
    let asked = 0
    const rebinding: Resolve = (hostname, done) => {
      asked += 1
      named(asked === 1 ? '198.18.0.1' : '127.0.0.1')(hostname, done)
    }
    // The first address is open to this guard, loopback is not.
    const open = makeGuard({ allowedNetworks: ['198.18.0.0/15'], allowLoopback: false })
    const by = makeTestSender({ guard: open, resolve: rebinding, exchangeTimeoutMs: 300 })
    const first = await post(`http://shop.example:${receiver.port}/`, by)
    expect(['timeout', 'connection_error']).toContain(first.reason)
    expect(await post(`http://shop.example:${receiver.port}/`, by)).toMatchObject({ reason: 'address_refused' })
    expect(receiver.received).toEqual([])
  })

  test('that no resolver knows are a DNS error', async () => {
    const unknown: Resolve = (hostname, done) =>
      done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' }), [])
    const result = await post('http://shop.example/', makeTestSender({ resolve: unknown }))
    expect(result).toMatchObject({
      reason: 'dns_error',
      detail: 'The name has no address (getaddrinfo ENOTFOUND shop.example).',
    })
  })

  test('that a resolver forgot to give are a DNS error', async () => {
    expect(await post('http://shop.example/', makeTestSender({ resolve: named() }))).toMatchObject({
      reason: 'dns_error',
    })
  })
})
