import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeDeliveries, packageCreated, settings } from '#testing/make-deliveries.ts'
import { makeTestEngine, type TestEngine } from '#testing/make-test-engine.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeReceiver, type Receiver } from '#testing/receiver.ts'

const database = await openTestDatabase()
const { db } = database
const { clear } = makeDeliveries({ db, clock: systemClock })
const healthy = await makeReceiver()
const turning = await makeReceiver()
const hanging = await makeReceiver({ instead: 'hang' })

/** A hanging exchange lasts 15 s: whoever waits longer has waited for one. */
const patienceMs = 13_000

let engine: TestEngine
let packages = 0
const start = async (capacity: number): Promise<void> => {
  engine = await makeTestEngine(database, { capacity })
  await engine.start()
}
/** A subscription in a scope of its own, so that its events are only its. */
const subscribe = (url: string, scope: string): Promise<number> =>
  inTransaction(db, (tx) => engine.subscriptions.create(tx, { ...settings, url, scope }))
const raise = (count: number, scope: string): Promise<void> =>
  inTransaction(db, (tx) => {
    const events = Array.from({ length: count }, () => ({ ...packageCreated((packages += 1)), scope }))
    return engine.outbox.append(tx, events)
  })
/** Whether a healthy subscriber gets its event although others hang. */
const healthyGets = async (): Promise<number> => {
  healthy.received.length = 0
  await subscribe(healthy.url, 'healthy')
  await raise(1, 'healthy')
  return (await healthy.got(1, patienceMs)).length
}

beforeEach(clear)
let inTrouble: Receiver
afterEach(async () => {
  // Breaks what hangs, or the stop would wait for it.
  await inTrouble.close()
  await engine.stop()
})

describe('a healthy receiver is served in time', { timeout: 60_000 }, () => {
  test('while one that was fast, with much due, begins to hang', async () => {
    inTrouble = turning
    await start(128)
    await subscribe(turning.url, 'turning')
    await raise(1_000, 'turning')
    await turning.got(1_000, 20_000)
    turning.answer({ instead: 'hang' })
    await raise(1_000, 'turning')
    await turning.got(1_020)
    expect(await healthyGets()).toBe(1)
  })

  test('while more receivers hang than may be in flight', async () => {
    inTrouble = hanging
    await start(16)
    for (let subscription = 0; subscription < 40; subscription++) await subscribe(hanging.url, 'hanging')
    await raise(2, 'hanging')
    await hanging.got(8)
    expect(await healthyGets()).toBe(1)
  })

  test('while receivers hang whose deliveries were made with their leases', async () => {
    inTrouble = hanging
    await start(16)
    for (let subscription = 0; subscription < 20; subscription++) await subscribe(hanging.url, 'hanging')
    // The first event says who listens.
    await raise(1, 'hanging')
    await hanging.got(8)
    for (let event = 0; event < 5; event++) await raise(1, 'hanging')
    expect(await healthyGets()).toBe(1)
    await raise(1, 'healthy')
    expect(await healthy.got(2, patienceMs)).toHaveLength(2)
  })

  test('while retries of another, more than may be in flight, hang', async () => {
    inTrouble = hanging
    await start(16)
    for (let subscription = 0; subscription < 40; subscription++) await subscribe(hanging.url, 'hanging')
    await raise(2, 'hanging')
    await db.updateTable('deliveries').set({ lane: 1, attempts: 1 }).execute()
    expect(await healthyGets()).toBe(1)
  })
})

test('a receiver is served in time while others on the same host hang', { timeout: 60_000 }, async () => {
  inTrouble = await makeReceiver()
  inTrouble.answer(({ path }) => (path === '/well' ? {} : { instead: 'hang' }))
  await start(512)
  for (let subscription = 0; subscription < 20; subscription++) await subscribe(`${inTrouble.url}/hangs`, 'hanging')
  await raise(10, 'hanging')
  await inTrouble.got(64)
  await subscribe(`${inTrouble.url}/well`, 'healthy')
  await raise(1, 'healthy')
  const isServed = () => inTrouble.received.some(({ path }) => path === '/well')
  await expect.poll(isServed, { timeout: patienceMs }).toBe(true)
})

test(
  'a subscription with a rate limit gets its deliveries at that rate, to the last one',
  { timeout: 20_000 },
  async () => {
    inTrouble = hanging
    await start(128)
    const limited = { ...settings, url: healthy.url, scope: 'limited', rateLimit: { perSecond: 20, burst: 5 } }
    await inTransaction(db, (tx) => engine.subscriptions.create(tx, limited))
    healthy.received.length = 0
    const raisedAt = Date.now()
    await raise(25, 'limited')
    const received = await healthy.got(25, 15_000)
    // 20 of them have to wait for a token each, which makes a second.
    expect((received[24]?.at.getTime() ?? 0) - raisedAt).toBeGreaterThanOrEqual(990)
    const attempts = await db.selectFrom('deliveries').select('attempts').distinct().execute()
    expect(attempts).toEqual([{ attempts: 1 }])
  },
)
