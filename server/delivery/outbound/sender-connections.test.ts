import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { shop } from '#testing/network/certificates.ts'
import { makeCountingServer, makeRawServer, makeServerOddOnce } from '#testing/network/odd-servers.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { makeGuard } from './guard/guard.ts'
import type { Resolve } from './guard/guarded-lookup.ts'
import { makeSender, type SendResult, type SenderOptions } from './sender.ts'

const guard = makeGuard({ allowedNetworks: [], allowLoopback: true })
const here: Resolve = (_hostname, done) => done(null, [{ address: '127.0.0.1', family: 4 }])
const makeTestSender = (options: Partial<SenderOptions> = {}) => {
  const sender = makeSender({ guard, exchangeTimeoutMs: 5_000, resolve: here, ca: shop, ...options })
  afterAll(() => sender.close())
  return sender
}
const post = (by: ReturnType<typeof makeTestSender>, url: string): Promise<SendResult> =>
  by.send({ url, headers: {}, body: '{}' })
const postMany = (count: number, by: ReturnType<typeof makeTestSender>, url: string): Promise<SendResult[]> =>
  Promise.all(Array.from({ length: count }, () => post(by, url)))

const schemes: readonly (readonly [scheme: string, cert?: string])[] = [['http'], ['https', shop]]

describe.each(schemes)('a connection of %s', (scheme, cert) => {
  const makeServer = () => makeCountingServer(cert === undefined ? {} : { cert })

  test('is used again and again', async () => {
    const { port, count } = await makeServer()
    const sender = makeTestSender()
    for (let time = 1; time <= 20; time++)
      expect((await post(sender, `${scheme}://shop.example:${port}/`)).status).toBe(200)
    expect(count.made).toBe(1)
  })

  test('is not used for another name, though it leads to the same address', async () => {
    const { port, count } = await makeServer()
    const sender = makeTestSender()
    const first = await post(sender, `${scheme}://shop.example:${port}/`)
    const second = await post(sender, `${scheme}://other.example:${port}/`)
    expect(first).toMatchObject({ status: 200, address: '127.0.0.1' })
    expect(second.address).toBe('127.0.0.1')
    expect(second.timing.dnsMs).not.toBeNull()
    expect(count.made).toBe(2)
    // What speaks for one name does not speak for the other.
    expect(second.reason).toBe(cert === undefined ? 'response' : 'tls_error')
  })

  test('that nobody uses is closed after a while, and made again when it is needed', async () => {
    const { port, count } = await makeServer()
    const sender = makeTestSender({ idleMs: 100 })
    const url = `${scheme}://shop.example:${port}/`
    for (let time = 1; time <= 2; time++) {
      expect(await post(sender, url)).toMatchObject({ status: 200 })
      expect(count.open).toBe(1)
      await expect.poll(() => count.open).toBe(0)
    }
    expect(count.made).toBe(2)
  })

  test('that is used now and then is not closed', async () => {
    const { port, count } = await makeServer()
    const sender = makeTestSender({ idleMs: 300 })
    for (let time = 1; time <= 8; time++) {
      await post(sender, `${scheme}://shop.example:${port}/`)
      await sleep(75)
    }
    expect(count.made).toBe(1)
  })

  test('is closed with its sender', async () => {
    const { port, count } = await makeServer()
    const sender = makeTestSender()
    await postMany(3, sender, `${scheme}://shop.example:${port}/`)
    expect(count.open).toBe(3)
    await sender.close()
    await expect.poll(() => count.open).toBe(0)
  })
})

describe('of the connections to an origin', () => {
  test('those that are not needed any more grow old and are closed', async () => {
    const { port, count } = await makeCountingServer({ delayMs: 20 })
    const sender = makeTestSender({ idleMs: 300 })
    const url = `http://127.0.0.1:${port}/`
    await postMany(5, sender, url)
    expect(count).toEqual({ made: 5, open: 5 })
    for (let time = 1; time <= 8; time++) {
      await post(sender, url)
      await sleep(50)
    }
    expect(count).toEqual({ made: 5, open: 1 })
  })

  test('one that the receiver closes while nobody uses it is not counted on', async () => {
    let connections = 0
    const port = await makeRawServer((socket) => {
      connections += 1
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine')
      setTimeout(() => socket.end(), 20)
    })
    const sender = makeTestSender({ connections: 1 })
    for (let time = 1; time <= 3; time++) {
      expect(await post(sender, `http://127.0.0.1:${port}/`)).toMatchObject({ reason: 'response', body: 'fine' })
      await sleep(60)
    }
    expect(connections).toBe(3)
  })

  test('one that closes with its answer is made again for each of those that wait', async () => {
    const port = await makeRawServer((socket) => void socket.end('HTTP/1.0 200 OK\r\n\r\nfine'))
    const results = await postMany(20, makeTestSender({ connections: 2 }), `http://127.0.0.1:${port}/`)
    expect(results.map(({ body }) => body)).toEqual(results.map(() => 'fine'))
  })

  test('one that gave something nobody asked for while it was free is not used again', async () => {
    const port = await makeServerOddOnce((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ngood')
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged'), 20)
    })
    const sender = makeTestSender({ connections: 1 })
    const url = `http://127.0.0.1:${port}/`
    expect(await post(sender, url)).toMatchObject({ body: 'good' })
    await sleep(60)
    expect(await post(sender, url)).toMatchObject({ body: 'fine' })
  })
})

