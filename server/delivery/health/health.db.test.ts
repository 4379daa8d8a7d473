import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { systemClock } from '#platform/clock.ts'
import { makeDeliveries, packageCreated, settings } from '#testing/make-deliveries.ts'
import { makeTestEngine, withoutLooks, type TestEngine } from '#testing/make-test-engine.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeReceiver } from '#testing/receiver.ts'
import type { HealthRules } from './health.ts'
import type { HealthNotice } from './record-health.ts'

const database = await openTestDatabase()
const { db } = database
const { clear } = makeDeliveries({ db, clock: systemClock })
const receiver = await makeReceiver()
const listener = await makeReceiver()
const rules: HealthRules = { failingAfter: 5, disabledAfterMs: 432_000_000, probeEveryMs: 3_600_000 }

type StartOptions = Partial<HealthRules> & { readonly maxAttempts?: number; readonly on?: Database }

let engine: TestEngine
let notices: HealthNotice[] = []
let packages = 0
const start = async ({ maxAttempts = 18, on = database, ...health }: StartOptions = {}): Promise<void> => {
  engine = await makeTestEngine(on, {
    maxAttempts,
    health: { ...rules, ...health },
    alert: async (_tx, notice) => void notices.push(notice),
  })
  await engine.start()
}
const subscribe = (fields: Partial<typeof settings> = {}): Promise<number> =>
  inTransaction(db, (tx) => engine.subscriptions.create(tx, { ...settings, url: receiver.url, ...fields }))
/** Somebody who wants to hear of the health of webhooks. */
const listen = (): Promise<number> =>
  subscribe({ url: listener.url, eventTypes: ['webhook.failing', 'webhook.disabled', 'webhook.recovered'] })
const raise = (count: number): Promise<void> =>
  inTransaction(db, (tx) =>
    engine.outbox.append(
      tx,
      Array.from({ length: count }, () => packageCreated((packages += 1))),
    ),
  )
const row = (id: number) => db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const deliveriesOf = (id: number) =>
  db
    .selectFrom('deliveries')
    .select(['id', 'status', 'attempts'])
    .where('subscriptionId', '=', id)
    .orderBy('id')
    .execute()
const statusesOf = async (id: number): Promise<Record<string, number>> => {
  const rows = await deliveriesOf(id)
  return Object.fromEntries([...Map.groupBy(rows, ({ status }) => status)].map(([status, all]) => [status, all.length]))
}
const leased = () => db.selectFrom('deliveries').select('id').where('leaseToken', 'is not', null).execute()
const heard = (): unknown[] => listener.received.map(({ body }) => JSON.parse(body.toString()) as unknown)
const soon = { timeout: 15_000, interval: 20 }

beforeEach(async () => {
  await clear()
  notices = []
  for (const one of [receiver, listener]) {
    one.received.length = 0
    one.answer({})
  }
})
afterEach(() => engine.stop())

