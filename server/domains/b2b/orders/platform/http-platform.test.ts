import { Webhook } from 'standardwebhooks'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { makeGuard } from '#delivery/outbound/guard/guard.ts'
import { makeSender } from '#delivery/outbound/sender.ts'
import { systemClock } from '#platform/clock.ts'
import { closedPort } from '#testing/network/odd-servers.ts'
import { makeReceiver, type Received, type Reply } from '#testing/receiver.ts'
import { orderToJson, type PlatformOrder } from './commerce-platform.ts'
import { makeHttpPlatform } from './http-platform.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq='
const sender = makeSender({ guard: makeGuard({ allowedNetworks: [], allowLoopback: true }), exchangeTimeoutMs: 400 })
afterAll(() => sender.close())

/** A commerce platform that knows the keys it has seen, and answers as it is told. */
const orders = new Map<string, number>()
const takeOrder = ({ headers, body }: Received): number => {
  new Webhook(secret).verify(body, headers as Record<string, string>)
  const key = String(headers['idempotency-key'])
  const number = orders.get(key) ?? 7_001 + orders.size
  orders.set(key, number)
  return number
}
const json = { 'content-type': 'application/json' }
const shop = await makeReceiver()
const answering = (how: (number: number) => Reply): void => shop.answer((request) => how(takeOrder(request)))
const well = (number: number): Reply => ({
  status: 201,
  headers: json,
  body: JSON.stringify({ number: `S-${number}` }),
})

const connect = (url: string) =>
  makeHttpPlatform({ clock: systemClock, send: sender.send, installationId: 'installation', url, secret })
const platform = connect(`${shop.url}/orders`)

const order: PlatformOrder = {
  number: 'Q-2026-17-1',
  quotationNumber: 'Q-2026-17',
  division: { id: 12, name: 'Şube', erpCode: null },
  currency: 'EUR',
  amount: 123_450n,
  quantity: 3,
  items: [{ productRemoteId: '1001', quantity: 3, amount: 123_450n }],
}

beforeEach(() => {
  orders.clear()
  shop.received.length = 0
})

describe('an order', () => {
  test('is posted as JSON with its key, signed, and has the number that the platform gives it', async () => {
    answering(well)
    expect(await platform.createOrder(order, '17-1-12-1')).toEqual({ number: 'S-7001' })
    const [request] = shop.received
    expect(request).toMatchObject({ method: 'POST', path: '/orders' })
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': 'installation-17-1-12-1',
      'webhook-id': 'installation-17-1-12-1',
    })
    expect(JSON.parse(String(request?.body))).toEqual({
      number: 'Q-2026-17-1',
      quotation: 'Q-2026-17',
      division: { id: 12, name: 'Şube', erp_code: null },
      currency: 'EUR',
      amount: '1234.50',
      quantity: 3,
      items: [{ product_remote_id: '1001', quantity: 3, amount: '1234.50' }],
    })
  })

  test('is one order however often it is sent, with the same bytes', async () => {
    answering(well)
    const [first, second] = [await platform.createOrder(order, 'one'), await platform.createOrder(order, 'one')]
    expect(second).toEqual(first)
    expect(await platform.createOrder(order, 'two')).toEqual({ number: 'S-7002' })
    expect(shop.received[0]?.body.equals(shop.received[1]?.body ?? Buffer.of())).toBe(true)
  })

  test('has a number that is an integer as well', async () => {
    answering((number) => ({ headers: json, body: JSON.stringify({ number }) }))
    expect(await platform.createOrder(order, 'one')).toEqual({ number: '7001' })
  })

  test('has a large integer as its number, exactly', async () => {
    answering(() => ({ headers: json, body: '{"number": 9007199254740993}' }))
    expect(await platform.createOrder(order, 'one')).toEqual({ number: '9007199254740993' })
  })

  test('whose answer is too large is asked for again, with the same key', async () => {
    answering((number) => ({ headers: json, body: `{"log": "${'x'.repeat(200_000)}", "number": "S-${number}"}` }))
    const error = {
      reason: 'answer_too_large',
      detail: 'The platform answered 200 with more than 64 KiB.',
      status: 200,
    }
    expect(await platform.createOrder(order, 'one')).toMatchObject({ error })
    answering(well)
    expect(await platform.createOrder(order, 'one')).toEqual({ number: 'S-7001' })
    expect(orders.size).toBe(1)
  })

  test('in no currency is a bug', async () => {
    expect(() => orderToJson({ ...order, currency: 'XXY' })).toThrow('no currency')
  })
})

