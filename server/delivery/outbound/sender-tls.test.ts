import type { LookupAddress } from 'node:dns'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { early, expired, localhost, shop } from '#testing/network/certificates.ts'
import { makeRawServer, makeTlsServer } from '#testing/network/odd-servers.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { makeGuard } from './guard/guard.ts'
import type { Resolve } from './guard/guarded-lookup.ts'
import { makeSender, type SendResult, type SenderOptions } from './sender.ts'

const guard = makeGuard({ allowedNetworks: [], allowLoopback: true })
const here: Resolve = (_hostname, done) => done(null, [{ address: '127.0.0.1', family: 4 } satisfies LookupAddress])
const makeTestSender = (options: Partial<SenderOptions> = {}) => {
  const sender = makeSender({ guard, connections: 1, exchangeTimeoutMs: 5_000, resolve: here, ...options })
  afterAll(() => sender.close())
  return sender
}
const post = (by: ReturnType<typeof makeTestSender>, url: string): Promise<SendResult> =>
  by.send({ url, headers: {}, body: '{}' })

describe('a name', () => {
  test('stays in the TLS handshake and in Host when its checked address is connected to', async () => {
    const { port, requests } = await makeTlsServer(shop)
    const sender = makeTestSender({ ca: shop })
    expect(await post(sender, `https://shop.example:${port}/x`)).toMatchObject({ status: 200, address: '127.0.0.1' })
    expect(requests).toMatchObject([{ servername: 'shop.example', headers: { host: `shop.example:${port}` } }])
  })

  test('in capitals, or with a dot at its end, is the same name to the receiver', async () => {
    const { port, requests } = await makeTlsServer(shop)
    const sender = makeTestSender({ ca: shop })
    expect(await post(sender, `https://SHOP.Example:${port}/`)).toMatchObject({ status: 200 })
    expect(await post(sender, `https://shop.example.:${port}/`)).toMatchObject({ status: 200 })
    expect(requests.map(({ servername }) => servername)).toEqual(['shop.example', 'shop.example'])
  })

  test('is not sent when there is only an address', async () => {
    const { port, requests } = await makeTlsServer(localhost)
    expect(await post(makeTestSender({ ca: localhost }), `https://127.0.0.1:${port}/`)).toMatchObject({ status: 200 })
    expect(requests).toMatchObject([{ servername: undefined }])
  })
})

describe('a certificate', () => {
  test.each([
    ['that has expired', expired, expired, /^The certificate has expired \(.+\)\.$/],
    ['that is not valid yet', early, early, /^The certificate is not valid yet \(.+\)\.$/],
    [
      'for another name',
      localhost,
      localhost,
      /^The certificate is for another name \(.*shop\.example.*localhost.*\)\.$/,
    ],
    ['that nobody vouches for', shop, undefined, /^The certificate is signed by nobody that is trusted here \(.+\)\.$/],
    ['that only another one vouches for', shop, localhost, /^The certificate is signed by nobody .+\)\.$/],
  ])('%s is an error, and nothing is sent', async (_, cert, ca, detail) => {
    const { port, requests } = await makeTlsServer(cert)
    const sender = makeTestSender(ca === undefined ? {} : { ca })
    // Twice: what was learnt from the first handshake must not open the second.
    for (let time = 1; time <= 2; time++) {
      const result = await post(sender, `https://shop.example:${port}/`)
      expect(result).toMatchObject({ reason: 'tls_error', status: null, address: '127.0.0.1' })
      expect(result.detail).toMatch(detail)
      expect(result.timing).toMatchObject({ firstByteMs: null, tlsMs: expect.any(Number) as number })
    }
    expect(requests).toEqual([])
  })

  describe('when the environment says not to look', () => {
    afterEach(() => {
      vi.unstubAllEnvs()
      vi.restoreAllMocks()
    })
    test('is looked at all the same', async () => {
      vi.spyOn(process, 'emitWarning').mockReturnValue()
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
      const { port } = await makeTlsServer(shop)
      expect(await post(makeTestSender(), `https://shop.example:${port}/`)).toMatchObject({ reason: 'tls_error' })
    })
  })
})

describe('a receiver that speaks', () => {
  test('plain HTTP is a TLS error, and gets nothing', async () => {
    const plain = await makeReceiver()
    const result = await post(makeTestSender(), `https://shop.example:${plain.port}/`)
    expect(result).toMatchObject({ reason: 'tls_error', status: null })
    expect(result.detail).toMatch(/^The receiver does not speak TLS on this port \(.+\)\.$/)
    expect(plain.received).toEqual([])
  })

  test('nothing, and closes in the handshake, is an error of the connection', async () => {
    const port = await makeRawServer((socket) => void socket.destroy())
    expect(await post(makeTestSender(), `https://shop.example:${port}/`)).toMatchObject({ reason: 'connection_error' })
  })
})

describe('a TLS session', () => {
  const resumed = async (idleMs: number, waitMs: number): Promise<boolean[]> => {
    const { port, requests } = await makeTlsServer(shop, { keepsConnections: false })
    const sender = makeTestSender({ ca: shop, idleMs })
    for (let time = 1; time <= 2; time++) {
      expect(await post(sender, `https://shop.example:${port}/`)).toMatchObject({ status: 200 })
      await sleep(waitMs)
    }
    return requests.map(({ isResumed }) => isResumed)
  }

  test('is taken up again by the next connection to the same origin', async () => {
    expect(await resumed(60_000, 50)).toEqual([false, true])
  })

  test('is forgotten with an origin that nobody has used for long', async () => {
    expect(await resumed(20, 300)).toEqual([false, false])
  })
})