describe('an endpoint that fails again and again', { timeout: 30_000 }, () => {
  test('is left alone but for one delivery at a time, is reported, and gets everything once it works again', async () => {
    await start()
    await listen()
    const { promise: isFailing, resolve: failing } = Promise.withResolvers<void>()
    let requests = 0
    receiver.answer(async () => {
      if ((requests += 1) > rules.failingAfter) await isFailing
      return { status: 500 }
    })
    const id = await subscribe({ retry: { choice: 'fixed', kwargs: { seconds: 1 } } })
    await raise(100)
    await vi.waitFor(async () => expect((await row(id)).health).toBe('failing'), soon)
    failing()
    // Those that had been claimed by then are not sent any more.
    const asked = receiver.received.length
    expect(asked).toBeLessThan(100)
    const attempts = (await deliveriesOf(id)).map((one) => one.attempts)
    expect(attempts.filter((count) => count === 0).length).toBeGreaterThan(0)
    await listener.got(1)
    expect(heard()).toMatchObject([{ type: 'webhook.failing', data: { id, health: 'failing', disabled_reason: null } }])

    receiver.answer({})
    await vi.waitFor(async () => expect(await statusesOf(id)).toEqual({ delivered: 100 }), soon)
    expect(await row(id)).toMatchObject({ health: 'healthy', failures: 0, failingSince: null, pausedUntil: null })
    await listener.got(2)
    expect(heard()[1]).toMatchObject({ type: 'webhook.recovered', data: { id, health: 'healthy', failures: 0 } })
    expect(notices.map(({ change }) => change)).toEqual(['failing', 'recovered'])
  })

  test('never waits longer than its own retries would, also after a last attempt', async () => {
    await start({ failingAfter: 1, maxAttempts: 1 })
    receiver.answer({ status: 500 })
    const id = await subscribe({ retry: { choice: 'fixed', kwargs: { seconds: 1 } } })
    await raise(1)
    await vi.waitFor(async () => expect((await row(id)).health).toBe('failing'), soon)
    await raise(4)
    await vi.waitFor(async () => expect((await row(id)).failures).toBe(4), soon)
    const { pausedUntil, lastFailureAt, failingSince } = await row(id)
    // A pause that only grew with the time of failures would be as long as they last, which is 3 s by now.
    expect(Number(pausedUntil) - Number(lastFailureAt)).toBeLessThan(Number(lastFailureAt) - Number(failingSince))
  })

  test('is switched off in the end; what happens meanwhile is kept, and a probe brings it back', async () => {
    await start({ failingAfter: 2, disabledAfterMs: 1, probeEveryMs: 400 })
    await listen()
    receiver.answer({ status: 500 })
    const id = await subscribe({ retry: { choice: 'fixed', kwargs: { seconds: 0 } } })
    await raise(1)
    await vi.waitFor(async () => expect((await row(id)).disabledAt).not.toBeNull(), soon)
    expect(await row(id)).toMatchObject({ isActive: false, disabledReason: 'failing' })
    await raise(3)
    expect(await statusesOf(id)).toMatchObject({ held: 3 })
    const asked = receiver.received.length
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(asked), soon)
    expect(await row(id)).toMatchObject({ isActive: false })

    receiver.answer({})
    await vi.waitFor(async () => expect(await row(id)).toMatchObject({ isActive: true, health: 'healthy' }), soon)
    // Failing as well, unless it was so for a millisecond already.
    expect(notices.map(({ change }) => change).slice(-2)).toEqual(['disabled', 'recovered'])
    await listener.got(2)
    // By a job of its own, because nobody is there to ask for it.
    await vi.waitFor(async () => expect(await statusesOf(id)).not.toHaveProperty('held'), soon)
    await vi.waitFor(async () => expect((await statusesOf(id))['delivered']).toBeGreaterThanOrEqual(3), soon)
  })

  test('is switched off at once when it says it is gone, and nothing tries it again', async () => {
    await start({ probeEveryMs: 100 })
    receiver.answer({ status: 410 })
    const id = await subscribe()
    await raise(1)
    await vi.waitFor(async () => expect(await row(id)).toMatchObject({ isActive: false, disabledReason: 'gone' }), soon)
    await raise(2)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(receiver.received).toHaveLength(1)
    expect(await statusesOf(id)).toEqual({ failed: 1, held: 2 })
    expect(notices.map(({ change }) => change)).toEqual(['disabled'])
  })
})

test('one that its owner switched off keeps nothing', async () => {
  await start()
  const id = await subscribe({ isActive: false })
  await raise(2)
  expect(await deliveriesOf(id)).toEqual([])
})

test('what an old address said is not held against the new one', async () => {
  await start()
  const { promise: isChanged, resolve: changed } = Promise.withResolvers<void>()
  receiver.answer(async () => {
    await isChanged
    return { status: 500 }
  })
  const id = await subscribe()
  await raise(8)
  await receiver.got(5)
  await inTransaction(db, (tx) => engine.subscriptions.replace(tx, id, { ...settings, url: listener.url }))
  changed()
  await vi.waitFor(async () => {
    const ends = await deliveriesOf(id)
    expect(ends.every(({ attempts }) => attempts > 0)).toBe(true)
    expect(await leased()).toEqual([])
  }, soon)
  expect(await row(id)).toMatchObject({ health: 'healthy', failures: 0 })
})

test('one that the engine switched off does not come back once its owner has lost access', async () => {
  await start({ failingAfter: 1, disabledAfterMs: 0, probeEveryMs: 200 })
  receiver.answer({ status: 500 })
  const id = await subscribe()
  await raise(1)
  await vi.waitFor(async () => expect(await row(id)).toMatchObject({ disabledReason: 'failing' }), soon)
  const { promise: isOff, resolve: off } = Promise.withResolvers<void>()
  receiver.received.length = 0
  receiver.answer(async () => {
    await isOff
    return { status: 500 }
  })
  // While a probe is under way, no other one can begin.
  await receiver.got(1)
  await inTransaction(db, (tx) => engine.subscriptions.switchOff(tx, [id], 'owner lost access'))
  off()
  await vi.waitFor(async () => expect(await leased()).toEqual([]), soon)
  receiver.answer({})
  receiver.received.length = 0
  await raise(1)
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(receiver.received).toEqual([])
  expect(await row(id)).toMatchObject({ isActive: false, disabledReason: 'owner lost access' })
})

