import { beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { endOf, makeDeliveries } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { claimOne } from '#delivery/queue/claim.ts'
import { finish, isReportable, type AttemptResult } from '#delivery/queue/finish.ts'
import { readFailures } from './failed-deliveries-store.ts'
import { hasResults, takeResults } from './unreported-store.ts'

const database = await openTestDatabase()
const { db } = database
const clock = makeFakeClock()
const { subscribe, queue, clear } = makeDeliveries({ db, clock })
const failed = { status: 'failed', outcome: 'failed', responseStatus: 500, reason: 'http_500' } as const

beforeEach(async () => {
  await clear()
  await db.deleteFrom('unreportedFailures').execute()
})

/** Makes an attempt of a delivery end. @returns whether it is said to be reportable. */
const end = async (id: number, fields: Partial<AttemptResult> = {}): Promise<boolean> => {
  const claimed = await claimOne(db, clock.now(), id)
  if (claimed === undefined) throw new Error(`Delivery ${id} cannot be claimed.`)
  const finished = endOf(claimed, clock.now(), fields)
  await finish(db, [finished])
  return isReportable(finished)
}
const take = (limit = 100) => inTransaction(db, (tx) => takeResults(tx, limit, clock.now()))
const make = async (count = 1): Promise<number[]> => queue(await subscribe(), count)

describe('results that are reported', () => {
  test('are failures, and what arrives after it was tried before; nothing else', async () => {
    const [once = 0, late = 0, lost = 0, open = 0, again = 0] = await make(5)
    const reportable = [
      await end(once),
      await end(late, { status: 'pending', outcome: 'retry', nextAttemptAt: clock.now() }),
      await end(late),
      await end(lost, failed),
      await end(open, { status: 'failed', outcome: 'unknown' }),
      await end(again, { status: 'delivered' }),
      // Sent again by hand, and not received: it was delivered all the same.
      await end(again, { status: 'delivered', outcome: 'failed' }),
    ]
    expect(reportable).toEqual([false, false, true, true, false, false, false])
    expect(await hasResults(db, clock.now())).toBe(true)
    expect(await take()).toEqual([
      { deliveryId: late, status: 'delivered', endedAt: clock.now() },
      { deliveryId: lost, status: 'failed', endedAt: clock.now() },
    ])
    expect([await hasResults(db, clock.now()), await take()]).toEqual([false, []])
  })

  test('are taken in their order, the last one of each delivery, and come back when the taker dies', async () => {
    const [first = 0, second = 0] = await make(2)
    await end(first, failed)
    await end(second, failed)
    await end(first, { status: 'delivered' })
    await expect(
      inTransaction(db, async (tx) => {
        expect(await takeResults(tx, 100, clock.now())).toHaveLength(2)
        throw new Error('the process dies')
      }),
    ).rejects.toThrow('the process dies')
    expect(await take(1)).toMatchObject([{ deliveryId: first, status: 'failed' }])
    expect(await take()).toMatchObject([
      { deliveryId: second, status: 'failed' },
      { deliveryId: first, status: 'delivered' },
    ])
  })

  test.runIf(database.engine === 'postgres')('are taken by one at a time', async () => {
    const [id = 0] = await make()
    await end(id, failed)
    await inTransaction(db, async (tx) => {
      expect(await takeResults(tx, 100, clock.now())).toHaveLength(1)
      expect(await take()).toEqual([])
    })
    expect(await take()).toEqual([])
  })

  test('do not come from a lease that was lost', async () => {
    const [id = 0] = await make()
    const claimed = await claimOne(db, clock.now(), id)
    if (claimed === undefined) throw new Error('It cannot be claimed.')
    await finish(db, [endOf({ ...claimed, token: claimed.token + 1 }, clock.now(), failed)])
    expect(await take()).toEqual([])
  })
})

describe('what is read of a failure', () => {
  test('is the event and the last failed attempt, with no more of the body than is kept', async () => {
    const [id = 0] = await make()
    await end(id, { ...failed, responseBody: 'old' })
    clock.advance(1_000)
    const headers = { 'content-type': 'application/json' }
    await end(id, {
      ...failed,
      detail: 'Broken',
      requestHeaders: headers,
      responseHeaders: headers,
      responseBody: 'new',
    })
    await end(id, { status: 'delivered' })
    const { eventId } = await db
      .selectFrom('deliveries')
      .select('eventId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await db
      .updateTable('events')
      .set({ body: 'é'.repeat(100_000) })
      .where('id', '=', eventId)
      .execute()
    const [failure] = await inTransaction(db, (tx) => readFailures(tx, [id, id + 1]))
    expect(failure).toMatchObject({
      id,
      scope: 'back-office',
      event: { type: 'package.created', objectType: 'package', content: { kind: 'json', bytes: 200_000 } },
      last: {
        reason: 'http_500',
        detail: 'Broken',
        responseStatus: 500,
        requestHeaders: headers,
        responseHeaders: headers,
        responseBody: 'new',
      },
    })
    expect(failure?.event?.content).toHaveProperty('text', 'é'.repeat(65_536))
  })

  test('of raw content is what it is; of an event that is gone, that', async () => {
    const [raw = 0, gone = 0] = await make(2)
    await end(raw, failed)
    await end(gone, failed)
    const eventOf = (id: number) => db.selectFrom('deliveries').select('eventId').where('id', '=', id)
    await db
      .updateTable('events')
      .set({ contentType: 'application/pdf', body: Buffer.alloc(1_000).toString('base64url') })
      .where('id', '=', eventOf(raw))
      .execute()
    await db.deleteFrom('events').where('id', '=', eventOf(gone)).execute()
    const failures = await inTransaction(db, (tx) => readFailures(tx, [raw, gone]))
    expect(failures.toSorted((one, other) => one.id - other.id)).toMatchObject([
      { id: raw, event: { content: { kind: 'raw', mediaType: 'application/pdf', bytes: 1_000 } } },
      { id: gone, event: undefined },
    ])
  })
})
