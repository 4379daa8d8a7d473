import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeDeliveries, settings } from '#testing/make-deliveries.ts'
import { makeTestEngine, type TestEngine } from '#testing/make-test-engine.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeReceiver } from '#testing/receiver.ts'
import type { EngineOptions } from '../engine.ts'

const database = await openTestDatabase()
const { db } = database
const { clear } = makeDeliveries({ db, clock: systemClock })
const receiver = await makeReceiver()
const other = await makeReceiver()

let engine: TestEngine
const start = async (options: Partial<EngineOptions> = {}): Promise<void> => {
  engine = await makeTestEngine(database, options)
  await engine.start()
}
beforeEach(async () => {
  await clear()
  receiver.answer({})
  for (const one of [receiver, other]) one.received.length = 0
})
afterEach(() => engine.stop())

const subscribe = (url: string, eventTypes: readonly string[]): Promise<number> => {
  const retry = { choice: 'fixed', kwargs: { seconds: 1 } } as const
  return inTransaction(db, (tx) => engine.subscriptions.create(tx, { ...settings, retry, url, eventTypes }))
}
const bytes = Buffer.from([0, 1, 254, 255])
const send = async (subscriptionId: number): Promise<number> => {
  const about = { type: 'package.created', scope: 'back-office', object: { type: 'package', id: 1 } } as const
  const content = { mediaType: 'application/x-thing', bytes }
  const id = await inTransaction(db, (tx) => engine.outbox.send(tx, subscriptionId, { ...about, content }))
  return id ?? 0
}
const statusOf = async (id: number): Promise<string> =>
  (await db.selectFrom('deliveries').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
const isOff = async (id: number): Promise<boolean> => {
  const row = await db.selectFrom('subscriptions').select('disabledAt').where('id', '=', id).executeTakeFirstOrThrow()
  return row.disabledAt !== null
}
const soon = { timeout: 15_000, interval: 20 }

test('a message is delivered at once to the subscription that it is sent to, and to no other', async () => {
  await start()
  const subscription = await subscribe(receiver.url, ['shipment.created'])
  await subscribe(other.url, ['package.created'])
  const id = await send(subscription)
  const [received] = await receiver.got(1)
  expect(received?.headers).toMatchObject({ 'content-type': 'application/x-thing', 'x-waybill-sequence': '1' })
  expect(received?.body).toEqual(bytes)
  await vi.waitFor(async () => expect(await statusOf(id)).toBe('delivered'), soon)
  expect(await engine.attemptNow(id)).toMatchObject({ ok: true, delivered: true })
  expect(receiver.received.map(({ body }) => body.equals(bytes))).toEqual([true, true])
  expect(other.received).toEqual([])
})

test('messages that were held arrive when the endpoint comes back by itself', { timeout: 30_000 }, async () => {
  await start({ health: { failingAfter: 2, disabledAfterMs: 1, probeEveryMs: 400 } })
  receiver.answer({ status: 500 })
  const subscription = await subscribe(receiver.url, ['shipment.created'])
  await subscribe(other.url, ['package.created'])
  const first = await send(subscription)
  await vi.waitFor(async () => expect(await isOff(subscription)).toBe(true), soon)
  const held = [await send(subscription), await send(subscription), await send(subscription)]
  expect(await statusOf(held[1] ?? 0)).toBe('held')
  receiver.answer({})
  const ids = [first, ...held]
  await vi.waitFor(async () => expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => 'delivered')), {
    timeout: 25_000,
    interval: 50,
  })
  expect(other.received).toEqual([])
})
