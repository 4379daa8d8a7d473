import { pino } from 'pino'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contentTypes } from '#events/content-types.ts'
import { makeSupervisor } from '#platform/supervisor.ts'
import { makeApprovedQuotations } from '#testing/data/make-approved-quotations.ts'
import { makeBuyers } from '#testing/data/make-buyers.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeReceiver, type Received, type Reply } from '#testing/receiver.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
/** A commerce platform that checks signatures and knows the keys it has seen. */
const known = new Map<string, number>()
const shop = await makeReceiver()
const take = ({ headers, body }: Received): Reply => {
  const key = String(headers['idempotency-key'])
  new Webhook(secret).verify(body, headers as Record<string, string>)
  known.set(key, known.get(key) ?? 7_001 + known.size)
  return { status: 201, headers: { 'content-type': 'application/json' }, body: `{"number":"S-${known.get(key)}"}` }
}

// Signatures are good for five minutes of real time.
const clock = makeFakeClock(new Date())
const testApp = await makeTestApp({
  clock,
  environment: {
    COMMERCE_CONNECTOR: 'http',
    COMMERCE_URL: `${shop.url}/orders`,
    COMMERCE_SECRET: secret,
    PUBLIC_URL: 'https://waybill.test',
  },
})
const { call, services } = testApp
const make = makeApprovedQuotations(testApp.database.db)
const me = (await call('GET', '/api/v1/auth/me/')).json<{ id: number }>().id
const supervisor = makeSupervisor(services, pino({ level: 'silent' }))
beforeAll(() => supervisor.start())
afterAll(() => supervisor.stop())
beforeEach(() => {
  shop.answer(take)
  shop.received.length = 0
})

interface Wire {
  readonly id: number
  readonly number: string
  readonly division: { readonly id: number; readonly name: string }
  readonly status: string
  readonly error_report: string | null
  readonly amount: string
}
const urlOf = (id: number) => `/api/v1/quotations/${id}`
const ordersOf = async (id: number): Promise<Wire[]> => (await call('GET', `${urlOf(id)}/orders/`)).json()
/** Resolves with the orders of a quotation when they are as expected. */
const ordersWhen = (id: number, expected: readonly object[]) =>
  vi.waitFor(
    async () => {
      const orders = await ordersOf(id)
      expect(orders).toMatchObject(expected)
      return orders
    },
    { timeout: 15_000, interval: 25 },
  )
const create = (id: number) => call('POST', `${urlOf(id)}/create-orders/`, {})
/** The next look for orders that are due, which comes every few seconds by itself. */
const sweep = async (): Promise<void> => {
  const service = services.find(({ name }) => name === 'orders-due')
  await service?.stop()
  await service?.start()
}

