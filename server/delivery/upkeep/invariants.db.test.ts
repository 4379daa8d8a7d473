import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { makeChecker } from '#testing/make-checker.ts'
import { makeDeliveries } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'

const { db } = await openTestDatabase()
const { subscribe, queue, find, clear } = makeDeliveries({ db, clock: systemClock })
const { check, checkAll, metric, reset } = makeChecker(db)
beforeEach(async () => {
  await clear()
  await reset()
})

const setDelivery = (id: number, fields: string) =>
  sql`update deliveries set ${sql.raw(fields)} where id = ${id}`.execute(db)
const loseDelivery = async (id: number): Promise<number> => {
  const { eventId } = await find(id)
  await db.deleteFrom('deliveries').where('id', '=', id).execute()
  return eventId
}

describe('records that contradict each other', () => {
  const deliver = async (id: number): Promise<void> => {
    await setDelivery(id, `status = 'delivered', finished_at = now(), attempts = 1`)
    await sql`insert into attempts (delivery_id, number, started_at, outcome) values (${id}, 1, now(), 'delivered')`.execute(
      db,
    )
  }

  test('are reported and left as they are', async () => {
    const subscription = await subscribe()
    const ids = await queue(subscription, 4)
    for (const id of ids) await deliver(id)
    const [endless = 0, unproven = 0, twice = 0] = ids
    await setDelivery(endless, `finished_at = null`)
    await sql`update attempts set outcome = 'retry' where delivery_id = ${unproven}`.execute(db)
    const { eventId } = await find(twice)
    const { rows } = await sql<{ id: number }>`
      insert into deliveries (event_id, subscription_id, next_attempt_at) values (${eventId}, ${subscription}, now()) returning id`.execute(
      db,
    )
    const expected = [
      { check: 'delivery_doubled', found: 1, repaired: 0, examples: [eventId] },
      { check: 'end_missing', found: 1, repaired: 0, examples: [endless] },
      { check: 'attempt_missing', found: 1, repaired: 0, examples: [unproven] },
    ]
    const reported = await check()
    expect(reported).toHaveLength(3)
    expect(reported).toEqual(expect.arrayContaining(expected))
    expect(await checkAll(true)).toEqual(expected)
    expect(await find(endless)).toMatchObject({ finishedAt: null, status: 'delivered' })
    expect(await find(rows[0]?.id ?? 0)).toMatchObject({ status: 'pending' })
  })

  test('are not those whose attempts are older than attempts are kept', async () => {
    const [id = 0] = await queue(await subscribe(), 1)
    await deliver(id)
    await sql`delete from attempts`.execute(db)
    expect(await checkAll(false)).toMatchObject([{ check: 'attempt_missing' }])
    await sql`update deliveries set id = time_id_floor(now() - interval '31 days')`.execute(db)
    expect(await checkAll(false)).toEqual([])
  })
})

describe('a redelivery', () => {
  const startRedelivery = (nextStepAt: string, status = 'running') =>
    sql`
    insert into redeliveries (kind, filter, position, last, total, per_second, status, next_step_at, created_at)
    values ('retry', '{}', 0, 1, 1, 1, ${status}, ${sql.raw(nextStepAt)}, now())`.execute(db)

  test('that does not get on while processes run is reported, once an hour', async () => {
    await startRedelivery(`now() - interval '11 minutes'`)
    await startRedelivery(`now() - interval '9 minutes'`)
    await startRedelivery(`now() - interval '1 day'`, 'done')
    // The first run cannot tell for how long nobody was there.
    expect(await check()).toEqual([])
    expect(await check()).toMatchObject([{ check: 'redelivery_stuck', found: 1, repaired: 0 }])
    expect(await check()).toEqual([])
    await sql`update invariant_violations set last_found_at = now() - interval '61 minutes'`.execute(db)
    expect(await check()).toMatchObject([{ check: 'redelivery_stuck', found: 1 }])
    expect(await checkAll(false)).toMatchObject([{ check: 'redelivery_stuck', found: 1 }])
  })
})

describe('several processes', () => {
  test('share the work, and what is missing is made once', async () => {
    const [one, other] = [await subscribe(), await subscribe()]
    const ids = [...(await queue(one, 20)), ...(await queue(other, 20))]
    for (const id of ids) await loseDelivery(id)
    const reports = await Promise.all(Array.from({ length: 6 }, () => check({ everyMs: 60_000 })))
    expect(reports.flat()).toMatchObject([{ check: 'delivery_missing', found: 40, repaired: 40 }])
    expect(await checkAll(false)).toEqual([])
    expect(await db.selectFrom('deliveries').selectAll().execute()).toHaveLength(80)
  })

  test('share a lease: a process that comes within the period shows what was found and looks at nothing', async () => {
    const [id = 0] = await queue(await subscribe(), 1)
    await loseDelivery(id)
    expect(await check({ everyMs: 60_000 })).toHaveLength(1)
    const [next = 0] = await queue(await subscribe(), 1)
    await loseDelivery(next)
    expect(await check({ everyMs: 60_000 })).toEqual([])
    expect(await metric('waybill_delivery_lost')).toBe(1)
  })

  test('and the command that repairs make what is missing once', async () => {
    const subscription = await subscribe()
    for (const id of await queue(subscription, 30)) await loseDelivery(id)
    await Promise.all([checkAll(true), check(), checkAll(true), check(), check()])
    expect(await db.selectFrom('deliveries').selectAll().execute()).toHaveLength(30)
  })
})

test('what was found stays on record until everything was looked at and is well', async () => {
  const [id = 0] = await queue(await subscribe(), 1)
  await loseDelivery(id)
  await check()
  await check()
  expect(await metric('waybill_delivery_lost')).toBe(1)
  await checkAll(false)
  await checkAll(true, new Date(0))
  await check()
  expect(await metric('waybill_delivery_lost')).toBe(1)
  await checkAll(true)
  await check()
  expect(await metric('waybill_delivery_lost')).toBe(0)
})
