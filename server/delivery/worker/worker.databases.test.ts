import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { eventually } from '#testing/eventually.ts'
import { makeDeliveries, packageCreated, settings } from '#testing/make-deliveries.ts'
import { makeTestEngine, withoutLooks, type TestEngine } from '#testing/make-test-engine.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeReceiver, type Received } from '#testing/receiver.ts'
import { systemClock } from '#platform/clock.ts'
import { attemptsOf } from '../log/delivery-log.ts'
import type { EngineOptions } from '../engine.ts'
import type { RetryStrategy } from '../subscriber/retry.ts'
import type { SubscriptionSettings } from '../subscriber/subscription.ts'
import type { DeliveryStatus } from '../tables/tables.ts'

const database = await openTestDatabase()
const { db } = database
const { clear } = makeDeliveries({ db, clock: systemClock })
const receiver = await makeReceiver()
const other = await makeReceiver()
const hanging = await makeReceiver({ instead: 'hang' })
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const everySeconds = (seconds: number): RetryStrategy => ({ choice: 'fixed', kwargs: { seconds } })

let engine: TestEngine
let packages = 0
const make = async (options: Partial<EngineOptions> = {}): Promise<void> => {
  engine = await makeTestEngine(database, options)
}
const start = async (options: Partial<EngineOptions> = {}): Promise<void> => {
  await make(options)
  await engine.start()
}
const subscribe = (fields: Partial<SubscriptionSettings> = {}): Promise<number> =>
  inTransaction(db, (tx) => engine.subscriptions.create(tx, { ...settings, url: receiver.url, ...fields }))
const raise = async (count = 1): Promise<void> => {
  for (let event = 0; event < count; event++) {
    packages += 1
    await inTransaction(db, (tx) => engine.outbox.append(tx, [packageCreated(packages)]))
  }
}
beforeEach(async () => {
  await clear()
  for (const one of [receiver, other]) {
    one.answer({})
    one.received.length = 0
  }
})
afterEach(() => engine.stop())

/** Deliveries of a subscription by status, as soon as `enough` of them is true. */
const statuses = async (
  subscriptionId: number,
  enough: (counts: Partial<Record<DeliveryStatus, number>>) => boolean,
  timeout = 10_000,
) =>
  vi.waitFor(
    async () => {
      const rows = await db
        .selectFrom('deliveries')
        .select(['status', (eb) => eb.fn.countAll<number>().as('count')])
        .where('subscriptionId', '=', subscriptionId)
        .groupBy('status')
        .execute()
      const counts: Partial<Record<DeliveryStatus, number>> = Object.fromEntries(
        rows.map(({ status, count }) => [status, count]),
      )
      if (!enough(counts)) throw new Error(`Deliveries are ${JSON.stringify(counts)}.`)
      return counts
    },
    { timeout, interval: 20 },
  )
const deliveriesOf = (subscriptionId: number) =>
  db.selectFrom('deliveries').selectAll().where('subscriptionId', '=', subscriptionId).orderBy('id').execute()
const idOf = ({ headers }: Received): string => String(headers['webhook-id'])
const row = (id: number) => db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('what is due again after an attempt by hand is sent without anybody looking for it', async () => {
  engine = await makeTestEngine(withoutLooks(database))
  await engine.start()
  receiver.answer({ status: 500 })
  const subscription = await subscribe({ retry: everySeconds(1) })
  await raise(2)
  await statuses(subscription, ({ pending }) => pending === 2)
  await receiver.got(2)
  const [first] = await deliveriesOf(subscription)
  // Busy until the end of the attempt before it is written.
  await eventually(async () =>
    expect(await engine.attemptNow(first?.id ?? 0)).toMatchObject({ ok: true, delivered: false }),
  )
  receiver.answer({})
  await statuses(subscription, ({ delivered }) => delivered === 2)
})

describe('an event', () => {
  test('is delivered before anybody looks for it, signed, and its attempt is logged', async () => {
    engine = await makeTestEngine(withoutLooks(database))
    await engine.start()
    const subscription = await subscribe({ secret, dialect: 'whisperer', headers: { 'X-Shop': 'north' } })
    await raise()
    const [received] = await receiver.got(1)
    if (received === undefined) throw new Error('nothing came')

    const headers = received.headers as Record<string, string>
    expect(new Webhook(secret).verify(received.body.toString(), headers)).toMatchObject({ type: 'package.created' })
    expect(headers).toMatchObject({
      'x-shop': 'north',
      'x-whisperer-event': 'package.created',
      'x-waybill-sequence': '1',
      'user-agent': 'Waybill/test',
    })
    await statuses(subscription, ({ delivered }) => delivered === 1)
    const [delivery] = await deliveriesOf(subscription)
    expect(delivery).toMatchObject({ attempts: 1, lastStatus: 200, leaseToken: null })
    const log = await attemptsOf(db, delivery?.id ?? 0)
    expect(log).toMatchObject([{ number: 1, outcome: 'delivered', responseStatus: 200 }])
    expect(log[0]?.requestHeaders).toMatchObject({ 'webhook-id': idOf(received), 'webhook-signature': '********' })
  })

  test('that was raised before the worker started is delivered when it starts', async () => {
    await make()
    const subscription = await subscribe()
    await raise(3)
    await engine.start()
    expect(await statuses(subscription, ({ delivered }) => delivered === 3)).toEqual({ delivered: 3 })
  })

  test('reaches each of its subscribers, and each delivery has an id of its own', async () => {
    await start()
    await subscribe()
    await subscribe({ url: other.url })
    await raise(20)
    await Promise.all([receiver.got(20), other.got(20)])
    expect(new Set([...receiver.received, ...other.received].map(idOf)).size).toBe(40)
  })

  test.each([1, 2])('of many reaches its subscriber once with %i workers on one database', async (workers) => {
    await start({ capacity: 64 })
    const second = await makeTestEngine(database, { capacity: 64 })
    if (workers === 2) await second.start()
    const subscription = await subscribe()
    await raise(150)
    await statuses(subscription, ({ delivered }) => delivered === 150, 20_000)
    expect(receiver.received).toHaveLength(150)
    expect(new Set(receiver.received.map(idOf)).size).toBe(150)
    await second.stop()
  })
})