describe('the orders of document 3', () => {
  test('are shown before they are made, made, and created with these units and amounts', async () => {
    const [a, b] = [await make.division('A'), await make.division('B')]
    const { id, number } = await make.quotation({
      lines: [
        {
          productRemoteId: 'P',
          net: 100_001n,
          divisions: [
            { id: a, quantity: 600 },
            { id: b, quantity: 300 },
          ],
        },
        { productRemoteId: 'R', net: 30_000n, divisions: [{ id: a, quantity: 300 }] },
      ],
    })
    const item = (productRemoteId: string, quantity: number, amount: string) => ({
      product_remote_id: productRemoteId,
      sku: productRemoteId,
      quantity,
      amount,
    })
    const expected = [
      {
        division: { id: a, name: 'A' },
        batch_no: 1,
        quantity: 500,
        amount: '555.56',
        items: [item('P', 500, '555.56')],
      },
      {
        division: { id: a, name: 'A' },
        batch_no: 2,
        quantity: 400,
        amount: '411.11',
        items: [item('P', 100, '111.11'), item('R', 300, '300.00')],
      },
      {
        division: { id: b, name: 'B' },
        batch_no: 1,
        quantity: 300,
        amount: '333.34',
        items: [item('P', 300, '333.34')],
      },
    ]
    const preview = await call('GET', `${urlOf(id)}/order-preview/`)
    expect([preview.statusCode, preview.json()]).toEqual([200, expected])
    expect(preview.headers).toMatchObject({ 'x-total-count': '3', link: expect.stringContaining('rel="last"') })
    const last = await call('GET', `${urlOf(id)}/order-preview/?limit=2&page=2`)
    expect([last.json(), last.headers['x-total-count']]).toEqual([expected.slice(2), '3'])
    expect(last.headers['link']).toContain('order-preview/?limit=2&page=1>; rel="prev"')
    expect(await ordersOf(id)).toEqual([])

    const made = await create(id)
    expect([made.statusCode, made.headers['x-total-count']]).toEqual([200, '3'])
    expect(made.json()).toMatchObject(
      expected.map((order, index) => ({ ...order, number: `${number}-${index + 1}`, remote_number: null })),
    )
    const created = await ordersWhen(
      id,
      expected.map((order) => ({ ...order, status: 'created', attempts: 1, error: null, next_attempt_at: null })),
    )
    expect(new Set(created.map((order) => Reflect.get(order, 'remote_number') as string)).size).toBe(3)
    const sent = shop.received.map(({ body }) => JSON.parse(body.toString()) as Wire)
    expect(sent.toSorted((one, other) => one.number.localeCompare(other.number))).toEqual(
      expected.map(({ division, quantity, amount, items }, index) => ({
        number: `${number}-${index + 1}`,
        quotation: number,
        division: { ...division, erp_code: expect.stringContaining('CODE-') },
        currency: 'EUR',
        quantity,
        amount,
        // The quotation is of before products had a sku: what the platform gets is what it always got.
        items: items.map(({ sku: _sku, ...sentItem }) => sentItem),
      })),
    )

    // Nothing is missing any more.
    const again = await create(id)
    expect([again.statusCode, again.json()]).toEqual([200, created])
    expect(shop.received).toHaveLength(3)
  })

  test('are made by approval, of what somebody asked for, with what was agreed on', async () => {
    const buyers = makeBuyers(testApp)
    const main = await buyers.division()
    const branch = await buyers.division({ parent: main })
    const buyer = await buyers.buyer(main)
    const [P, R] = [await buyers.product({ price: 199 }), await buyers.product({ price: 1_000 })]
    for (const [remoteId, division, quantity] of [
      [P, main, 600],
      [R, main, 300],
      [P, branch, 300],
    ])
      await buyer.call('POST', '/api/v1/basket/', { product_remote_id: remoteId, division, quantity })
    const { id } = (await buyer.call('POST', '/api/v1/my-quotations/', { name: 'Spring' })).json<{ id: number }>()
    await call('POST', `${urlOf(id)}/set-as-draft/`, {})
    await call('POST', `${urlOf(id)}/discounts/`, { discount_type: 'percentage', value: '7.5' })
    const approved = await call('POST', `${urlOf(id)}/approve/`, {})
    expect([approved.statusCode, approved.json().net_amount]).toEqual([200, '4431.67'])

    const [one, two, three] = await ordersWhen(id, [
      { division: { id: main }, batch_no: 1, quantity: 500, items: [{ product_remote_id: Number(P), quantity: 500 }] },
      {
        division: { id: main },
        batch_no: 2,
        quantity: 400,
        items: [
          { product_remote_id: Number(P), quantity: 100 },
          { product_remote_id: Number(R), quantity: 300 },
        ],
      },
      { division: { id: branch }, batch_no: 1, quantity: 300, status: 'created' },
    ])
    // 900 units are worth 1,656.67, 300 units 2,775.00.
    expect([one?.amount, two?.amount, three?.amount]).toEqual(['920.37', '2959.08', '552.22'])
    expect((await buyer.call('GET', `/api/v1/my-quotations/${id}/`)).json().orders).toHaveLength(3)
    expect((await call('POST', `${urlOf(id)}/approve/`, {})).statusCode).toBe(200)
    expect(await ordersOf(id)).toHaveLength(3)
  })

  test('raise an event for each status', async () => {
    const listen = async (type: string): Promise<number> => {
      const hook = { event_type: type, target_url: `${shop.url}/hook`, secret_key: secret }
      return (await call('POST', '/whisperer/hooks/', hook)).json<{ id: number }>().id
    }
    const hooks = await Promise.all(['quotation.order.pending', 'quotation.order.created'].map(listen))
    shop.answer((request) => (request.path === '/hook' ? {} : take(request)))
    const { id } = await make.quotation()
    await create(id)
    await vi.waitFor(
      () => {
        const events = shop.received.filter(({ path }) => path === '/hook').map(({ body }) => JSON.parse(String(body)))
        expect(
          events.map(({ event, payload }) => `${event.type} ${payload.quotation} ${payload.status}`).toSorted(),
        ).toEqual([`quotation.order.created ${id} created`, `quotation.order.pending ${id} pending`])
      },
      { timeout: 15_000 },
    )
    for (const hook of hooks) await call('DELETE', `/whisperer/hooks/${hook}/`)
  })
})

