import { sql } from 'kysely'
import { pino } from 'pino'
import { Counter } from 'prom-client'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { makeOutbox } from '#delivery/outbox/outbox.ts'
import { makeGuard } from '#delivery/outbound/guard/guard.ts'
import { makeSender } from '#delivery/outbound/sender.ts'
import { lockReports } from '#domains/error-reports/reports/bucket-store.ts'
import { makeOwnFailures } from '#domains/error-reports/reports/own-failures.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { countStatements } from '#testing/count-statements.ts'
import { makeApprovedQuotations } from '#testing/data/make-approved-quotations.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeReceiver, type Received, type Reply } from '#testing/receiver.ts'
import { makeOrderFailures } from '#failures/order-failures.ts'
import { makeOrders } from './make-orders.ts'
import type { CommercePlatform } from './platform/commerce-platform.ts'
import { makeHttpPlatform } from './platform/http-platform.ts'
import { makeLedger } from './platform/ledger-store.ts'
import { makePlatformPause } from './platform/platform-pause.ts'
import { makePushOrder } from './push-order.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const sender = makeSender({ guard: makeGuard({ allowedNetworks: [], allowLoopback: true }), exchangeTimeoutMs: 2_000 })
afterAll(() => sender.close())
const make = makeApprovedQuotations(db)

/** A commerce platform that knows the keys it has seen, and answers as it is told. */
const known = new Map<string, number>()
const shop = await makeReceiver()
const take = ({ headers }: Received): Reply => {
  const key = String(headers['idempotency-key'])
  known.set(key, known.get(key) ?? 7_001 + known.size)
  return { status: 201, headers: { 'content-type': 'application/json' }, body: `{"number":"S-${known.get(key)}"}` }
}
beforeEach(() => {
  shop.answer(take)
  shop.received.length = 0
  known.clear()
})

const secret = 'a secret that two machines share'
const platform = makeHttpPlatform({ clock, send: sender.send, installationId: 'here', url: shop.url, secret })
const outbox = makeOutbox({ clock, wake: () => undefined })
const failures = makeOrderFailures(makeOwnFailures({ clock }))
const log = pino({ level: 'silent' })
const asked: (number | undefined)[] = []
const orders = makeOrders({ clock, outbox, batchSize: 5, push: async (_tx, id) => void asked.push(id) })
const counter = new Counter({ name: 'attempts', help: 'Not looked at.', labelNames: ['outcome'], registers: [] })
const failedCounter = new Counter({ name: 'failed', help: 'Not looked at.', labelNames: ['reason'], registers: [] })
const tellSeller = async () => undefined
/** What one process does. */
const process = (its: CommercePlatform = platform) => {
  const pause = makePlatformPause({ clock, log })
  const counters = { attempts: counter, failed: failedCounter }
  return makePushOrder({ db, clock, log, platform: its, pause, outbox, failures, ...counters, tellSeller })
}
const push = process()

/** A quotation of which there are orders, all of them pending. */
const ordered = async (fields: Parameters<typeof make.quotation>[0] = {}): Promise<number> => {
  const { id } = await make.quotation(fields)
  await inTransaction(db, (tx) => orders.createMissing(tx, id))
  return id
}
const ordersOf = (id: number) =>
  db.selectFrom('quotationOrders').selectAll().where('quotationId', '=', id).orderBy('id').execute()
const eventsOf = async (id: number) =>
  (
    await sql<{ type: string }>`
      select type from events where object_type = 'quotation' and object_id = ${String(id)} order by sequence`.execute(
      db,
    )
  ).rows.map(({ type }) => type.replace('quotation.order.', ''))
const reportsOf = async (id: number) =>
  (
    await sql<{ isOk: boolean; errorCode: string; resolvedHow: string | null }>`
      select is_ok, error_code, resolved_how from error_reports
      where source = 'order' and target_object_id = ${String(id)} order by id`.execute(db)
  ).rows
const pushAll = async (id: number): Promise<void> => {
  while (await push(id)) continue
}
const halfAMinute = 30_000
const aMinute = 60_000

