import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeSupervisor } from '#platform/supervisor.ts'
import { makeApprovedQuotations } from '#testing/data/make-approved-quotations.ts'
import { makeBuyers } from '#testing/data/make-buyers.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeMailServer } from '#testing/network/mail-server.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const shop = await makeReceiver()
shop.answer({ status: 422, body: '{"error":"no stock"}' })
const mail = await makeMailServer()
const testApp = await makeTestApp({
  // Nothing is tried again by itself meanwhile.
  clock: makeFakeClock(new Date()),
  environment: {
    COMMERCE_CONNECTOR: 'http',
    COMMERCE_URL: `${shop.url}/orders`,
    COMMERCE_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    PUBLIC_URL: 'https://waybill.test',
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
  },
})
const { call, services, superuser } = testApp
const { db } = testApp.database
const make = makeApprovedQuotations(db)
const supervisor = makeSupervisor(services, pino({ level: 'silent' }))
beforeAll(() => supervisor.start())
afterAll(() => supervisor.stop())

interface Wire {
  readonly id: number
  readonly number: string
  readonly status: string
  readonly division: { readonly id: number }
  readonly error_report: string | null
}
const list = async (query = ''): Promise<Wire[]> => (await call('GET', `/api/v1/orders/?limit=100&${query}`)).json()
const numbers = async (query: string) => (await list(query)).map(({ number }) => number)
const statusesWhen = (query: string, statuses: readonly string[]) =>
  vi.waitFor(async () => expect((await list(query)).map(({ status }) => status)).toEqual(statuses), {
    timeout: 15_000,
    interval: 25,
  })
const create = (id: number) => call('POST', `/api/v1/quotations/${id}/create-orders/`, {})

const [chairs, tables] = [await make.quotation(), await make.quotation()]
beforeAll(async () => {
  await create(chairs.id)
  await statusesWhen('', ['failed'])
  await create(tables.id)
  await statusesWhen('', ['failed', 'failed'])
})

describe('the orders of all quotations', () => {
  test('are one list, the newest first, each with its quotation, and one by one', async () => {
    const [first, second] = await list()
    expect(first).toMatchObject({
      number: `${tables.number}-1`,
      quotation: { id: tables.id, number: tables.number, name: 'Spring' },
      currency: 'EUR',
      amount: '123.45',
      status: 'failed',
      attempts: 1,
      error: expect.stringContaining('no stock'),
      error_report: expect.stringMatching(/^https:\/\/waybill\.test\/api\/v1\/error_reports\/\d+\/$/),
    })
    expect(second).toMatchObject({ quotation: { id: chairs.id } })
    expect((await call('GET', `/api/v1/orders/${first?.id}/`)).json()).toEqual(first)
    expect((await call('GET', '/api/v1/orders/987654/')).statusCode).toBe(404)
  })

  test('are found by status, division, quotation, number and time', async () => {
    const [order] = await list(`quotation=${chairs.id}`)
    const one = [`${chairs.number}-1`]
    const both = [`${tables.number}-1`, ...one]
    expect(await numbers('status=failed&status=pending')).toEqual(both)
    expect(await numbers('status=created')).toEqual([])
    expect(await numbers(`division=${order?.division.id}`)).toEqual(one)
    expect(await numbers(`quotation=${chairs.id}&status=failed`)).toEqual(one)
    expect(await numbers(`number=${chairs.number}-1`)).toEqual(one)
    await sql`update quotation_orders set created_at = '2026-03-01T12:00:00Z' where id = ${order?.id}`.execute(db)
    expect(await numbers('created_at=2026-03-01')).toEqual(one)
    expect(await numbers('created_at__gt=2026-03-02')).toEqual([`${tables.number}-1`])
  })

  test('are for the back office, and are tried again by superusers alone', async () => {
    const people = makePeople(testApp)
    const staff = await people.authorization(await people.person({ is_staff: true }))
    const buyer = await makeBuyers(testApp).buyer(await makeBuyers(testApp).division())
    const [order] = await list()
    const as = async (method: 'GET' | 'POST', url: string, credential = staff) =>
      (await call(method, url, method === 'POST' ? {} : undefined, credential)).statusCode
    expect(await as('GET', '/api/v1/orders/')).toBe(200)
    expect(await as('GET', `/api/v1/orders/${order?.id}/`)).toBe(200)
    expect(await as('POST', `/api/v1/orders/${order?.id}/retry/`)).toBe(403)
    expect(await as('POST', '/api/v1/orders/retry/?dry_run=true')).toBe(403)
    expect((await buyer.call('GET', '/api/v1/orders/')).statusCode).toBe(403)
  })

  test('are of quotations that are found by the status of their orders, in lists and exports', async () => {
    const byStatus = async (status: string) => {
      const answer = await call('GET', `/api/v1/quotations/?${status}`)
      return answer.json<{ results: { id: number }[] }>().results.map(({ id }) => id)
    }
    const none = await make.quotation()
    expect(await byStatus('order_status=failed')).toEqual([tables.id, chairs.id])
    expect(await byStatus('order_status=created')).toEqual([])
    expect(await byStatus(`order_status=failed&number=${chairs.number}`)).toEqual([chairs.id])
    expect(await byStatus('')).toContain(none.id)
    const asked = await call('GET', '/api/v1/quotations/export/?format=csv&fields=number&order_status=failed')
    const key = `status_cache_key=${asked.json().status_cache_key}`
    const rows = async () => (await call('GET', `/api/v1/quotations/export/?${key}`)).json()
    await expect.poll(rows, { timeout: 15_000 }).toMatchObject({ status: 'completed', rows_done: 2 })
  })
})

