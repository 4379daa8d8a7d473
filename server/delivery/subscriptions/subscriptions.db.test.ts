import { sql } from 'kysely'
import { createHmac } from 'node:crypto'
import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeVault } from '#platform/crypto/vault.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { endOf, makeDeliveries, settings, testVault } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { attemptsOf } from '../log/delivery-log.ts'
import { claim } from '../queue/claim.ts'
import { finish } from '../queue/finish.ts'
import { cancelOrphans } from '../queue/queue.ts'
import { makeReceivers } from '../attempt/receivers.ts'
import { whispererSignature } from '../attempt/signing.ts'
import type { SubscriptionSettings } from '../subscriber/subscription.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const log = pino({ level: 'silent' })
const woken: [ids: readonly number[], lane: number | undefined][] = []
const { subscriptions, subscribe, queue, raise, find, append, clear } = makeDeliveries({
  db,
  clock,
  wake: (ids, lane) => woken.push([ids, lane]),
})
beforeEach(async () => {
  await clear()
  woken.length = 0
})

const full: SubscriptionSettings = {
  scope: 'project:64f0',
  dialect: 'whisperer',
  envelope: 'standard',
  eventTypes: ['package.created', 'package.status.packed'],
  url: 'https://shop.example/hooks?a=1',
  headers: { 'X-Shop': 'kuzey 🎁' },
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  signature: 'v1',
  auth: { auth_type: 'basic', username: 'ayşe', password: 'p:ss' },
  retry: { choice: 'exponential', kwargs: { base: 3, factor: 2, limit: 900 } },
  isActive: true,
  rateLimit: { perSecond: 2.5, burst: 4 },
  maxAttempts: 7,
  order: 'object',
  filter: { status: ['packed', 'shipped'], 'order.total': { gt: 100 } },
  extraConfig: { tenant: 'kuzey' },
}
const read = (id: number) => subscriptions.find(db, id)
const row = (id: number) => db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const replace = (id: number, by: SubscriptionSettings) => inTransaction(db, (tx) => subscriptions.replace(tx, id, by))
const remove = (id: number) => inTransaction(db, (tx) => subscriptions.remove(tx, id))
const claimAll = (subscriptionId: number) => claim(db, clock.now(), [{ subscriptionId, lane: 0, limit: 100 }])