describe('a process that dies', () => {
  /** A connector whose process dies at some point of a try: it never goes on. */
  const dying = (point: 'before' | 'after'): CommercePlatform => ({
    ...platform,
    async createOrder(order, key) {
      if (point === 'after') await platform.createOrder(order, key)
      return new Promise(() => undefined)
    },
  })
  const deaths: readonly (readonly [string, CommercePlatform, number])[] = [
    ['before the platform is asked', dying('before'), 1],
    ['after the platform has answered', dying('after'), 2],
  ]

  test.each(deaths)('%s leaves an order that another one creates, once', async (_, connector, requests) => {
    const id = await ordered({ batchSize: 10 })
    void process(connector)(id)
    await expect.poll(async () => (await ordersOf(id))[0]?.attempts).toBe(1)
    await shop.got(requests - 1)
    // Until its time is over somebody may be at it.
    expect(await push(id)).toBe(false)
    clock.advance(aMinute)
    expect(await push(id)).toBe(true)
    expect(await push(id)).toBe(false)
    expect(shop.received).toHaveLength(requests)
    expect(known.size).toBe(1)
    expect(await ordersOf(id)).toMatchObject([{ status: 'created', remoteNumber: 'S-7001', attempts: 2 }])
    expect(await eventsOf(id)).toEqual(['pending', 'created'])
  })

  test('while the platform works leaves one too, and what comes of its try later does no harm', async () => {
    const id = await ordered({ batchSize: 10 })
    const { promise: answer, resolve: answerWith } = Promise.withResolvers<Reply>()
    shop.answer((request) => {
      take(request)
      return answer
    })
    const first = push(id)
    await shop.got(1)
    clock.advance(aMinute)
    shop.answer(take)
    expect(await push(id)).toBe(true)
    answerWith({ status: 503 })
    await first
    expect(known.size).toBe(1)
    expect(await ordersOf(id)).toMatchObject([
      { status: 'created', remoteNumber: 'S-7001', error: null, nextAttemptAt: null },
    ])
    expect(await eventsOf(id)).toEqual(['pending', 'created'])
    expect(await reportsOf(id)).toEqual([])
  })

  test('a number that comes late counts, and ends the failure of somebody else', async () => {
    const id = await ordered({ batchSize: 10 })
    const { promise: answer, resolve: answerWith } = Promise.withResolvers<Reply>()
    shop.answer(() => answer)
    const first = push(id)
    await shop.got(1)
    clock.advance(aMinute)
    shop.answer({ status: 503 })
    await push(id)
    expect(await ordersOf(id)).toMatchObject([{ status: 'failed', attempts: 2 }])
    answerWith({ status: 201, body: '{"number":"S-1"}' })
    await first
    expect(await ordersOf(id)).toMatchObject([
      { status: 'created', remoteNumber: 'S-1', error: null, nextAttemptAt: null },
    ])
    expect(await eventsOf(id)).toEqual(['pending', 'failed', 'created'])
    expect(await reportsOf(id)).toEqual([{ isOk: true, errorCode: 'http_503', resolvedHow: 'later_success' }])
  })

  test('two that work at once send each order once', async () => {
    const division = await make.division()
    const id = await ordered({
      batchSize: 1,
      lines: [{ productRemoteId: 'CHAIR', net: 1_000n, divisions: [{ id: division, quantity: 12 }] }],
    })
    const other = process()
    const untilDone = async (one: typeof push): Promise<void> => {
      while (await one(id)) continue
    }
    await Promise.all([untilDone(push), untilDone(push), untilDone(other), untilDone(other)])
    expect([shop.received.length, known.size]).toEqual([12, 12])
    expect((await ordersOf(id)).every(({ status, attempts }) => status === 'created' && attempts === 1)).toBe(true)
  })
})

test('trouble, retries of every kind, and two processes at once end with one order for each key', async () => {
  const division = await make.division()
  const id = await ordered({
    batchSize: 1,
    lines: [{ productRemoteId: 'CHAIR', net: 1_000n, divisions: [{ id: division, quantity: 24 }] }],
  })
  const ids = (await ordersOf(id)).map((order) => order.id)
  // The platform takes each order at the first try, and tells nobody until the third.
  const tries = new Map<string, number>()
  shop.answer((request) => {
    const key = String(request.headers['idempotency-key'])
    tries.set(key, 1 + (tries.get(key) ?? 0))
    const reply = take(request)
    return (tries.get(key) ?? 0) < 3 ? { status: 500 } : reply
  })
  const isDone = async () => (await ordersOf(id)).every(({ status }) => status === 'created')
  const untilDone = async (work: () => Promise<unknown>): Promise<void> => {
    while (!(await isDone())) await work()
  }
  await Promise.all([
    untilDone(() => push(id)),
    untilDone(() => push(id)),
    untilDone(() => process()(id)),
    untilDone(() => inTransaction(db, (tx) => orders.createMissing(tx, id))),
    // As somebody who has error reports tried again.
    untilDone(() =>
      inTransaction(db, async (tx) => {
        await lockReports(tx)
        await orders.retryMany(tx, ids.toReversed())
      }),
    ),
  ])
  expect([known.size, await isDone()]).toEqual([24, true])
  const numbers = (await ordersOf(id)).map(({ remoteNumber }) => remoteNumber)
  expect(new Set(numbers)).toEqual(new Set([...known.values()].map((number) => `S-${number}`)))
  expect((await reportsOf(id)).map(({ isOk }) => isOk)).toEqual(ids.map(() => true))
  const events = await eventsOf(id)
  expect(events.filter((type) => type === 'created')).toHaveLength(24)
  expect(events.filter((type) => type === 'pending').length - 24).toBe(
    events.filter((type) => type === 'failed').length,
  )
})

