import type { LookupAddress, LookupOptions } from 'node:dns'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeGuard } from './guard.ts'
import { AddressRefused, guardedLookup, type Resolve } from './guarded-lookup.ts'

const guard = makeGuard({ allowedNetworks: [], allowLoopback: false })
const good: LookupAddress = { address: '93.184.215.14', family: 4 }
const good6: LookupAddress = { address: '2606:4700::1111', family: 6 }
const bad: LookupAddress = { address: '10.0.0.1', family: 4 }

type Outcome = { error: Error } | { address: unknown; family: unknown }
const lookUp = (resolve: Resolve, options: LookupOptions = { all: true }): Promise<Outcome> =>
  new Promise((done) => {
    guardedLookup(guard, { resolve })('shop.example', options, (error, address, family) =>
      done(error === null ? { address, family } : { error }),
    )
  })
const resolved =
  (...addresses: LookupAddress[]): Resolve =>
  (_, done) =>
    done(null, addresses)

describe('a name', () => {
  test('with only good addresses is resolved to all of them', async () => {
    expect(await lookUp(resolved(good, good6))).toMatchObject({ address: [good, good6] })
  })

  test('is resolved to the first one when one is asked for', async () => {
    expect(await lookUp(resolved(good6, good), {})).toEqual({ address: good6.address, family: 6 })
  })

  test.each([
    ['only a bad one', [bad]],
    ['a bad one first', [bad, good]],
    ['a bad one last', [good, good6, bad]],
    ['a bad IPv6 one', [good, { address: '::1', family: 6 }]],
    ['a bad one inside IPv6', [good, { address: '::ffff:10.0.0.1', family: 6 }]],
    ['a link-local one with a zone', [good6, { address: 'fe80::1%eth0', family: 6 }]],
  ])('with %s is refused as a whole', async (_, addresses) => {
    for (const options of [{ all: true }, {}]) {
      const outcome = await lookUp(resolved(...addresses), options)
      expect(outcome).toEqual({ error: expect.any(AddressRefused) as unknown })
      // Subscribers read it: no address may be in it.
      const message = 'shop.example does not resolve to a public address'
      expect(outcome).toMatchObject({ error: { code: 'ADDRESS_REFUSED', message } })
    }
  })

  test('without any address is an error and not an empty success', async () => {
    expect(await lookUp(resolved())).toMatchObject({ error: { code: 'DNS_NO_ADDRESS' } })
    expect(await lookUp(resolved(), {})).toMatchObject({ error: { code: 'DNS_NO_ADDRESS' } })
  })

  test('that is unknown gives the error of the resolver', async () => {
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
    expect(await lookUp((_, done) => done(unknown, []))).toEqual({ error: unknown })
  })

  test('is checked on every look-up, not only the first', async () => {
    const answers = [[good], [bad], [good]]
    const changing: Resolve = (_, done) => done(null, answers.shift() ?? [])
    const outcomes = [await lookUp(changing), await lookUp(changing), await lookUp(changing)]
    expect(outcomes.map((outcome) => 'error' in outcome)).toEqual([false, true, false])
  })

  test('of this machine is resolved by the system, and refused', async () => {
    const outcome = await new Promise((done) => {
      guardedLookup(guard)('localhost', { all: true }, (error) => done(error))
    })
    expect(outcome).toBeInstanceOf(AddressRefused)
  })
})

describe('a resolver that does not answer', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  test('is waited for 5 s, and a late answer is ignored', async () => {
    let answerLate = (): void => undefined
    const outcomes: Outcome[] = []
    const silent: Resolve = (_, done) => {
      answerLate = () => done(null, [good])
    }
    void lookUp(silent).then((outcome) => outcomes.push(outcome))
    await vi.advanceTimersByTimeAsync(4_999)
    expect(outcomes).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    answerLate()
    await vi.advanceTimersByTimeAsync(10)
    expect(outcomes).toMatchObject([{ error: { code: 'DNS_TIMEOUT' } }])
  })

  test('leaves no timer behind when it does answer', async () => {
    await lookUp(resolved(good))
    expect(vi.getTimerCount()).toBe(0)
  })
})
