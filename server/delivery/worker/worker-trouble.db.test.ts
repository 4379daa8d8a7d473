import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { makeVault } from '#platform/crypto/vault.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { eventually } from '#testing/eventually.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeDeliveries, packageCreated, settings } from '#testing/make-deliveries.ts'
import { aroundLooks, makeFailing, makeTestEngine, withoutLooks, type TestEngine } from '#testing/make-test-engine.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeReceiver, type Received } from '#testing/receiver.ts'
import type { EngineOptions } from '../engine.ts'
import { leaseMs } from '../queue/claim.ts'

const database = await openTestDatabase()
const { db } = database
const onPostgres = process.env['TEST_ENGINE'] === 'postgres'
const failing = makeFailing(database)
const { clear } = makeDeliveries({ db, clock: systemClock })
const receiver = await makeReceiver()
const other = await makeReceiver()

let engine: TestEngine
let packages = 0
const start = async (options: Partial<EngineOptions> = {}): Promise<void> => {
  engine = await makeTestEngine(failing, options)
  await engine.start()
}
const subscribe = (url = receiver.url): Promise<number> =>
  inTransaction(db, (tx) =>
    engine.subscriptions.create(tx, { ...settings, url, retry: { choice: 'fixed', kwargs: { seconds: 0 } } }),
  )
const raise = async (count = 1): Promise<void> => {
  for (let event = 0; event < count; event++) {
    packages += 1
    await inTransaction(db, (tx) => engine.outbox.append(tx, [packageCreated(packages)]))
  }
}
const idOf = ({ headers }: Received): string => String(headers['webhook-id'])
const deliveries = () => db.selectFrom('deliveries').selectAll().orderBy('id').execute()
const attempts = () =>
  db
    .selectFrom('attempts')
    .select(['deliveryId', 'number', 'outcome', 'reason'])
    .orderBy('deliveryId')
    .orderBy('number')
    .execute()
const allDelivered = (timeout = 15_000): Promise<void> =>
  vi.waitFor(
    async () => {
      const open = (await deliveries()).filter(({ status }) => status !== 'delivered')
      if (open.length > 0) throw new Error(`${open.length} are not delivered: ${JSON.stringify(open[0])}`)
    },
    { timeout, interval: 20 },
  )

/** Delivers to a receiver whose answer comes just when the database goes away. */
const loseDatabaseAtAnswer = async (): Promise<void> => {
  await start()
  receiver.answer(() => {
    failing.refuses.add('raw')
    return {}
  })
  await subscribe()
  await raise()
  await receiver.got(1)
}

beforeEach(async () => {
  failing.refuses.clear()
  await clear()
  for (const one of [receiver, other]) {
    one.answer({})
    one.received.length = 0
  }
})
afterEach(async () => {
  failing.refuses.clear()
  await engine.stop()
})