describe('a subscription', () => {
  test('is read back as it was made', async () => {
    const id = await subscribe(full)
    expect(await read(id)).toEqual({ ...full, id, version: 1 })
  })

  test('keeps nothing readable that opens a door elsewhere', async () => {
    const id = await subscribe(full)
    const text = JSON.stringify(await row(id))
    for (const secret of ['MfKQ9r8', 'p:ss', 'ayşe', 'kuzey', 'X-Shop', 'shop.example'])
      expect(text).not.toContain(secret)
  })

  test('is replaced as a whole, with a new version and without what its receiver asked for', async () => {
    const id = await subscribe(full)
    await db
      .updateTable('subscriptions')
      .set({ disabledReason: 'gone', isActive: false, holdUntil: clock.now() })
      .where('id', '=', id)
      .execute()
    await replace(id, settings)
    expect(await read(id)).toEqual({
      ...settings,
      maxAttempts: null,
      filter: null,
      order: 'none',
      extraConfig: {},
      id,
      version: 2,
    })
    expect(await row(id)).toMatchObject({ disabledReason: null, holdUntil: null })
    // New deliveries and retries.
    expect(woken).toEqual([
      [[id], 0],
      [[id], 1],
    ])
  })

  test('that is replaced in a transaction that fails stays as it was, and wakes nobody', async () => {
    const id = await subscribe(full)
    const failing = inTransaction(db, async (tx) => {
      await subscriptions.replace(tx, id, settings)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await read(id)).toEqual({ ...full, id, version: 1 })
    expect(woken).toEqual([])
  })

  test('that listens twice to the same event gets it once', async () => {
    const id = await subscribe({ eventTypes: ['package.created', 'package.created'] })
    expect((await read(id))?.eventTypes).toEqual(['package.created'])
    await raise()
    expect(await claimAll(id)).toHaveLength(1)
  })

  test('that does not exist is undefined', async () => {
    expect(await read(999_999)).toBeUndefined()
  })
})

describe('a subscription that ends', () => {
  test('is gone, its due deliveries are cancelled, and its history stays', async () => {
    const id = await subscribe()
    const [done = 0, due = 0] = await queue(id, 2)
    const [first] = await claim(db, clock.now(), [{ subscriptionId: id, lane: 0, limit: 1 }])
    if (first !== undefined) await finish(db, [endOf(first, clock.now())])
    await remove(id)
    expect(await read(id)).toBeUndefined()
    expect(await find(done)).toMatchObject({ status: 'delivered' })
    expect(await find(due)).toMatchObject({ status: 'cancelled', lastReason: 'unsubscribed', attempts: 0 })
    expect(await attemptsOf(db, done)).toHaveLength(1)
    expect(await claimAll(id)).toEqual([])
    await raise()
    expect(await claimAll(id)).toEqual([])
  })

  test('while a delivery is in flight cancels that one too: its end changes nothing', async () => {
    const id = await subscribe()
    const [delivery = 0] = await queue(id, 1)
    const [inFlight] = await claimAll(id)
    await remove(id)
    if (inFlight !== undefined)
      await finish(db, [endOf(inFlight, clock.now(), { status: 'pending', nextAttemptAt: clock.now() })])
    expect(await find(delivery)).toMatchObject({ status: 'cancelled', leaseToken: null, leasedUntil: null })
  })

  test('with much due cancels some at once, and the rest step by step', async () => {
    const id = await subscribe()
    const [first = 0] = await queue(id, 1)
    await sql`
      insert into deliveries (id, event_id, subscription_id, next_attempt_at)
      select id + number, event_id, subscription_id, next_attempt_at
      from deliveries, generate_series(1, 12000) number where id = ${first}`.execute(db)
    await remove(id)
    const waiting = () => db.selectFrom('deliveries').select('id').where('status', '=', 'pending').execute()
    expect(await waiting()).toHaveLength(7_001)
    expect(await claimAll(id)).toEqual([])
    expect(await cancelOrphans(db, clock.now())).toBe(7_001)
    expect(await waiting()).toEqual([])
  })

  // On the embedded database there is never a second transaction open.
  test.runIf(process.env['TEST_ENGINE'] === 'postgres')(
    'while another transaction queues for it leaves an orphan that is cancelled later',
    async () => {
      const id = await subscribe()
      await inTransaction(db, async (tx) => {
        await append(tx)
        await remove(id)
      })
      expect(await cancelOrphans(db, clock.now())).toBe(1)
      const statuses = await db.selectFrom('deliveries').select('status').where('subscriptionId', '=', id).execute()
      expect(statuses).toEqual([{ status: 'cancelled' }])
    },
  )

  test('cannot be brought back', async () => {
    const id = await subscribe()
    await remove(id)
    await replace(id, settings)
    expect(await read(id)).toBeUndefined()
    await raise()
    expect(await claimAll(id)).toEqual([])
  })
})

describe('receivers are kept', () => {
  const wanted = (subscriptionId: number, version: number) => [{ subscriptionId, version }]

  test('ready to send, with their keys', async () => {
    const id = await subscribe(full)
    const receivers = makeReceivers({ db, vault: testVault, log })
    expect(receivers.get(id)).toBeUndefined()
    await receivers.load(wanted(id, 1))
    const { eventTypes: _, ...sent } = full
    expect(receivers.get(id)).toMatchObject({ ...sent, id, version: 1 })
    const keys = receivers.get(id)?.keys
    expect(keys?.whisperer && whispererSignature(keys.whisperer, '{}')).toBe(
      `sha256=${createHmac('sha256', full.secret ?? '')
        .update('{}')
        .digest('hex')}`,
    )
  })

  test('until another version is wanted', async () => {
    const id = await subscribe(full)
    const receivers = makeReceivers({ db, vault: testVault, log })
    await receivers.load(wanted(id, 1))
    const first = receivers.get(id)
    await receivers.load(wanted(id, 1))
    expect(receivers.get(id)).toBe(first)

    await replace(id, settings)
    await receivers.load(wanted(id, 1))
    expect(receivers.get(id)).toBe(first)
    await receivers.load(wanted(id, 2))
    expect(receivers.get(id)).toMatchObject({ url: settings.url, secret: null, keys: null, version: 2 })
  })

  test('of several subscriptions at once, loading only what is missing', async () => {
    const [one, two] = [await subscribe(full), await subscribe()]
    const receivers = makeReceivers({ db, vault: testVault, log })
    await receivers.load(wanted(one, 1))
    const first = receivers.get(one)
    await receivers.load([...wanted(one, 1), ...wanted(two, 1), ...wanted(two, 1)])
    expect(receivers.get(one)).toBe(first)
    expect(receivers.get(two)).toMatchObject({ id: two })
  })

  test('but not one whose secrets cannot be read, which does not keep the others from being loaded', async () => {
    const [sealedElsewhere, readable] = [await subscribe(), await subscribe(full)]
    const sealed = makeVault('another key, of another installation').seal('{"headers":null,"secret":null,"auth":null}')
    await db.updateTable('subscriptions').set({ sealed }).where('id', '=', sealedElsewhere).execute()
    const receivers = makeReceivers({ db, vault: testVault, log })
    await receivers.load([...wanted(sealedElsewhere, 1), ...wanted(readable, 1)])
    expect(receivers.get(readable)).toBeDefined()
    expect(receivers.get(sealedElsewhere)).toBeUndefined()
  })
})
