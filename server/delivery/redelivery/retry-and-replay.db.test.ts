import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeRedeliveriesWorld } from '#testing/data/make-redeliveries-world.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import type { DeliveryStatus } from '../tables/tables.ts'

const { db } = await openTestDatabase()
const world = makeRedeliveriesWorld(db)
const {
  redeliveries,
  subscriptions,
  now,
  process,
  job,
  woken,
  subscribe,
  queue,
  raise,
  find,
  recover,
  retry,
  replay,
  runToEnd,
  endAs,
  lease,
  switchOn,
  stored,
  setAll,
} = world
beforeEach(world.clear)

describe('a retry', () => {
  test.each<[string, boolean, DeliveryStatus[]]>([
    ['what failed or is held', false, ['failed', 'held']],
    ['with force also what was delivered', true, ['failed', 'held', 'delivered']],
  ])('puts back %s', async (_, force, statuses) => {
    const subscription = await subscribe()
    const all: DeliveryStatus[] = ['pending', 'delivered', 'failed', 'cancelled', 'held']
    const ids = await queue(subscription, all.length)
    for (const [index, id] of ids.entries()) await endAs(id, all[index] ?? 'pending')
    expect(
      await inTransaction(db, (tx) =>
        redeliveries.countRetry(tx, { filter: { subscriptionIds: [subscription] }, force }),
      ),
    ).toMatchObject({
      count: statuses.length,
      isExact: true,
    })
    const id = await retry([subscription], { force })
    await runToEnd(id)
    expect(await job(id)).toMatchObject({
      kind: 'retry',
      total: statuses.length,
      queued: statuses.length,
      status: 'done',
    })
    const changed = (await stored(subscription)).filter(({ attemptsBefore }) => attemptsBefore > 0)
    expect(changed.map((row) => row.id)).toEqual(ids.filter((_id, index) => statuses.includes(all[index] ?? 'pending')))
    expect(changed.every(({ status, lane }) => status === 'pending' && lane === 1)).toBe(true)
  })

  test('keeps to its filter', async () => {
    const [one, two] = [await subscribe(), await subscribe()]
    await queue(one, 3)
    await setAll(one, 'failed')
    await setAll(two, 'failed')
    const [, middle] = await stored(one)
    const object = await db
      .selectFrom('events')
      .select('objectId')
      .where('id', '=', middle?.eventId ?? 0)
      .executeTakeFirstOrThrow()
    const filter = { subscriptionIds: [one], objectType: 'package', objectId: object.objectId ?? '' }
    await runToEnd(await retry([one], { filter }))
    const pending = await db.selectFrom('deliveries').select('id').where('status', '=', 'pending').execute()
    expect(pending).toEqual([{ id: middle?.id }])
  })

  test('keeps to the times of its filter', async () => {
    const subscription = await subscribe()
    const [early = 0] = await queue(subscription, 1)
    await sleep(5)
    const between = new Date()
    await sleep(5)
    const [late = 0] = await queue(subscription, 1)
    await setAll(subscription, 'failed')
    await runToEnd(await retry([subscription], { filter: { subscriptionIds: [subscription], createdFrom: between } }))
    expect(await find(early)).toMatchObject({ status: 'failed' })
    expect(await find(late)).toMatchObject({ status: 'pending' })
    await setAll(subscription, 'failed')
    await runToEnd(await retry([subscription], { filter: { subscriptionIds: [subscription], createdBefore: between } }))
    expect(await find(early)).toMatchObject({ status: 'pending' })
    expect(await find(late)).toMatchObject({ status: 'failed' })
  })

  test('leaves out what came after its start, and subscriptions that are gone', async () => {
    const [one, two] = [await subscribe(), await subscribe()]
    await queue(one, 2)
    await setAll(one, 'failed')
    await setAll(two, 'failed')
    const id = await retry([one, two])
    expect(await job(id)).toMatchObject({ total: 4 })
    const [late = 0] = await queue(one, 1)
    await setAll(one, 'failed')
    await inTransaction(db, (tx) => subscriptions.remove(tx, two))
    await runToEnd(id)
    expect(await find(late)).toMatchObject({ status: 'failed' })
    expect((await stored(one)).map(({ status }) => status)).toEqual(['pending', 'pending', 'failed'])
    expect((await stored(two)).some(({ status }) => status === 'pending')).toBe(false)
    expect(await job(id)).toMatchObject({ status: 'done', queued: 2 })
  })

  test('does not touch what is being attempted, and goes on behind it when that has ended', async () => {
    const subscription = await subscribe()
    const [first = 0, second = 0, third = 0] = await queue(subscription, 3)
    await setAll(subscription, 'failed')
    await lease(second, new Date(now().getTime() + 1_500))
    const id = await retry([subscription])
    await redeliveries.runDue()
    expect((await stored(subscription)).map(({ status }) => status)).toEqual(['pending', 'failed', 'failed'])
    await runToEnd(id)
    for (const one of [first, second, third]) expect(await find(one)).toMatchObject({ status: 'pending' })
    expect(await job(id)).toMatchObject({ queued: 3 })
  })

  test('leaves out a delivery whose event is dropped already', async () => {
    const subscription = await subscribe()
    const [first = 0, second = 0] = await queue(subscription, 2)
    await setAll(subscription, 'failed')
    await db
      .deleteFrom('events')
      .where('id', '=', (await find(first)).eventId)
      .execute()
    const id = await retry([subscription])
    await runToEnd(id)
    expect(await find(first)).toMatchObject({ status: 'failed' })
    expect(await find(second)).toMatchObject({ status: 'pending' })
    expect(await job(id)).toMatchObject({ status: 'done', queued: 1 })
  })

  test('of nothing is not started', async () => {
    const subscription = await subscribe()
    await queue(subscription, 1)
    expect(await retry([subscription])).toBeUndefined()
    expect(await retry([])).toBeUndefined()
  })
})