describe('an order that fails', () => {
  test('says why, without credentials, has one report, and is tried again later and later', async () => {
    const id = await ordered({ batchSize: 10 })
    counter.reset()
    shop.answer({ status: 422, body: `{"error":"no stock","password":"hush-hush-hush"} ${'x'.repeat(3_000)}` })
    await push(id)
    const [order] = await ordersOf(id)
    expect(order).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: expect.stringMatching(/^The platform answered 422\. .*no stock/),
      nextAttemptAt: new Date(clock.now().getTime() + halfAMinute),
    })
    expect(order?.error).toHaveLength(1_000)
    expect(order?.error).not.toContain('hush-hush-hush')
    clock.advance(halfAMinute - 1)
    expect(await push(id)).toBe(false)
    clock.advance(1)
    shop.answer({ status: 500 })
    expect(await push(id)).toBe(true)
    expect(await ordersOf(id)).toMatchObject([
      { attempts: 2, error: 'The platform answered 500.', nextAttemptAt: new Date(clock.now().getTime() + aMinute) },
    ])
    expect(await eventsOf(id)).toEqual(['pending', 'failed', 'pending', 'failed'])
    expect(await reportsOf(id)).toEqual([{ isOk: false, errorCode: 'http_500', resolvedHow: null }])
    clock.advance(aMinute)
    shop.answer(take)
    await push(id)
    expect(await ordersOf(id)).toMatchObject([{ status: 'created', attempts: 3, error: null }])
    expect(await reportsOf(id)).toMatchObject([{ isOk: true }])
    const counted = (await counter.get()).values.map(({ labels, value }) => [labels.outcome, value])
    expect(counted).toEqual([
      ['failed', 2],
      ['created', 1],
    ])
    expect(new Set(shop.received.map(({ body }) => body.toString())).size).toBe(1)
  })

  test('twenty times is tried again only when somebody asks for it', async () => {
    const id = await ordered({ batchSize: 10 })
    shop.answer({ status: 503 })
    await db.updateTable('quotationOrders').set({ attempts: 19 }).where('quotationId', '=', id).execute()
    await push(id)
    expect(await ordersOf(id)).toMatchObject([{ status: 'failed', attempts: 20, nextAttemptAt: null }])
    clock.advance(7 * 24 * 60 * aMinute)
    expect(await push(id)).toBe(false)
    shop.answer(take)
    expect(await inTransaction(db, (tx) => orders.retryFailed(tx, id))).toHaveLength(1)
    expect(asked.at(-1)).toBe(id)
    expect(await push(id)).toBe(true)
    expect(await ordersOf(id)).toMatchObject([{ status: 'created', attempts: 21 }])
  })

  test('never fails in the ledger, which knows it by its key', async () => {
    const id = await ordered({ batchSize: 10 })
    const ledger = process(makeLedger({ db, clock }))
    await ledger(id)
    const [order] = await ordersOf(id)
    expect(order).toMatchObject({ status: 'created', remoteNumber: expect.stringMatching(/^L-\d+$/) })
    await db.deleteFrom('quotationOrders').where('quotationId', '=', id).execute()
    await inTransaction(db, (tx) => orders.createMissing(tx, id))
    await ledger(id)
    expect(await ordersOf(id)).toMatchObject([{ status: 'created', remoteNumber: order?.remoteNumber }])
  })

  test('because its connector breaks is an order like others that fail', async () => {
    const id = await ordered({ batchSize: 10 })
    const broken: CommercePlatform = {
      ...platform,
      createOrder: async () => Promise.reject(new Error('out of order')),
    }
    await process(broken)(id)
    expect(await ordersOf(id)).toMatchObject([{ status: 'failed', error: expect.stringContaining('The connector') }])
    expect(await reportsOf(id)).toMatchObject([{ errorCode: 'connector_failed' }])
  })
})