test('the seller is written to when an order of a quotation fails', async () => {
  const subjects = () => mail.received.map(({ recipients, subject }) => `${recipients.join()} ${subject}`)
  const what = 'has an order that the commerce platform did not create'
  await expect
    .poll(() => subjects().toSorted(), { timeout: 15_000 })
    .toEqual([chairs, tables].map(({ number }) => `${superuser.email} Quotation ${number} “Spring” ${what}`).toSorted())
})

describe('failed orders that match are tried again', () => {
  test('not by a dry run, which says how many there are', async () => {
    const dryRun = await call('POST', `/api/v1/orders/retry/?dry_run=true&status=failed`, {})
    expect([dryRun.statusCode, dryRun.json()]).toEqual([200, { count: 2, status: 'dry_run' }])
    expect((await call('POST', `/api/v1/orders/retry/?dry_run=true&status=created`, {})).json().count).toBe(0)
    for (const query of ['dryrun=true', 'status=x', 'created_at=yesterday'])
      expect([query, (await call('POST', `/api/v1/orders/retry/?${query}`, {})).statusCode]).toEqual([query, 400])
    expect(shop.received).toHaveLength(2)
  })

  test('by the filters of the list, once for a key, which is that of these filters', async () => {
    shop.answer({ status: 201, body: '{"number":"S-1"}' })
    const key = { 'idempotency-key': 'all-of-chairs' }
    const retry = (id: number) => call('POST', `/api/v1/orders/retry/?quotation=${id}`, {}, key)
    for (const answer of [await retry(chairs.id), await retry(chairs.id)])
      expect([answer.statusCode, answer.json()]).toEqual([202, { count: 1, status: 'done' }])
    expect((await retry(tables.id)).statusCode).toBe(409)
    await statusesWhen('', ['failed', 'created'])
    expect((await call('GET', `/api/v1/quotations/${chairs.id}/audit/`)).json().results).toMatchObject([
      { action: 'create-orders', after: { made: 1, retried: 0 } },
      { action: 'create-orders', after: { made: 0, retried: 1 } },
    ])
  })

  test('one by one, and for nothing when it is created', async () => {
    const [order, created] = await list()
    const retry = (id?: number) => call('POST', `/api/v1/orders/${id}/retry/`, {})
    const asked = await retry(order?.id)
    expect([asked.statusCode, asked.json()]).toMatchObject([202, { id: order?.id, quotation: { id: tables.id } }])
    await statusesWhen('', ['created', 'created'])
    expect((await retry(created?.id)).json()).toMatchObject({ code: 'order_created' })
    expect((await retry(987_654)).statusCode).toBe(404)
    expect((await call('POST', '/api/v1/orders/retry/', {})).json()).toEqual({ count: 0, status: 'done' })
  })
})