describe('one event again', () => {
  test('goes to every given subscription that listens to it now: delivered or not, there or missing', async () => {
    const [delivered, failed, held, pending, leased] = [
      await subscribe(),
      await subscribe(),
      await subscribe(),
      await subscribe(),
      await subscribe(),
    ]
    await raise()
    const { id: event } = await db.selectFrom('events').select('id').executeTakeFirstOrThrow()
    await setAll(delivered, 'delivered')
    await setAll(failed, 'failed')
    await setAll(held, 'held')
    await setAll(leased, 'delivered')
    await lease((await stored(leased))[0]?.id ?? 0, new Date(now().getTime() + 30_000))
    const late = await subscribe()
    const off = await subscribe({ isActive: false })
    const deaf = await subscribe({ eventTypes: ['shipment.created'] })
    const foreign = await subscribe({ scope: 'project:a' })
    const uninvited = await subscribe()
    const given = [late, delivered, failed, held, pending, leased, off, deaf, foreign, 999_999]
    expect(await replay(event, given)).toEqual([delivered, failed, held, late])
    expect(woken()).toEqual([[[delivered, failed, held, late], 1]])
    for (const id of [delivered, failed, held])
      expect(await stored(id)).toMatchObject([{ status: 'pending', lane: 1, attemptsBefore: 3 }])
    expect(await stored(late)).toMatchObject([{ status: 'pending', lane: 1, attempts: 0, eventId: event }])
    expect(await stored(leased)).toMatchObject([{ status: 'delivered', leaseToken: 7 }])
    for (const id of [off, deaf, foreign, uninvited]) expect(await stored(id)).toEqual([])
    // What is due now is left alone.
    expect(await replay(event, given)).toEqual([])
  })

  test('asked for many times at once is queued once', async () => {
    const subscription = await subscribe({ isActive: false })
    await raise()
    await switchOn(subscription)
    const { id: event } = await db.selectFrom('events').select('id').executeTakeFirstOrThrow()
    const recovery = await recover(subscription)
    await Promise.all([
      ...Array.from({ length: 8 }, () => replay(event, [subscription])),
      ...Array.from({ length: 4 }, () => process().runDue()),
    ])
    await runToEnd(recovery)
    expect(await stored(subscription)).toHaveLength(1)
  })

  test('that there is not, goes nowhere', async () => {
    expect(await replay(1, [await subscribe()])).toEqual([])
  })
})
