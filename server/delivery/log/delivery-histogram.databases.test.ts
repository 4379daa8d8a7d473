import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { makeDeliveries } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { firstIdOf } from '../tables/time-id.ts'
import type { DeliveryStatus } from '../tables/tables.ts'
import { readHistogram, type CutRange } from './delivery-histogram.ts'

const { db } = await openTestDatabase()
const { subscribe, queue, clear } = makeDeliveries({ db, clock: systemClock })
beforeEach(clear)

const hourMs = 3_600_000
const from = new Date('2026-10-01T00:00:00Z')
const to = new Date(from.getTime() + 10 * hourMs)
const range: CutRange = { from, to, bucketMs: hourMs }
const at = (ms: number): number => firstIdOf(from) + ms * 4_096

/** Copies the only delivery of a subscription to other times. @returns the subscription. */
const makeLog = async (rows: readonly { ms: number; status: DeliveryStatus; attempts?: number }[]): Promise<number> => {
  const subscriptionId = await subscribe()
  const [model = 0] = await queue(subscriptionId, 1)
  const copies = rows.map(({ ms, attempts = 0, ...row }, index) => ({ id: at(ms) + (index % 4_096), attempts, ...row }))
  await sql`
    insert into deliveries
    select (jsonb_populate_record(model, to_jsonb(copy))).*
    from deliveries model, json_to_recordset(${JSON.stringify(copies)}::json) as copy(id bigint, status text, attempts integer)
    where model.id = ${model}`.execute(db)
  return subscriptionId
}

const none = { pending: 0, delivered: 0, failed: 0, cancelled: 0, held: 0, waiting: 0, retrying: 0 }

test('each delivery is counted in the part that it was made in, the first moment in and the last one not', async () => {
  const id = await makeLog([
    { ms: -1, status: 'failed' },
    { ms: 0, status: 'delivered' },
    { ms: hourMs - 1, status: 'held' },
    { ms: hourMs, status: 'pending' },
    { ms: hourMs, status: 'pending', attempts: 2 },
    { ms: 10 * hourMs - 1, status: 'waiting' },
    { ms: 10 * hourMs, status: 'cancelled' },
  ])
  const { buckets, total, isExact } = await readHistogram(db, { subscriptionIds: [id] }, range)
  expect(isExact).toBe(true)
  expect(buckets).toHaveLength(10)
  expect(buckets[0]).toEqual({ at: from, ...none, delivered: 1, held: 1 })
  expect(buckets[1]).toEqual({ at: new Date(from.getTime() + hourMs), ...none, pending: 2, retrying: 1 })
  expect(buckets[9]).toMatchObject({ ...none, waiting: 1 })
  expect(total).toEqual({ ...none, delivered: 1, held: 1, pending: 2, retrying: 1, waiting: 1 })
})

test('a filter leaves out what it leaves out of the list, and others’ deliveries are not counted', async () => {
  const id = await makeLog([
    { ms: 5, status: 'failed' },
    { ms: 5, status: 'delivered' },
  ])
  await makeLog([{ ms: 6, status: 'failed' }])
  const failed = await readHistogram(db, { subscriptionIds: [id], statuses: ['failed'] }, range)
  expect(failed.total).toEqual({ ...none, failed: 1 })
  expect((await readHistogram(db, { subscriptionIds: [] }, range)).total).toEqual(none)
})

test('the last part ends with the range', async () => {
  const id = await makeLog([{ ms: 9.9 * hourMs, status: 'failed' }])
  const shorter = { from, to: new Date(from.getTime() + 9.5 * hourMs), bucketMs: hourMs }
  const { buckets, total } = await readHistogram(db, { subscriptionIds: [id] }, shorter)
  expect([buckets.length, total.failed]).toEqual([10, 0])
})

test('of more than may be counted the rest is estimated, bucket by bucket, and said to be', async () => {
  // Twice as many in each hour as in the one before, one of five failed.
  const rows = Array.from({ length: 10 }, (_, hour) => {
    const count = 20 * 2 ** (hour % 5)
    return Array.from({ length: count }, (__, nth) => ({
      ms: Math.floor((hour + nth / count) * hourMs),
      status: nth % 5 === 0 ? ('failed' as const) : ('delivered' as const),
    }))
  })
  const id = await makeLog(rows.flat())
  const exact = await readHistogram(db, { subscriptionIds: [id] }, range)
  const guessed = await readHistogram(db, { subscriptionIds: [id] }, range, { exactly: 500, sampled: 400 })
  expect([exact.isExact, guessed.isExact]).toEqual([true, false])
  expect(exact.total).toEqual({ ...none, delivered: 992, failed: 248 })
  for (const [index, bucket] of guessed.buckets.entries()) {
    const { delivered = 0, failed = 0 } = exact.buckets[index] ?? {}
    expect(Math.abs(bucket.delivered + bucket.failed - delivered - failed)).toBeLessThanOrEqual(
      (delivered + failed) / 10,
    )
  }
  expect(Math.abs(guessed.total.failed - 248)).toBeLessThan(60)
  // Where a place has no more than is looked at, nothing is estimated.
  expect(guessed.buckets[0]).toEqual(exact.buckets[0])
})
