import { sql } from 'kysely'
import { Counter } from 'prom-client'
import { expect, test } from 'vitest'
import { makeOutbox } from '#delivery/outbox/outbox.ts'
import { makeOwnFailures } from '#domains/error-reports/reports/own-failures.ts'
import { makeOrderFailures } from '#failures/order-failures.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import { makeApprovedQuotations } from '#testing/data/make-approved-quotations.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeKeptLog } from '#testing/kept-log.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { seededRandom } from '#platform/seeded-random.ts'
import { makeHoldQuotation, type QuotationDeps } from '../quotations/index.ts'
import { makeByHand } from './by-hand.ts'
import { makeOrders } from './make-orders.ts'
import type { CommercePlatform, Created } from './platform/commerce-platform.ts'
import { makePlatformPause } from './platform/platform-pause.ts'
import { makePushOrder } from './push-order.ts'
import { makeRetryMatching } from './retry-matching.ts'
import { makeTellSeller } from './tell-seller.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const { log, linesOf } = makeKeptLog()
const make = makeApprovedQuotations(db)
const outbox = makeOutbox({ clock, wake: () => undefined })
const failures = makeOrderFailures(makeOwnFailures({ clock }))
const batchSize = 1
const orders = makeOrders({ clock, outbox, batchSize, push: async () => undefined })
const byHand = makeByHand({ clock, holdQuotation: makeHoldQuotation({ clock, batchSize }), orders, failures })

/** A platform that knows no keys: each answer with a number is one more order. */
const made: string[] = []
let answer: (order: string) => Promise<Created>
const platform: CommercePlatform = {
  createOrder: async ({ number }) => {
    const created = await answer(number)
    if ('number' in created) made.push(number)
    return created
  },
  sentKey: (key) => key,
}
const refused = { error: { reason: 'refused', detail: 'No stock.', status: 422, body: null } } as const
const takes = async (): Promise<Created> => ({ number: `S-${made.length + 1}` })

const told: string[] = []
const notify: QuotationDeps['notify'] = async (_tx, notices) =>
  void told.push(...notices.map(({ occasion, quotation }) => `${occasion} ${quotation.number}`))
const counters = {
  attempts: new Counter({ name: 'attempts', help: 'Not looked at.', labelNames: ['outcome'], registers: [] }),
  failed: new Counter({ name: 'failed', help: 'By reason.', labelNames: ['reason'], registers: [] }),
}
const push = makePushOrder({
  db,
  clock,
  log,
  platform,
  outbox,
  failures,
  ...counters,
  tellSeller: makeTellSeller({ notify }),
  pause: makePlatformPause({ clock, log }),
})

/** The job, as the tests run it. */
const jobs: ((signal: AbortSignal) => Promise<unknown>)[] = []
const define = (({ handler }: Parameters<Jobs['define']>[0]) => ({
  enqueue: async (_tx: unknown, data: never) =>
    void jobs.push((signal) => handler(data, { id: 'job', attempt: 1, signal })),
})) as unknown as Jobs['define']
const asker = { isActive: true, isSuperuser: true }
const findPeople = (async () => [asker]) as unknown as QuotationDeps['findPeople']
const retryMatching = makeRetryMatching({
  db,
  clock,
  jobs: { define },
  byHand,
  failures,
  findPeople,
  maxAtOnce: 3,
  step: 2,
})

/** A quotation with as many orders as it has pieces, all of them pending. */
const ordered = async (quantity: number): Promise<{ readonly id: number; readonly number: string }> => {
  const divisions = [{ id: await make.division(), quantity }]
  const quotation = await make.quotation({ lines: [{ productRemoteId: 'CHAIR', net: 900n, divisions }] })
  await inTransaction(db, (tx) => orders.createMissing(tx, quotation.id))
  return quotation
}
const pushAll = async (): Promise<void> => {
  while (await push()) continue
}
/** A quotation whose orders have all failed. */
const failedOrders = async (quantity: number) => {
  answer = async () => refused
  const quotation = await ordered(quantity)
  await pushAll()
  return quotation
}
const statusesOf = async (quotationId: number): Promise<string> => {
  const rows = await db
    .selectFrom('quotationOrders')
    .select('status')
    .where('quotationId', '=', quotationId)
    .orderBy('id')
    .execute()
  return rows.map(({ status }) => status[0]).join('')
}
const [{ id: userId } = { id: 0 }] = (
  await sql<{ id: number }>`insert into users (email, password_hash, created_at, modified_at)
    values ('asker@example.com', '', now(), now()) returning id`.execute(db)
).rows
const requester = { userId, requestId: 'request' }
const retry = (filters: object) => inTransaction(db, (tx) => retryMatching.retry(tx, requester, { ...filters }))
const retryOne = (quotationId: number, orderId: number) => {
  const context = { ...requester, surface: 'admin', divisionId: null, isSuperuser: true, ifMatch: undefined } as const
  return inTransaction(db, (tx) => byHand.retryOne(tx, context, quotationId, orderId))
}
const idsOf = async (quotationId: number): Promise<number[]> => {
  const rows = await db.selectFrom('quotationOrders').select('id').where('quotationId', '=', quotationId).execute()
  return rows.map(({ id }) => id)
}
const orderOf = (number: string) =>
  db.selectFrom('quotationOrders').select(['id', 'quotationId']).where('number', '=', number).executeTakeFirstOrThrow()
const unlessCreated = (error: Error & { readonly code?: string }): void => {
  if (error.code !== 'order_created') throw error
}
const never = new AbortController().signal

