import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock, type Clock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeChecker } from '#testing/make-checker.ts'
import { makeDeliveries, packageCreated, settings } from '#testing/make-deliveries.ts'
import { makeTestEngine, type TestEngine } from '#testing/make-test-engine.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { seededRandom } from '#platform/seeded-random.ts'
import { cancelOrphans } from '../queue/queue.ts'
import type { SubscriptionSettings } from '../subscriber/subscription.ts'
import type { DeliveryStatus } from '../tables/tables.ts'

/** Longest time that a transaction of this test stays open. */
const maxMs = 150
/** Longer than any. */
const settleMs = 700

const database = await openTestDatabase()
const { db } = database
const { clear } = makeDeliveries({ db, clock: systemClock })
const { check, checkAll, reset } = makeChecker(db, settleMs)
const good = await makeReceiver()
const bad = await makeReceiver({ status: 500 })
const gone = await makeReceiver({ status: 410 })

let engine: TestEngine
const start = async (clock: Clock = systemClock): Promise<void> => {
  const health = { failingAfter: 2, disabledAfterMs: 200, probeEveryMs: 100 }
  engine = await makeTestEngine(database, { clock, health })
  await engine.start()
}
beforeEach(async () => {
  await clear()
  await reset()
  good.received.length = 0
})
afterEach(() => engine.stop())

const subscribe = (fields: Partial<SubscriptionSettings> = {}): Promise<number> =>
  inTransaction(db, (tx) => engine.subscriptions.create(tx, { ...settings, url: good.url, ...fields }))

const countByStatus = async (): Promise<Partial<Record<DeliveryStatus, number>>> => {
  const { rows } = await sql<{ status: DeliveryStatus; count: number }>`
    select status, count(*) from deliveries group by status`.execute(db)
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

test('an engine in full work, with subscriptions that come, change and go, violates nothing', async () => {
  await start()
  const random = seededRandom(20_261_121)
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)]
  const retry = { choice: 'fixed', kwargs: { seconds: 0 } } as const
  const kinds: readonly Partial<SubscriptionSettings>[] = [
    {},
    { eventTypes: ['package.created', 'webhook.disabled'] },
    { url: bad.url, retry },
    { url: gone.url },
    { scope: 'project:a' },
  ]
  const living = [await subscribe(), await subscribe({ url: bad.url, retry })]
  const beginning = performance.now()
  const enough = new AbortController()
  const whileBusy = async (work: () => Promise<unknown>): Promise<void> => {
    while (!enough.signal.aborted && performance.now() - beginning < 45_000) {
      await work()
      await sleep(random() * 20)
    }
  }
  let events = 0
  const append = () =>
    inTransaction(db, async (tx) => {
      const count = 1 + Math.floor(random() * 20)
      await engine.outbox.append(
        tx,
        Array.from({ length: count }, () => packageCreated(++events)),
      )
      // The embedded database has one connection, and does nothing else while a transaction is open.
      if (database.engine === 'postgres') await sleep(random() * maxMs)
    })
  const change = async (): Promise<void> => {
    const id = pick(living) ?? 0
    const kind = { ...settings, url: good.url, ...pick(kinds) }
    const changes = [
      async () => void living.push(await subscribe(pick(kinds))),
      () => inTransaction(db, (tx) => engine.subscriptions.replace(tx, id, kind)),
      () => inTransaction(db, (tx) => engine.subscriptions.replace(tx, id, { ...kind, isActive: false })),
      () => inTransaction(db, (tx) => engine.subscriptions.switchOff(tx, [id], 'owner_inactive')),
      async () => {
        if (living.length > 4) living.splice(living.indexOf(id), 1)
        else return
        await inTransaction(db, (tx) => engine.subscriptions.remove(tx, id))
      },
    ]
    await pick(changes)?.()
  }
  const reports: unknown[] = []
  const look = async (): Promise<void> => {
    // The workers do this every 5 s, which is long before the checker looks, but not here.
    await cancelOrphans(db, new Date())
    reports.push(...(await check()))
    const { delivered = 0, held = 0, cancelled = 0 } = await countByStatus()
    if (performance.now() - beginning > 3_000 && delivered > 100 && held > 10 && cancelled > 0) enough.abort()
  }

  await Promise.all([whileBusy(append), whileBusy(append), whileBusy(append), whileBusy(change), whileBusy(look)])
  await sleep(settleMs)
  await look()
  expect(reports).toEqual([])
  expect(await checkAll(false)).toEqual([])
  expect(enough.signal.aborted).toBe(true)
})

test('what a process was busy with when the clock was set back an hour goes out again, once the checker has been there', async () => {
  let ahead = 3_600_000
  const clock: Clock = { now: () => new Date(Date.now() + ahead) }
  await start(clock)
  const subscription = await subscribe()
  good.answer({ instead: 'hang' })
  await inTransaction(db, (tx) => engine.outbox.append(tx, [packageCreated(1)]))
  await good.got(1)
  // The process dies with its attempt under way, and the clock is put right.
  const { leaseToken } = await db.selectFrom('deliveries').selectAll().executeTakeFirstOrThrow()
  await engine.stop()
  await db
    .updateTable('deliveries')
    .set({
      leaseToken,
      leasedAt: clock.now(),
      leasedUntil: new Date(Date.now() + ahead + 30_000),
      nextAttemptAt: clock.now(),
    })
    .execute()
  ahead = 0
  good.answer({})
  good.received.length = 0

  expect((await check()).map((finding) => finding.check)).toEqual(['lease_too_long'])
  const { leasedUntil, nextAttemptAt } = await db.selectFrom('deliveries').selectAll().executeTakeFirstOrThrow()
  expect(Number(leasedUntil) - Date.now()).toBeLessThanOrEqual(30_000)
  expect(Number(nextAttemptAt) - Date.now()).toBeLessThanOrEqual(0)
  // Half a minute later.
  ahead = 31_000
  await start(clock)
  await good.got(1)
  expect(subscription).toBeGreaterThan(0)
})