describe('those who share an origin', () => {
  test('do not wait for connections that others use, and use those that are free', async () => {
    const { port, count } = await makeCountingServer({ delayMs: 400 })
    const sender = makeTestSender({ connections: 2 })
    const request = { url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' }
    const first = Array.from({ length: 6 }, () => sender.send({ ...request, sharer: 1 }))
    let served = 0
    for (const one of first) void one.then(() => (served += 1))
    await expect.poll(() => count.open).toBe(2)
    await sender.send({ ...request, sharer: 2 })
    // Behind them it would be the seventh.
    expect(served).toBeLessThan(5)
    expect(count.made).toBe(3)
    await Promise.all(first)
    await Promise.all([2, 3].map((sharer) => sender.send({ ...request, sharer })))
    expect(count.made).toBe(3)
  })
})

describe('connections that are kept for later', () => {
  test('have a bound over all origins; the least recently used is closed first', async () => {
    const servers = await Promise.all(Array.from({ length: 4 }, () => makeCountingServer()))
    const sender = makeTestSender({ maxIdle: 3 })
    const use = async (index: number): Promise<void> => {
      expect(await post(sender, `http://127.0.0.1:${servers[index]?.port}/`)).toMatchObject({ status: 200 })
      // Apart in time, and long enough to be seen.
      await sleep(20)
    }
    const open = (): number[] => servers.map(({ count }) => count.open)
    for (const index of [0, 1, 2]) await use(index)
    expect(open()).toEqual([1, 1, 1, 0])
    await use(0)
    await use(3)
    expect(open()).toEqual([1, 0, 1, 1])
    await use(1)
    expect(open()).toEqual([1, 1, 0, 1])
    expect(servers.map(({ count }) => count.made)).toEqual([1, 2, 1, 1])
  })

  test('are closed in place of those in use, however long these were not used before', async () => {
    const [slow, ...quick] = await Promise.all([200, 0, 0].map((delayMs) => makeCountingServer({ delayMs })))
    const sender = makeTestSender({ maxIdle: 1 })
    await post(sender, `http://127.0.0.1:${slow?.port}/`)
    const inUse = post(sender, `http://127.0.0.1:${slow?.port}/`)
    for (const { port } of quick) await post(sender, `http://127.0.0.1:${port}/`)
    await sleep(20)
    expect(quick.map(({ count }) => count.open)).toEqual([0, 1])
    expect(await inUse).toMatchObject({ status: 200 })
    expect(slow?.count.made).toBe(1)
  })

  test('do not count those that the receiver has closed', async () => {
    const kept = await makeCountingServer()
    const closing = await makeRawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine')
      setTimeout(() => socket.end(), 20)
    })
    const sender = makeTestSender({ maxIdle: 2 })
    for (const port of [kept.port, closing]) await post(sender, `http://127.0.0.1:${port}/`)
    await sleep(60)
    const { port } = await makeCountingServer()
    await post(sender, `http://127.0.0.1:${port}/`)
    await sleep(20)
    expect(kept.count.open).toBe(1)
  })

  test('do not count those that were never opened', async () => {
    const { port, count } = await makeCountingServer()
    const sender = makeTestSender({ maxIdle: 1 })
    await post(sender, `http://127.0.0.1:${port}/`)
    const unsent = { url: 'http://127.0.0.1:9999/', headers: {}, body: '{}', mayStart: () => false }
    expect(await sender.send(unsent)).toMatchObject({ reason: 'not_started' })
    await sleep(20)
    expect(count).toEqual({ made: 1, open: 1 })
  })

  test('do not count those that are in use', async () => {
    const { port, count } = await makeCountingServer({ delayMs: 50 })
    const sender = makeTestSender({ maxIdle: 3 })
    const results = await postMany(10, sender, `http://127.0.0.1:${port}/`)
    expect(results.map(({ status }) => status)).toEqual(results.map(() => 200))
    await expect.poll(() => count).toEqual({ made: 10, open: 3 })
  })
})

describe('many requests', () => {
  test('that fail before they are written do not fill the stack', async () => {
    const { port } = await makeCountingServer()
    const sender = makeTestSender({ connections: 1 })
    const url = `http://127.0.0.1:${port}/`
    const first = post(sender, url)
    const bad = Array.from({ length: 20_000 }, () => sender.send({ url, headers: { 'x-bad': '\n' }, body: '' }))
    expect((await first).status).toBe(200)
    for (const { reason } of await Promise.all(bad)) expect(reason).toBe('protocol_error')
    expect(await post(sender, url)).toMatchObject({ status: 200 })
  })

  test('that are aborted before they are written are never written', async () => {
    const receiver = await makeReceiver()
    const sender = makeTestSender({ connections: 1 })
    await post(sender, receiver.url)
    const result = post(sender, receiver.url)
    sender.abort()
    expect(await result).toMatchObject({ reason: 'aborted' })
    await sleep(50)
    expect(receiver.received).toHaveLength(1)
  })

  test('that wait when everything is aborted stay unsent', async () => {
    const { port, count } = await makeCountingServer({ delayMs: 1_000 })
    const sender = makeTestSender({ connections: 2 })
    const all = postMany(5_000, sender, `http://127.0.0.1:${port}/`)
    await expect.poll(() => count.open).toBe(2)
    sender.abort()
    const reasons = (await all).map(({ reason }) => reason)
    expect(reasons.filter((reason) => reason === 'aborted')).toHaveLength(2)
    expect(reasons.filter((reason) => reason === 'not_started')).toHaveLength(4_998)
    await expect.poll(() => count.open).toBe(0)
  })
})
