import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { hourMs, systemClock } from '#platform/clock.ts'
import { makeDeliveries } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import type { DeliveryStatus } from '../tables/tables.ts'
import { firstIdOf } from '../tables/time-id.ts'
import { readRecentActivity } from './subscription-activity.ts'

const { db } = await openTestDatabase()
const { subscribe, queue } = makeDeliveries({ db, clock: systemClock })
const now = new Date('2026-10-02T00:30:00Z')

const subscribeWith = async (rows: readonly { ago: number; status: DeliveryStatus }[]): Promise<number> => {
  const subscriptionId = await subscribe()
  const [model = 0] = await queue(subscriptionId, 1)
  const copies = rows.map(({ ago, status }, index) => ({ id: firstIdOf(now) - ago * 4_096 + (index % 4_096), status }))
  await sql`
    insert into deliveries select (jsonb_populate_record(model, to_jsonb(copy))).*
    from deliveries model, json_to_recordset(${JSON.stringify(copies)}::json) as copy(id bigint, status text)
    where model.id = ${model}`.execute(db)
  return subscriptionId
}

test('each subscription has 24 hours that end now, with what arrived and what failed in each', async () => {
  const one = await subscribeWith([
    { ago: 0, status: 'delivered' },
    { ago: hourMs - 1, status: 'failed' },
    { ago: hourMs, status: 'failed' },
    { ago: hourMs, status: 'pending' },
    { ago: 24 * hourMs - 1, status: 'delivered' },
    { ago: 24 * hourMs, status: 'delivered' },
  ])
  const other = await subscribeWith([{ ago: 5, status: 'failed' }])
  const none = await subscribe()
  const activity = await readRecentActivity(db, [one, other, none], now)
  const { hours = [], isExact } = activity.get(one) ?? {}
  expect([hours.length, isExact]).toEqual([24, true])
  expect(hours[23]).toEqual({ delivered: 1, failed: 1 })
  expect(hours[22]).toEqual({ delivered: 0, failed: 1 })
  expect(hours[0]).toEqual({ delivered: 1, failed: 0 })
  expect(hours.slice(1, 22).every(({ delivered, failed }) => delivered + failed === 0)).toBe(true)
  expect(activity.get(other)?.hours[23]).toEqual({ delivered: 0, failed: 1 })
  expect(activity.get(none)?.hours).toHaveLength(24)
})

test('an hour with more than are looked at is estimated, and that is said', async () => {
  const busy = await subscribeWith(
    Array.from({ length: 400 }, (_, nth) => ({
      ago: hourMs + Math.floor((nth * hourMs) / 400),
      status: nth % 4 === 0 ? ('failed' as const) : ('delivered' as const),
    })),
  )
  const { hours = [], isExact } = (await readRecentActivity(db, [busy], now, 100)).get(busy) ?? {}
  expect(isExact).toBe(false)
  const { delivered = 0, failed = 0 } = hours[22] ?? {}
  expect([Math.abs(delivered - 300) < 30, Math.abs(failed - 100) < 30]).toEqual([true, true])
})