describe('a delivery that fails', () => {
  test('is sent again when its strategy says, under the same id, with the same bytes and a new time', async () => {
    await start()
    let answers = 0
    receiver.answer(() => ({ status: ++answers < 3 ? 500 : 200 }))
    const subscription = await subscribe({ retry: everySeconds(1), secret })
    await raise()
    const received = await receiver.got(3, 10_000)
    await statuses(subscription, ({ delivered }) => delivered === 1)
    expect(new Set(received.map(idOf)).size).toBe(1)
    expect(new Set(received.map(({ body }) => body.toString())).size).toBe(1)
    expect(new Set(received.map(({ headers }) => headers['webhook-signature'])).size).toBe(3)
    const waits = received.slice(1).map(({ at }, index) => at.getTime() - (received[index]?.at.getTime() ?? 0))
    for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(990)
    const [delivery] = await deliveriesOf(subscription)
    const log = await attemptsOf(db, delivery?.id ?? 0)
    expect(log.map(({ outcome, responseStatus }) => [outcome, responseStatus])).toEqual([
      ['retry', 500],
      ['retry', 500],
      ['delivered', 200],
    ])
  })

  test('too often has failed, and is not sent any more', async () => {
    await start({ maxAttempts: 3 })
    receiver.answer({ status: 302, headers: { location: other.url } })
    const subscription = await subscribe({ retry: everySeconds(0) })
    await raise()
    await statuses(subscription, ({ failed }) => failed === 1)
    await sleep(100)
    expect(receiver.received).toHaveLength(3)
    expect(other.received).toEqual([])
    expect(await deliveriesOf(subscription)).toMatchObject([{ attempts: 3, lastStatus: 302, lastReason: 'http_302' }])
  })

  test('because its receiver hangs does not keep other receivers waiting', async () => {
    await start({ capacity: 16 })
    const waiting = await subscribe({ url: hanging.url })
    const healthy = await subscribe({ url: other.url })
    await raise(50)
    await statuses(healthy, ({ delivered }) => delivered === 50)
    expect((await deliveriesOf(waiting)).filter(({ status }) => status === 'pending')).toHaveLength(50)
    // Breaks the connections, or the end of the test would wait for the timeout.
    await hanging.close()
  })
})

describe('a receiver that says', () => {
  test('410 gets nothing more: the subscription is off, and what was due is kept', async () => {
    await make()
    const { promise: isOff, resolve: off } = Promise.withResolvers<void>()
    receiver.answer(async () => {
      // What is in flight when the first one is answered.
      if (receiver.received.length > 1) await isOff
      return { status: 410 }
    })
    const subscription = await subscribe({ retry: everySeconds(0) })
    await raise(30)
    await engine.start()
    await eventually(async () =>
      expect(await row(subscription)).toMatchObject({ isActive: false, disabledReason: 'gone', health: 'disabled' }),
    )
    off()
    const { failed = 0, pending = 0 } = await statuses(
      subscription,
      (counts) => counts.failed === receiver.received.length,
    )
    const asked = receiver.received.length
    expect(failed + pending).toBe(30)
    expect(pending).toBeGreaterThan(0)
    await raise()
    await sleep(100)
    expect(receiver.received).toHaveLength(asked)

    receiver.answer({})
    await inTransaction(db, (tx) => engine.subscriptions.replace(tx, subscription, { ...settings, url: receiver.url }))
    await statuses(subscription, ({ delivered }) => delivered === pending)
  })

  test('when to come again is left alone until then, all of its deliveries, and nobody else', async () => {
    await start()
    receiver.answer({ status: 503, headers: { 'retry-after': '2' } })
    const quiet = await subscribe({ retry: everySeconds(0) })
    await raise()
    const [first] = await receiver.got(1)
    await statuses(quiet, ({ pending }) => pending === 1)
    await eventually(async () => expect((await row(quiet)).holdUntil).not.toBeNull())
    receiver.answer({})
    const loud = await subscribe({ url: other.url })
    await raise(10)
    await statuses(loud, ({ delivered }) => delivered === 10)
    expect((await row(loud)).holdUntil).toBeNull()

    await statuses(quiet, ({ delivered }) => delivered === 11, 15_000)
    const second = receiver.received[1]
    expect((second?.at.getTime() ?? 0) - (first?.at.getTime() ?? 0)).toBeGreaterThanOrEqual(1_990)
  })
})

describe('metrics', () => {
  test('count attempts by outcome', async () => {
    await start({ maxAttempts: 2 })
    receiver.answer({ status: 500 })
    const subscription = await subscribe({ retry: everySeconds(0) })
    await raise(2)
    await statuses(subscription, ({ failed }) => failed === 2)
    const text = await engine.registry.metrics()
    expect(text).toContain('waybill_delivery_attempts_total{outcome="retry"} 2')
    expect(text).toContain('waybill_delivery_attempts_total{outcome="failed"} 2')
  })
})