describe('a platform that dies on the way', () => {
  const deaths: readonly (readonly [string, Reply, string, number | null])[] = [
    ['answers nothing', { instead: 'hang' }, 'timeout', null],
    ['breaks the connection', { instead: 'reset' }, 'connection_error', null],
    ['answers half', { status: 201, headers: json, body: '{"number": "S-7', instead: 'stall' }, 'timeout', 201],
    ['answers a byte at a time', { status: 201, headers: json, body: '{"number"', instead: 'drip' }, 'timeout', 201],
    ['answers too late', { ...well(1), delayMs: 1_000 }, 'timeout', null],
    ['answers 500', { status: 500, body: 'out of paper' }, 'refused', 500],
    ['answers 409 with a number', { status: 409, headers: json, body: '{"number": "S-1"}' }, 'refused', 409],
    ['answers without a number', { headers: json, body: '{"ok": true}' }, 'refused', 200],
    ['answers null', { headers: json, body: 'null' }, 'refused', 200],
    ['answers nothing but 204', { status: 204 }, 'refused', 204],
    ['answers an empty number', { headers: json, body: '{"number": " "}' }, 'refused', 200],
    ['answers a number that is none', { headers: json, body: '{"number": {"a": 1}}' }, 'refused', 200],
    [
      'answers a number that cannot be kept',
      { headers: json, body: String.raw`{"number": "S\u0000"}` },
      'refused',
      200,
    ],
    ['answers HTML', { headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' }, 'refused', 200],
  ]

  test.each(deaths)('one that %s has created nothing as far as we know', async (_, reply, reason, status) => {
    answering(() => reply)
    const created = await platform.createOrder(order, 'one')
    expect(created).toMatchObject({ error: { reason, status } })
    // It has the order: the next try finds it.
    answering(well)
    expect(await platform.createOrder(order, 'one')).toEqual({ number: 'S-7001' })
    expect(orders.size).toBe(1)
  })

  test('a redirect is not followed', async () => {
    const elsewhere = await makeReceiver(well(1))
    answering(() => ({ status: 307, headers: { location: elsewhere.url } }))
    expect(await platform.createOrder(order, 'one')).toMatchObject({ error: { reason: 'refused', status: 307 } })
    expect(elsewhere.received).toEqual([])
  })

  test('a platform that is not there, or must not be reached, is an error and no exception', async () => {
    const dead = connect(`http://127.0.0.1:${await closedPort()}/`)
    expect(await dead.createOrder(order, 'one')).toMatchObject({ error: { reason: 'connection_error', status: null } })
    const inside = connect('http://10.0.0.1/')
    expect(await inside.createOrder(order, 'one')).toMatchObject({ error: { reason: 'address_refused', body: null } })
  })

  test('an error says what the platform said, up to 64 KiB', async () => {
    answering(() => ({ status: 422, body: 'no stock' }))
    const error = { reason: 'refused', detail: 'The platform answered 422.', status: 422, body: 'no stock' }
    expect(await platform.createOrder(order, 'one')).toEqual({ error })
    answering(() => ({ status: 200, headers: json, body: `{"log": "${'x'.repeat(70_000)}", "number": "S-1"}` }))
    const long = await platform.createOrder(order, 'one')
    expect('error' in long ? long.error.body?.length : 0).toBe(65_536)
  })

  test('an error does not repeat the signature, nor the secret', async () => {
    shop.answer(({ headers }) => ({ status: 400, body: `bad ${String(headers['webhook-signature'])}, not ${secret}` }))
    const created = await platform.createOrder(order, 'one')
    const body = 'error' in created ? created.error.body : undefined
    expect(body).toMatch(/^bad \*+, not \*+$/)
  })

  test('nor what of its address may be a key', async () => {
    shop.answer(({ path }) => ({ status: 404, body: `Cannot POST ${path}` }))
    const created = await connect(`${shop.url}/in/Zq7secretPath?key=Zq7secretKey`).createOrder(order, 'one')
    expect('error' in created ? created.error.body : undefined).toMatch(/^Cannot POST \*+$/)
  })
})
