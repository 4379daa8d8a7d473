import { afterAll, describe, expect, test } from 'vitest'
import { makeDnsServer, type DnsServer } from '#testing/network/dns-server.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { makeGuard } from './guard/guard.ts'
import type { Resolve } from './guard/guarded-lookup.ts'
import { makeSender, type SendResult, type SenderOptions } from './sender.ts'

/** Of this machine, only one address is open; the rest of it stands for what must not be reached. */
const guard = makeGuard({ allowedNetworks: ['127.0.0.1/32'], allowLoopback: false })
const receiver = await makeReceiver({ headers: { connection: 'close' } })

const resolveBy =
  ({ resolver }: DnsServer): Resolve =>
  (hostname, done) =>
    resolver.resolve4(hostname, (error, addresses) =>
      done(
        error,
        // There is none beside an error.
        (addresses ?? []).map((address) => ({ address, family: 4 })),
      ),
    )
const makeTestSender = (dns: DnsServer, options: Partial<SenderOptions> = {}) => {
  const sender = makeSender({ guard, connections: 1, exchangeTimeoutMs: 5_000, resolve: resolveBy(dns), ...options })
  afterAll(() => sender.close())
  return sender
}
const post = (by: ReturnType<typeof makeTestSender>, name = 'shop.example'): Promise<SendResult> =>
  by.send({ url: `http://${name}:${receiver.port}/`, headers: {}, body: '{}' })

describe('a name that a DNS server resolves', () => {
  test('is asked for and connected to', async () => {
    const dns = await makeDnsServer(() => ['127.0.0.1'])
    expect(await post(makeTestSender(dns))).toMatchObject({ reason: 'response', status: 200, address: '127.0.0.1' })
    expect(dns.asked).toEqual(['shop.example'])
  })

  test('otherwise the next time is judged each time, and connected to where it was judged', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['10.0.0.1'], ['127.0.0.1']]
    const dns = await makeDnsServer(() => answers.shift() ?? [])
    const sender = makeTestSender(dns)
    const results = [await post(sender), await post(sender), await post(sender), await post(sender)]
    const refused = {
      reason: 'address_refused',
      address: null,
      detail: 'shop.example does not resolve to a public address.',
    }
    const response = { reason: 'response', address: '127.0.0.1' }
    expect(results).toMatchObject([response, refused, refused, response])
    // One look-up for each connection: what was checked is what was used.
    expect(dns.asked).toHaveLength(4)
  })

  test.each([
    ['last', ['127.0.0.1', '169.254.169.254']],
    ['first', ['192.168.0.1', '127.0.0.1']],
    ['in the middle', ['127.0.0.1', '0.0.0.0', '127.0.0.1']],
  ])('to several addresses, a bad one %s, is refused', async (_, addresses) => {
    receiver.received.length = 0
    const dns = await makeDnsServer(() => addresses)
    expect(await post(makeTestSender(dns))).toMatchObject({ reason: 'address_refused', address: null })
    expect(receiver.received).toEqual([])
  })

  test('to nothing is a DNS error', async () => {
    const dns = await makeDnsServer(() => [])
    expect(await post(makeTestSender(dns))).toMatchObject({ reason: 'dns_error', address: null, status: null })
  })

  test('never, because nobody answers, is given up after the time for it, and asked for again', async () => {
    let isSilent = true
    const dns = await makeDnsServer(() => (isSilent ? 'silence' : ['127.0.0.1']))
    const sender = makeTestSender(dns, { dnsTimeoutMs: 200 })
    const result = await post(sender)
    expect(result).toMatchObject({ reason: 'dns_error', address: null, status: null })
    expect(result.detail).toBe('The name was not resolved in time (shop.example was not resolved in 0.2 s).')
    expect(result.durationMs).toBeGreaterThanOrEqual(195)
    expect(result.timing.dnsMs).toBeGreaterThanOrEqual(195)
    isSilent = false
    expect(await post(sender)).toMatchObject({ reason: 'response', status: 200 })
  })

  test('does not keep other names waiting', async () => {
    const dns = await makeDnsServer((name) => (name === 'silent.example' ? 'silence' : ['127.0.0.1']))
    const sender = makeTestSender(dns, { dnsTimeoutMs: 60_000 })
    const silent = post(sender, 'silent.example')
    const other = await post(sender, 'shop.example')
    expect(other).toMatchObject({ reason: 'response' })
    sender.abort()
    expect(await silent).toMatchObject({ reason: 'aborted', address: null })
  })
})