test('retries beside the workers that push never make a second order at the platform', async () => {
  const random = seededRandom(20)
  const quotations = [await ordered(3), await ordered(4), await ordered(3)]
  answer = async (order) => {
    const { id, quotationId } = await orderOf(order)
    // Somebody asks for this very order while it is being pushed.
    await retryOne(quotationId, id).catch(unlessCreated)
    for (let waits = random() * 4; waits > 0; waits--) await orderOf(order)
    return random() < 0.5 ? refused : { number: `S-${order}` }
  }
  const statuses = async () => (await Promise.all(quotations.map(({ id }) => statusesOf(id)))).join('')
  const race = { isDone: false }
  const worker = async (): Promise<void> => {
    while (!race.isDone) await push()
  }
  /** Has what failed tried again by itself, without the time that it would take. */
  const timer = async (): Promise<void> => {
    while (!race.isDone)
      await sql`update quotation_orders set next_attempt_at = ${clock.now()} where status = 'failed'`.execute(db)
  }
  const retrier = async (): Promise<void> => {
    while (!race.isDone) {
      await retry({ quotation: quotations[Math.floor(random() * 3)]?.id })
      const job = jobs.pop()
      await job?.(never)
      race.isDone = /^c*$/.test(await statuses())
    }
  }
  await Promise.all([worker(), worker(), worker(), retrier(), timer()])
  expect(made).toHaveLength(10)
  expect(new Set(made).size).toBe(10)
})

test('a retry leaves an order alone that is being pushed', async () => {
  const { id } = await failedOrders(1)
  made.length = 0
  const { promise, resolve } = Promise.withResolvers<Created>()
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>()
  answer = async () => {
    asked()
    answer = takes
    return promise
  }
  expect(await retry({ quotation: id })).toEqual({ count: 1, status: 'done' })
  const pushed = push()
  await isAsked
  expect(await retry({ quotation: id })).toEqual({ count: 0, status: 'done' })
  const [orderId = 0] = await idsOf(id)
  expect(await retryOne(id, orderId)).toMatchObject({ status: 'pending', attempts: 2 })
  expect(await push()).toBe(false)
  resolve({ number: 'S-1' })
  await pushed
  expect([await statusesOf(id), made.length]).toEqual(['c', 1])
})

test('more than are tried at once are left to a job, which takes those there were and goes on after a death', async () => {
  const { id } = await failedOrders(5)
  expect(await retry({ quotation: id })).toEqual({ count: 5, status: 'in_progress' })
  expect(await statusesOf(id)).toBe('fffff')
  // Failed after it was asked for.
  const later = await db
    .selectFrom('quotationOrders')
    .select(sql<number>`max(id)`.as('id'))
    .executeTakeFirstOrThrow()
  clock.advance(1)
  await sql`update quotation_orders set modified_at = ${clock.now()} where id = ${later.id}`.execute(db)
  const job = jobs.pop()
  const dieLater = (): void => {
    if (left-- === 0) throw new Error('dies')
  }
  const steps = { throwIfAborted: dieLater } as unknown as AbortSignal
  let left = 1
  await expect(job?.(steps)).rejects.toThrow('dies')
  expect(await statusesOf(id)).toBe('ppfff')
  // What was tried in between and failed again is not tried once more.
  await pushAll()
  expect(await statusesOf(id)).toBe('fffff')
  await job?.(never)
  expect(await statusesOf(id)).toBe('ffppf')
})

test('a job ends when whoever asked for it is no superuser any more', async () => {
  const { id } = await failedOrders(4)
  await retry({ quotation: id })
  asker.isSuperuser = false
  await jobs.pop()?.(never)
  asker.isSuperuser = true
  expect(await statusesOf(id)).toBe('ffff')
})

test('sellers are told of the first order of a quotation that fails, and of the first that is given up', async () => {
  told.length = 0
  const { id, number } = await failedOrders(3)
  expect(told).toEqual([`order_failed ${number}`])
  const one = await failedOrders(1)
  expect(told.splice(1)).toEqual([`order_failed ${one.number}`])
  // Not of each try.
  clock.advance(30_000)
  await pushAll()
  expect(told).toEqual([`order_failed ${number}`])
  await sql`update quotation_orders set attempts = 19, next_attempt_at = ${clock.now()} where quotation_id = ${id}`.execute(
    db,
  )
  await pushAll()
  expect(told).toEqual([`order_failed ${number}`, `order_given_up ${number}`])
})

test('each failure is in the log and counted by its reason, without what was sent', async () => {
  const before = (await counters.failed.get()).values.reduce((sum, { value }) => sum + value, 0)
  const { id, number } = await failedOrders(1)
  const order = `${number}-1`
  const facts = { order, quotation: number, division: expect.any(Number), reason: 'refused', status: 422 }
  const failed = linesOf('orders.failed').filter((line) => line['order'] === order)
  const nextAttemptAt = new Date(clock.now().getTime() + 30_000).toISOString()
  expect(failed).toMatchObject([{ level: 40, ...facts, attempts: 1, nextAttemptAt }])
  await sql`update quotation_orders set attempts = 19, next_attempt_at = ${clock.now()} where quotation_id = ${id}`.execute(
    db,
  )
  await pushAll()
  const givenUp = linesOf('orders.given_up').filter((line) => line['order'] === order)
  expect(givenUp).toMatchObject([{ level: 50, ...facts, attempts: 20 }])
  expect((await counters.failed.get()).values).toEqual([{ labels: { reason: 'refused' }, value: before + 2 }])
})
