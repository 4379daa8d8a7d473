import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeDeliveries, packageCreated, settings } from '#testing/make-deliveries.ts'
import { makeTestEngine, withoutLooks } from '#testing/make-test-engine.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeReceiver } from '#testing/receiver.ts'

const database = await openTestDatabase()
const { db } = database
const { clear } = makeDeliveries({ db, clock: systemClock })
const receiver = await makeReceiver()
const engine = await makeTestEngine(withoutLooks(database), { maxAttempts: 2 })
const { outbox, subscriptions, redeliveries } = engine

beforeAll(() => engine.start())
afterAll(() => engine.stop())
beforeEach(async () => {
  await clear()
  receiver.received.length = 0
  receiver.answer({})
})

const subscribe = (fields: Partial<typeof settings> = {}): Promise<number> =>
  inTransaction(db, (tx) => subscriptions.create(tx, { ...settings, url: receiver.url, ...fields }))
const raise = (count: number): Promise<void> =>
  inTransaction(db, (tx) =>
    outbox.append(
      tx,
      Array.from({ length: count }, (_, index) => packageCreated(index + 1)),
    ),
  )
const allAre = (status: string) =>
  vi.waitFor(
    async () => {
      const rows = await db.selectFrom('deliveries').select('status').execute()
      expect(new Set(rows.map((row) => row.status))).toEqual(new Set([status]))
    },
    { timeout: 15_000, interval: 20 },
  )
const sent = () => receiver.received.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body.toString()}`)

test('an event that is sent again arrives with the same id and bytes, before anybody looks for it', async () => {
  await subscribe()
  await raise(1)
  await receiver.got(1)
  await allAre('delivered')
  const { id } = await db.selectFrom('events').select('id').executeTakeFirstOrThrow()
  const all = await db.selectFrom('subscriptions').select('id').execute()
  await inTransaction(db, (tx) =>
    redeliveries.replay(
      tx,
      id,
      all.map((one) => one.id),
      new Date(),
    ),
  )
  await receiver.got(2)
  const [first, second] = sent()
  expect(second).toBe(first)
})

test('what failed arrives when it is retried, with a budget that starts again', async () => {
  const subscription = await subscribe({ retry: { choice: 'fixed', kwargs: { seconds: 0 } } })
  receiver.answer({ status: 500 })
  await raise(2)
  await allAre('failed')
  const before = new Set(sent())
  receiver.received.length = 0
  // Fails once more, and is not given up for that.
  receiver.answer(() => ({ status: receiver.received.length <= 2 ? 500 : 200 }))
  await inTransaction(db, (tx) =>
    redeliveries.startRetry(
      tx,
      { filter: { subscriptionIds: [subscription] }, force: false, requestedBy: null },
      new Date(),
    ),
  )
  await allAre('delivered')
  expect(new Set(sent())).toEqual(before)
  expect(receiver.received).toHaveLength(4)
})

test('what a subscription missed arrives when it is recovered, each event once', { timeout: 40_000 }, async () => {
  const subscription = await subscribe()
  const change = (isActive: boolean) =>
    inTransaction(db, (tx) => subscriptions.replace(tx, subscription, { ...settings, url: receiver.url, isActive }))
  await raise(3)
  await receiver.got(3)
  await change(false)
  await raise(4)
  await change(true)
  await inTransaction(db, (tx) =>
    redeliveries.startRecovery(
      tx,
      { subscriptionId: subscription, since: new Date(Date.now() - 3_600_000), requestedBy: null },
      new Date(),
    ),
  )
  await receiver.got(7, 20_000)
  await allAre('delivered')
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(7)
})