describe('a platform that is away', () => {
  // What other tests have left is none of theirs.
  beforeEach(async () => void (await db.updateTable('quotationOrders').set({ nextAttemptAt: null }).execute()))
  const attemptsOf = async (id: number): Promise<number[]> => (await ordersOf(id)).map(({ attempts }) => attempts)
  const pieces = async (quantity: number) => ({
    batchSize: 1,
    lines: [{ productRemoteId: 'CHAIR', net: 1_000n, divisions: [{ id: await make.division(), quantity }] }],
  })

  test('is asked by few of many orders, and has all of them soon after it is back', async () => {
    const mine = process()
    const id = await ordered(await pieces(30))
    shop.answer({ instead: 'reset' })
    // An hour of it.
    for (let ago = 0; ago < 720; ago++) {
      clock.advance(5_000)
      while (await mine()) continue
    }
    expect(shop.received.length).toBeLessThan(70)
    expect((await attemptsOf(id)).every((attempts) => attempts < 4)).toBe(true)
    expect((await eventsOf(id)).filter((type) => type === 'failed')).toHaveLength(shop.received.length)
    shop.answer(take)
    clock.advance(aMinute)
    while (await mine()) continue
    const open = (await ordersOf(id)).filter(({ status }) => status !== 'created')
    // Those that found out wait for their time, which is minutes.
    expect(open.length).toBeLessThan(15)
    clock.advance(15 * aMinute)
    while (await mine()) continue
    expect(known.size).toBe(30)
    expect((await ordersOf(id)).every(({ status }) => status === 'created')).toBe(true)
  })

  test('lets others do what they have to while one finds out', async () => {
    const mine = process()
    const id = await ordered(await pieces(6))
    shop.answer({ status: 503 })
    while (await mine()) continue
    expect(await attemptsOf(id)).toEqual([1, 1, 1, 1, 0, 0])
    expect((await ordersOf(id)).map(({ status }) => status).slice(4)).toEqual(['pending', 'pending'])
    clock.advance(5_000)
    const { promise: answer, resolve: answerWith } = Promise.withResolvers<Reply>()
    shop.answer(async (request) => {
      await answer
      return take(request)
    })
    const probe = mine()
    await shop.got(5)
    expect([await mine(), await mine(id)]).toEqual([false, false])
    answerWith({})
    expect([await probe, await mine(id), await mine(id)]).toEqual([true, true, false])
  })
})

describe('orders that are missing', () => {
  test('are made, and no others; those that failed are pending again', async () => {
    const id = await ordered()
    await push(id)
    shop.answer({ status: 503 })
    await push(id)
    const before = await ordersOf(id)
    expect(before.map(({ status }) => status)).toEqual(['created', 'failed'])
    await db
      .deleteFrom('quotationOrders')
      .where('id', '=', before[0]?.id ?? 0)
      .execute()
    await inTransaction(db, (tx) => orders.createMissing(tx, id))
    expect((await ordersOf(id)).map(({ number, status }) => [number, status])).toEqual([
      [before[1]?.number, 'pending'],
      [before[0]?.number, 'pending'],
    ])
    shop.answer(take)
    await pushAll(id)
    // The platform knows the one that was lost here by its key.
    expect(known.size).toBe(2)
    expect(await ordersOf(id)).toMatchObject([{ remoteNumber: 'S-7002' }, { remoteNumber: 'S-7001' }])
  })

  test('are made once by two that ask at once', async () => {
    const { id } = await make.quotation()
    await Promise.all([1, 2, 3].map(() => inTransaction(db, (tx) => orders.createMissing(tx, id))))
    expect(await ordersOf(id)).toHaveLength(2)
    expect(await eventsOf(id)).toEqual(['pending', 'pending'])
  })

  test('of 10,000 lines take as many queries as those of one', async () => {
    const counted = async (lines: number): Promise<{ queries: number; made: number; quantity: number }> => {
      const division = await make.division()
      const { id } = await make.quotation({
        lines: Array.from({ length: lines }, (_, index) => ({
          productRemoteId: `P${index}`,
          net: 1_000n,
          divisions: [{ id: division, quantity: 3 }],
        })),
      })
      const queries = await countStatements(() => inTransaction(db, (tx) => orders.createMissing(tx, id)))
      const made = await ordersOf(id)
      return { queries, made: made.length, quantity: made.reduce((sum, { quantity }) => sum + quantity, 0) }
    }
    const [few, many] = [await counted(1), await counted(10_000)]
    expect(few).toMatchObject({ made: 1, quantity: 3 })
    expect(many).toMatchObject({ made: 6_000, quantity: 30_000 })
    expect(few.queries).toBeGreaterThan(3)
    expect(many.queries).toBe(few.queries)
  })

  test('of a quotation in thousands of pieces are too many', async () => {
    const division = await make.division()
    const { id } = await make.quotation({
      lines: [{ productRemoteId: 'NAIL', net: 0n, divisions: [{ id: division, quantity: 50_001 }] }],
    })
    await expect(inTransaction(db, (tx) => orders.createMissing(tx, id))).rejects.toThrow('10001 orders')
    expect(await ordersOf(id)).toEqual([])
  })
})