test('orders are made and tried again only of the version that was read', async () => {
  const { id } = await make.quotation()
  for (const path of ['create-orders', 'orders/retry', 'orders/1/retry']) {
    const stale = await call('POST', `${urlOf(id)}/${path}/`, {}, { 'if-match': '"7"' })
    expect([path, stale.statusCode]).toEqual([path, 412])
  }
  expect(await ordersOf(id)).toEqual([])
  const { etag } = (await call('GET', `${urlOf(id)}/`)).headers
  expect((await call('POST', `${urlOf(id)}/create-orders/`, {}, { 'if-match': String(etag) })).statusCode).toBe(200)
})

describe('who may', () => {
  test('make orders are superusers, of an approved quotation; the staff sees them', async () => {
    const people = makePeople(testApp)
    const staff = await people.authorization(await people.person({ is_staff: true }))
    const nobody = await people.authorization(await people.person())
    const { id } = await make.quotation({ status: 'pending' })
    const refused = await create(id)
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      {
        non_field_errors: ['It is not approved.'],
        code: 'not_approved',
        allowed_actions: expect.arrayContaining(['approve', 'reject']),
      },
    ])
    for (const path of ['create-orders/', 'orders/retry/', 'orders/1/retry/'])
      expect((await call('POST', `${urlOf(id)}/${path}`, {}, staff)).statusCode).toBe(403)
    for (const path of ['orders/', 'order-preview/']) {
      expect((await call('GET', `${urlOf(id)}/${path}`, undefined, staff)).statusCode).toBe(200)
      expect((await call('GET', `${urlOf(id)}/${path}`, undefined, nobody)).statusCode).toBe(403)
      expect((await call('GET', `${urlOf(999_999)}/${path}`)).statusCode).toBe(404)
    }
    for (const path of ['create-orders/', 'orders/retry/', 'orders/1/retry/'])
      expect((await call('POST', `${urlOf(999_999)}/${path}`, {})).statusCode).toBe(404)
    expect(await ordersOf(id)).toEqual([])
  })

  test('be refused are those who want more orders than can be made', async () => {
    const division = await make.division()
    const lines = [{ productRemoteId: 'NAIL', net: 0n, divisions: [{ id: division, quantity: 1_000_000_000 }] }]
    const { id } = await make.quotation({ lines })
    for (const answer of [await call('GET', `${urlOf(id)}/order-preview/`), await create(id)])
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'too_many_orders'])
  })
})