describe('a stop', () => {
  test('waits for a look under way, for the database is closed after it', async () => {
    let looks = 0
    const slow = aroundLooks(database, async (look) => {
      looks += 1
      await sleep(300)
      const found = await look()
      looks -= 1
      return found
    })
    engine = await makeTestEngine(slow)
    await engine.start()
    await eventually(() => expect(looks).toBe(1))
    await engine.stop()
    expect(looks).toBe(0)
  })

  test('lets attempts in flight end, writes them, and leaves no lease behind', async () => {
    await start()
    const { promise: isStopping, resolve: stopping } = Promise.withResolvers<void>()
    receiver.answer(async () => {
      await isStopping
      return {}
    })
    await subscribe()
    await raise(40)
    await receiver.got(1)
    const stopped = engine.stop()
    stopping()
    await stopped
    const rows = await deliveries()
    expect(rows.filter(({ leaseToken }) => leaseToken !== null)).toEqual([])
    const delivered = rows.filter(({ status }) => status === 'delivered')
    expect(delivered).toHaveLength(receiver.received.length)
    expect(delivered.length).toBeLessThan(40)
    // What was not begun is due, as if it had never been claimed.
    expect(rows.filter(({ status, attempts: begun }) => status === 'pending' && begun > 0)).toEqual([])

    receiver.answer({})
    await start()
    await allDelivered()
    expect(new Set(receiver.received.map(idOf)).size).toBe(40)
    expect(receiver.received).toHaveLength(40)
  })

  test('gives what waits for a connection back or sends it, with many in flight', async () => {
    await start({ capacity: 300 })
    await subscribe()
    await raise(150)
    await allDelivered()
    receiver.answer({ delayMs: 200 })
    await raise(150)
    await receiver.got(160)
    await engine.stop()
    expect((await deliveries()).filter(({ leaseToken }) => leaseToken !== null)).toEqual([])

    receiver.answer({})
    await start()
    await allDelivered()
    expect(receiver.received).toHaveLength(300)
    expect(new Set(receiver.received.map(idOf)).size).toBe(300)
  })

  test('cuts off what hangs when its time to end is over: nobody knows whether it arrived, so it is due again at once', async () => {
    await start()
    receiver.answer({ instead: 'hang' })
    await subscribe()
    await raise()
    await receiver.got(1)
    const startedAt = performance.now()
    await engine.stop()
    expect(performance.now() - startedAt).toBeGreaterThan(900)
    expect(await deliveries()).toMatchObject([{ status: 'pending', leaseToken: null, attempts: 1 }])
    expect(await attempts()).toMatchObject([{ number: 1, outcome: 'unknown', reason: 'aborted' }])

    receiver.answer({})
    await start()
    await allDelivered()
    expect(new Set(receiver.received.map(idOf)).size).toBe(1)
  })

  test('waits until every end is written, also when the database is away for a moment', async () => {
    await loseDatabaseAtAnswer()
    const before = failing.refused()
    const stopped = engine.stop()
    await eventually(() => expect(failing.refused()).toBeGreaterThan(before))
    failing.refuses.clear()
    await stopped
    expect(await deliveries()).toMatchObject([{ status: 'delivered' }])
  })

  test('leaves nothing running that looks at the database', async () => {
    await start()
    await subscribe()
    await raise()
    await allDelivered()
    await engine.stop()
    failing.refuses.add('raw').add('built')
    const before = failing.refused()
    await sleep(6_000)
    expect(failing.refused()).toBe(before)
  })
})

describe('a database that is away for a moment', () => {
  test('when an attempt ended does not send it again: its end is written later', async () => {
    await loseDatabaseAtAnswer()
    await eventually(() => expect(failing.refused()).toBeGreaterThan(0))
    failing.refuses.clear()
    await allDelivered()
    expect(receiver.received).toHaveLength(1)
    expect(await attempts()).toMatchObject([{ number: 1, outcome: 'delivered' }])
  })

  test('when a claim is made loses no wake-up', async () => {
    engine = await makeTestEngine(withoutLooks(failing))
    await engine.start()
    await subscribe()
    const before = failing.refused()
    failing.refuses.add('raw')
    await raise()
    await eventually(() => expect(failing.refused()).toBeGreaterThan(before))
    failing.refuses.clear()
    await allDelivered()
    expect(receiver.received).toHaveLength(1)
  })

  test('when receivers are loaded holds no room for what was not begun, and those are sent when their lease runs out', async () => {
    const clock = makeFakeClock(new Date())
    engine = await makeTestEngine(failing, { capacity: 4, clock })
    await subscribe()
    await raise(4)
    const before = failing.refused()
    failing.refuses.add('built')
    await engine.start()
    await eventually(async () => {
      expect((await deliveries()).every(({ leaseToken }) => leaseToken !== null)).toBe(true)
      expect(failing.refused()).toBeGreaterThan(before)
    })
    // Until the claim's answer has come here too.
    await sleep(50)
    failing.refuses.clear()
    await subscribe(other.url)
    await raise(4)
    await other.got(4)
    // The clock must not move while anything is in flight.
    await vi.waitFor(
      async () => {
        const delivered = (await deliveries()).filter(({ status }) => status === 'delivered')
        expect(delivered).toHaveLength(8)
      },
      { timeout: 5_000 },
    )

    clock.advance(leaseMs)
    await allDelivered()
    expect(new Set(receiver.received.map(idOf)).size).toBe(8)
    expect(receiver.received).toHaveLength(8)
  })

  test('when a subscription is to be switched off does not make the engine forget it', async () => {
    await start()
    await subscribe()
    receiver.answer(() => {
      failing.refuses.add('built')
      return { status: 410 }
    })
    const before = failing.refused()
    await raise()
    await eventually(() => expect(failing.refused()).toBeGreaterThan(before))
    expect(await deliveries()).toMatchObject([{ status: 'pending', attempts: 1 }])
    failing.refuses.clear()
    await eventually(async () => expect(await deliveries()).toMatchObject([{ status: 'failed', attempts: 1 }]))
    const row = await db.selectFrom('subscriptions').select(['isActive', 'disabledReason']).executeTakeFirst()
    expect(row).toEqual({ isActive: false, disabledReason: 'gone' })
    expect(await attempts()).toMatchObject([{ outcome: 'failed' }])
  })

  test.runIf(onPostgres)('under load, its connections broken again and again, loses nothing', async () => {
    const clock = makeFakeClock(new Date())
    await start({ clock })
    await subscribe()
    for (let time = 0; time < 5; time++) {
      await raise(40)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
        db,
      )
      await sleep(50)
    }
    clock.advance(leaseMs)
    await allDelivered(25_000)
    expect(new Set(receiver.received.map(idOf)).size).toBe(200)
    const repeated = receiver.received.length - 200
    const lost = (await attempts()).filter(({ outcome }) => outcome === 'unknown').length
    expect(repeated).toBeLessThanOrEqual(lost)
  })
})