describe('a change of its settings', { timeout: 30_000 }, () => {
  const off = async (fields: object): Promise<number> => {
    const id = await subscribe()
    await db
      .updateTable('subscriptions')
      .set({
        isActive: false,
        health: 'disabled',
        disabledReason: 'gone',
        disabledAt: new Date(),
        failures: 3,
        alertedAt: new Date(),
        alertedChange: 'disabled',
        ...fields,
      })
      .where('id', '=', id)
      .execute()
    return id
  }
  const replace = (id: number, fields: Partial<typeof settings>): Promise<void> =>
    inTransaction(db, (tx) => engine.subscriptions.replace(tx, id, { ...settings, url: receiver.url, ...fields }))

  test('does not turn one that the engine switched off into one that its owner did', async () => {
    await start()
    const id = await off({})
    await replace(id, { isActive: false, rateLimit: { perSecond: 5, burst: 1 } })
    expect(await row(id)).toMatchObject({ disabledReason: 'gone', health: 'disabled', failures: 3 })
    await raise(1)
    expect(await statusesOf(id)).toEqual({ held: 1 })
  })

  test('does not end the quiet that its receiver asked for, unless the address changes', async () => {
    await start()
    const id = await subscribe()
    const holdUntil = new Date(Date.now() + 3_600_000)
    await db.updateTable('subscriptions').set({ holdUntil }).where('id', '=', id).execute()
    await replace(id, { isActive: true })
    expect((await row(id)).holdUntil).toEqual(holdUntil)
    await replace(id, { url: listener.url })
    expect((await row(id)).holdUntil).toBeNull()
  })

  test('that switches it on again tries one delivery, and tells when that succeeds', async () => {
    await start()
    const id = await off({})
    await replace(id, {})
    expect((await row(id)).health).toBe('probing')
    receiver.answer({ delayMs: 200 })
    await raise(5)
    await receiver.got(1)
    expect(receiver.received).toHaveLength(1)
    await vi.waitFor(async () => expect(await statusesOf(id)).toEqual({ delivered: 5 }), soon)
    expect(await row(id)).toMatchObject({ health: 'healthy' })
    expect(notices.map(({ change }) => change)).toEqual(['recovered'])
  })

  test('that switches it on although it still fails leaves it failing, with short pauses', async () => {
    await start()
    receiver.answer({ status: 500 })
    const id = await off({})
    await replace(id, { retry: { choice: 'fixed', kwargs: { seconds: 1 } } })
    await raise(1)
    await receiver.got(2)
    expect(await row(id)).toMatchObject({ health: 'failing', isActive: true })
  })
})

test('one that listens to the health of webhooks raises no such events itself', { timeout: 20_000 }, async () => {
  await start({ failingAfter: 1 })
  let requests = 0
  receiver.answer(() => ({ status: (requests += 1) % 2 === 1 ? 500 : 200 }))
  const retry = { choice: 'fixed', kwargs: { seconds: 0 } } as const
  await subscribe({ retry, eventTypes: ['webhook.recovered', 'webhook.failing', 'package.created'] })
  await raise(1)
  await vi.waitFor(() => expect(notices.map(({ change }) => change)).toEqual(['failing', 'recovered']), soon)
  const events = await db.selectFrom('events').select('type').execute()
  expect(events).toEqual([{ type: 'package.created' }])
})

test('people are not told of every turn of one that goes up and down', { timeout: 20_000 }, async () => {
  await start({ failingAfter: 1 })
  let requests = 0
  receiver.answer(() => ({ status: (requests += 1) % 2 === 1 ? 500 : 200 }))
  const id = await subscribe({ retry: { choice: 'fixed', kwargs: { seconds: 0 } } })
  for (let time = 1; time <= 3; time++) {
    await raise(1)
    await vi.waitFor(async () => expect(await statusesOf(id)).toEqual({ delivered: time }), soon)
  }
  expect(notices.map(({ change }) => change)).toEqual(['failing', 'recovered'])
})

test('the pause of a breaker ends when it ends, not when somebody looks', { timeout: 30_000 }, async () => {
  await start({ failingAfter: 1, on: withoutLooks(database) })
  receiver.answer({ status: 500 })
  const id = await subscribe({ retry: { choice: 'fixed', kwargs: { seconds: 1 } } })
  await raise(3)
  await receiver.got(5, 15_000)
  expect((await row(id)).health).toBe('failing')
})