describe('an order that the platform refuses', () => {
  const failing = async (
    fields: Parameters<typeof make.quotation>[0] = {},
  ): Promise<{ id: number; orders: Wire[] }> => {
    shop.answer({ status: 422, body: '{"error":"no stock"}' })
    const { id } = await make.quotation(fields)
    await create(id)
    return { id, orders: await ordersWhen(id, [{ status: 'failed' }]) }
  }
  const reportOf = async (order: Wire | undefined) =>
    (await call('GET', new URL(order?.error_report ?? 'https://none').pathname)).json<Record<string, unknown>>()

  test('has an error report that links both ways, and is created by it', async () => {
    const { id, orders } = await failing()
    expect(orders).toMatchObject([
      {
        attempts: 1,
        error: 'The platform answered 422. {"error":"no stock"}',
        next_attempt_at: new Date(clock.now().getTime() + 30_000).toISOString(),
        error_report: expect.stringMatching(/^https:\/\/waybill\.test\/api\/v1\/error_reports\/\d+\/$/),
      },
    ])
    const [order] = orders
    const report = await reportOf(order)
    expect(report).toMatchObject({
      action_content_type: contentTypes.order,
      action: {
        type: 'order',
        id: order?.id,
        label: `Order ${order?.number}`,
        url: `https://waybill.test${urlOf(id)}/orders/`,
      },
      target: { type: 'quotation', id: String(id), url: `https://waybill.test${urlOf(id)}/` },
      error_code: 'http_422',
      is_ok: false,
      source: 'order',
      raw_request: expect.stringContaining(`"number":"${order?.number}"`),
      raw_response: 'HTTP 422\n\n{"error":"no stock"}',
    })

    const keys = shop.received.map(({ headers }) => String(headers['idempotency-key']))
    expect(keys).toHaveLength(1)
    expect(report['raw_request']).toMatch(new RegExp(`^Key of the order: ${keys[0]}\\n`))

    shop.answer(take)
    const retried = await call('POST', `/api/v1/error_reports/${String(report['id'])}/retry/`, {})
    expect(retried.statusCode).toBe(202)
    await ordersWhen(id, [{ status: 'created', attempts: 2, error_report: null }])
    expect(await reportOf(order)).toMatchObject({
      is_ok: true,
      resolved_how: 'retried',
      resolved_by: me,
      resolved_date: clock.now().toISOString(),
    })
  })

  test.each<[string, (id: number, order: Wire | undefined) => string]>([
    ['the orders that are missing', () => 'create-orders'],
    ['all that failed', () => 'orders/retry'],
    ['this one', (_, order) => `orders/${order?.id}/retry`],
  ])('and is tried again by somebody who asks for %s has a report that says who', async (_, path) => {
    const people = makePeople(testApp)
    const superuser = await people.person({ is_superuser: true })
    const { id, orders } = await failing()
    const [order] = orders
    shop.answer(take)
    const asked = await call('POST', `${urlOf(id)}/${path(id, order)}/`, {}, await people.authorization(superuser))
    expect(asked.statusCode).toBeLessThan(300)
    await ordersWhen(id, [{ status: 'created' }])
    expect(await reportOf(order)).toMatchObject({
      is_ok: true,
      resolved_how: 'retried',
      resolved_by: superuser.id,
      retry_count: 1,
    })
  })

  test('is tried again by itself when its time has come', async () => {
    const { id, orders } = await failing()
    shop.answer(take)
    await sweep()
    expect(await ordersOf(id)).toMatchObject([{ status: 'failed', attempts: 1 }])
    clock.advance(30_000)
    await sweep()
    await ordersWhen(id, [{ status: 'created', attempts: 2 }])
    expect(await reportOf(orders[0])).toMatchObject({ is_ok: true, resolved_how: 'later_success', resolved_by: null })
  })

  test('is tried again at once when somebody asks for it, and for nothing when it is created', async () => {
    const { id, orders } = await failing()
    const retry = () => call('POST', `${urlOf(id)}/orders/${orders[0]?.id}/retry/`, {})
    shop.answer(take)
    const asked = await retry()
    expect([asked.statusCode, asked.json().status]).toEqual([202, 'pending'])
    await ordersWhen(id, [{ status: 'created' }])
    const again = await retry()
    const { allowed_actions: allowed } = (await call('GET', `${urlOf(id)}/`)).json()
    expect(allowed).toContain('create-orders')
    expect([again.statusCode, again.json()]).toMatchObject([400, { code: 'order_created', allowed_actions: allowed }])
    const { id: other } = await make.quotation()
    expect((await call('POST', `${urlOf(other)}/orders/${orders[0]?.id}/retry/`, {})).statusCode).toBe(404)
  })

  test('is tried again with all others of its quotation', async () => {
    const division = await make.division()
    shop.answer({ status: 503 })
    const lines = [{ productRemoteId: 'CHAIR', net: 900n, divisions: [{ id: division, quantity: 9 }] }]
    const { id } = await make.quotation({ lines, batchSize: 3 })
    await create(id)
    const reports = (
      await ordersWhen(
        id,
        Array.from({ length: 3 }, () => ({ status: 'failed' })),
      )
    ).map((order) => order.error_report)
    expect(new Set(reports).size).toBe(3)
    shop.answer(take)
    const key = { 'idempotency-key': `retry-${id}` }
    const retryAll = () => call('POST', `${urlOf(id)}/orders/retry/`, {}, key)
    expect([(await retryAll()).json(), (await retryAll()).json()]).toEqual([{ count: 3 }, { count: 3 }])
    await ordersWhen(
      id,
      Array.from({ length: 3 }, () => ({ status: 'created', attempts: 2, amount: '3.00' })),
    )
    expect((await call('POST', `${urlOf(id)}/orders/retry/`, {})).json()).toEqual({ count: 0 })
    // Who did what is written down, once.
    expect((await call('GET', `${urlOf(id)}/audit/`)).json().results).toMatchObject([
      { action: 'create-orders', after: { made: 3, retried: 0 } },
      { action: 'create-orders', after: { made: 0, retried: 3 } },
    ])
  })
})

test('orders come in pages', async () => {
  const division = await make.division()
  const lines = [{ productRemoteId: 'CHAIR', net: 900n, divisions: [{ id: division, quantity: 5 }] }]
  const { id, number } = await make.quotation({ lines, batchSize: 1 })
  await create(id)
  const page = await call('GET', `${urlOf(id)}/orders/?limit=2&page=2`)
  expect(page.json<Wire[]>().map((order) => order.number)).toEqual([`${number}-3`, `${number}-4`])
  expect(page.headers['x-total-count']).toBe('5')
})