describe('a subscription that cannot be decrypted', () => {
  test('does not keep the others from being delivered, and its deliveries are kept', async () => {
    await start({ capacity: 8 })
    const unreadable = await subscribe()
    const sealed = makeVault('another key, of another installation').seal('{"headers":null,"secret":null,"auth":null}')
    await db.updateTable('subscriptions').set({ sealed, version: 2 }).where('id', '=', unreadable).execute()
    const readable = await subscribe(other.url)
    await raise(60)
    await other.got(60)
    expect(receiver.received).toEqual([])
    const kept = (await deliveries()).filter(({ subscriptionId }) => subscriptionId === unreadable)
    expect(kept.map(({ status }) => status)).toEqual(kept.map(() => 'pending'))
    expect(kept).toHaveLength(60)
    await eventually(async () => {
      const open = (await deliveries()).filter(
        ({ subscriptionId, status }) => subscriptionId === readable && status !== 'delivered',
      )
      expect(open).toEqual([])
    })
  })
})

// On the embedded database nobody else can hold a lock.
describe.runIf(onPostgres)('ends that cannot be written', () => {
  test('hold back what would end next, so that no lease runs out while its end waits', async () => {
    await start({ capacity: 20 })
    await subscribe()
    const { promise: answering, resolve: answer } = Promise.withResolvers<void>()
    receiver.answer(async () => {
      await answering
      return {}
    })
    await raise(200)
    await receiver.got(4)
    const inFlight = (await deliveries()).find(({ leaseToken }) => leaseToken !== null)?.id ?? 0
    await inTransaction(db, async (tx) => {
      await sql`select from deliveries where id = ${inFlight} for update`.execute(tx)
      answer()
      await sleep(1_500)
      // Twice the capacity has ended then, and what was in flight at that time, and what ended before.
      expect(receiver.received.length).toBeLessThanOrEqual(8 + 3 * 20)
    })
    await allDelivered()
    expect(new Set(receiver.received.map(idOf)).size).toBe(200)
    expect(receiver.received).toHaveLength(200)
  })
})

describe('a subscription that is changed while a delivery is in flight', () => {
  test('stays on when its old address says that it is gone', async () => {
    await start()
    const subscription = await subscribe()
    const { promise: changed, resolve: goOn } = Promise.withResolvers<void>()
    receiver.answer(async () => {
      await changed
      return { status: 410 }
    })
    await raise()
    await receiver.got(1)
    await inTransaction(db, (tx) => engine.subscriptions.replace(tx, subscription, { ...settings, url: other.url }))
    goOn()
    await eventually(async () => expect(await attempts()).toHaveLength(1))
    const after = await db
      .selectFrom('subscriptions')
      .select(['isActive', 'disabledReason'])
      .where('id', '=', subscription)
      .executeTakeFirst()
    expect(after).toEqual({ isActive: true, disabledReason: null })
  })
})
