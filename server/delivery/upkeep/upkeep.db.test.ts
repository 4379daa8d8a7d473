import { sql } from 'kysely'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeDeliveries } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { measureBacklog } from './backlog.ts'
import { claim } from '../queue/claim.ts'
import { makeUpkeep } from './upkeep.ts'
import { makeUpkeepGauges } from './upkeep-gauges.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const { subscribe, queue, raise, clear } = makeDeliveries({ db, clock })
beforeEach(clear)

const setSubscription = (id: number, fields: string) =>
  sql`update subscriptions set ${sql.raw(fields)} where id = ${id}`.execute(db)
const after = (seconds: number): string => `'${new Date(clock.now().getTime() + seconds * 1_000).toISOString()}'`
const measure = () => measureBacklog(db, clock.now())

describe('the backlog', () => {
  test('is nothing at first', async () => {
    expect(await measure()).toEqual({ due: 0, waiting: 0, oldestDueAt: null, subscriptions: {} })
  })

  test('is what is due of all subscriptions, and since when the oldest has been', async () => {
    const since = clock.now()
    const [one] = [await subscribe(), await subscribe()]
    await raise()
    clock.advance(5_000)
    await raise()
    const [late = 0] = await queue(one, 1)
    await sql`update deliveries set next_attempt_at = ${sql.raw(after(60))}, lane = 1 where id = ${late}`.execute(db)
    expect(await measure()).toEqual({ due: 5, waiting: 0, oldestDueAt: since, subscriptions: { healthy: 2 } })
    clock.advance(60_000)
    expect((await measure()).due).toBe(6)
  })

  test('is as old as the oldest that could go: not held back, not under way', async () => {
    const [busy, held, paused, limited, off] = [
      await subscribe(),
      await subscribe(),
      await subscribe(),
      await subscribe(),
      await subscribe(),
    ]
    await raise()
    await claim(db, clock.now(), [{ subscriptionId: busy, lane: 0, limit: 1 }])
    await setSubscription(held, `hold_until = ${after(10)}`)
    await setSubscription(paused, `paused_until = ${after(20)}, health = 'failing'`)
    await setSubscription(limited, `rate_per_second = 1, rate_burst = 1, rate_full_at = ${after(30)}`)
    await setSubscription(off, `is_active = false, disabled_reason = 'failing', health = 'disabled'`)
    const start = clock.now().getTime()
    const agesAt: [number, number | null][] = []
    for (let second = 0; second <= 40; second += 5) {
      const { oldestDueAt } = await measure()
      agesAt.push([second, oldestDueAt === null ? null : (oldestDueAt.getTime() - start) / 1_000])
      clock.advance(5_000)
    }
    // The one under way is due again when its lease has run out.
    expect(agesAt).toEqual([
      [0, null],
      [5, null],
      [10, 10],
      [15, 10],
      [20, 10],
      [25, 10],
      [30, 0],
      [35, 0],
      [40, 0],
    ])
    await setSubscription(off, `disabled_reason = 'owner_inactive'`)
    expect((await measure()).subscriptions).toEqual({ healthy: 3, failing: 1, off: 1 })
  })

  test('is counted up to 10,000 and then estimated', async () => {
    const [one, other] = [await subscribe(), await subscribe()]
    const fill = (subscription: number, count: number) =>
      sql`insert into deliveries (event_id, subscription_id, next_attempt_at)
          select 1, ${subscription}, ${clock.now()} from generate_series(1, ${count}::int)`.execute(db)
    await fill(one, 6_000)
    await fill(other, 3_999)
    expect((await measure()).due).toBe(9_999)
    await fill(other, 20_001)
    expect((await measure()).due).toBe(10_000)
    await sql`analyze deliveries`.execute(db)
    const { due } = await measure()
    expect(due).toBeGreaterThan(25_000)
    expect(due).toBeLessThan(35_000)
  })
})

test('upkeep shows in its metrics how things stand', async () => {
  const registry = new Registry()
  await subscribe()
  await raise()
  clock.advance(90_000)
  const services = makeUpkeep({
    db,
    clock,
    log: pino({ level: 'silent' }),
    metrics: makeUpkeepGauges(registry),
    eventDays: 90,
    attemptDays: 30,
  })
  for (const service of services) await service.start()
  const has = (line: string) => eventually(async () => expect((await registry.metrics()).split('\n')).toContain(line))
  await has('waybill_deliveries_due 1')
  await has('waybill_delivery_oldest_due_seconds 90')
  await has('waybill_subscriptions{health="healthy"} 1')
  await has('waybill_delivery_lost 0')
  await has('waybill_invariant_violations{check="delivery_missing"} 0')
  await eventually(async () => expect(await registry.metrics()).toMatch(/^waybill_invariant_checked_at 1[0-9]{9}$/m))
  for (const service of services.toReversed()) await service.stop()
})
