import { sql } from 'kysely'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { holdTable } from '#testing/hold-table.ts'
import { makeDeliveries } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { dropOldWeeks, type RetentionDeps } from './retention.ts'
import { makeUpkeepGauges } from './upkeep-gauges.ts'

const database = await openTestDatabase()
const { db } = database
const { subscribe, clear, raise } = makeDeliveries({ db, clock: systemClock })
const tables = ['events', 'deliveries', 'attempts'] as const

let registry = new Registry()
let logged: { msg: string; partitions?: string[]; dropped?: string[]; partition?: string; err?: { code?: string } }[] =
  []
const log = pino(
  { serializers: { err: (error: { code?: string }) => ({ code: error.code }) } },
  {
    write: (line: string) => void logged.push(JSON.parse(line)),
  },
)
/** One run that is due, with the last one an hour ago. */
const run = async (
  fields: Partial<RetentionDeps> = {},
  lastRun = '1 hour',
  told = new Map<number, Date>(),
): Promise<void> => {
  logged = []
  await sql`update upkeep set due_at = '-infinity', done_at = clock_timestamp() - ${lastRun}::interval where job = 'retention'`.execute(
    db,
  )
  await runDue(fields, told)
}
const runDue = async (fields: Partial<RetentionDeps> = {}, told = new Map<number, Date>()): Promise<void> => {
  registry = new Registry()
  const deps = { db, log, metrics: makeUpkeepGauges(registry), eventDays: 90, attemptDays: 30, ...fields }
  await dropOldWeeks(deps, new AbortController().signal, told)
}

const weekOf = async (age: string): Promise<string> => {
  const { rows } = await sql<{ week: string }>`
    select to_char(date_trunc('week', now() - ${age}::interval), 'IYYY"w"IW') as week`.execute(db)
  return rows[0]?.week ?? ''
}
/** Makes the partitions of the week so long ago. @returns its name. */
const makeWeek = async (age: string): Promise<string> => {
  for (const table of tables) await sql`call create_week(${table}, now() - ${age}::interval)`.execute(db)
  return weekOf(age)
}
const partitions = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where relname ~ '^(events|deliveries|attempts)_[0-9]{4}w[0-9]{2}$' order by 1`.execute(db)
  return rows.map(({ name }) => name)
}
const ofWeek = (week: string): string[] => ['attempts', 'deliveries', 'events'].map((table) => `${table}_${week}`)

let numbers = 0
const addEvent = async (age: string): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into events (id, scope, type, occurred_at, body)
    values (time_id_floor(now() - ${age}::interval) + ${numbers++}, 'back-office', 'package.created', now(), '{}') returning id`.execute(
    db,
  )
  return rows[0]?.id ?? 0
}
const addDelivery = async (age: string, eventId: number, status = 'delivered'): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into deliveries (id, event_id, subscription_id, next_attempt_at, status)
    values (time_id_floor(now() - ${age}::interval) + ${numbers++}, ${eventId}, 1, now(), ${status}) returning id`.execute(
    db,
  )
  return rows[0]?.id ?? 0
}
const addAttempt = (deliveryId: number, age: string) =>
  sql`insert into attempts (delivery_id, number, started_at, outcome)
      values (${deliveryId}, 1, now() - ${age}::interval, 'delivered')`.execute(db)
const countOf = async (table: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(db)
  return rows[0]?.count ?? -1
}
const messages = (): string[] => logged.map(({ msg }) => msg)

beforeEach(async () => {
  await clear()
  const current = [await weekOf('0 days'), await weekOf('-7 days')]
  for (const name of await partitions())
    if (!current.some((week) => name.endsWith(week))) await sql`drop table ${sql.id(name)}`.execute(db)
})

describe('a week', () => {
  test('goes when all of it is older than its time, attempts sooner than the rest', async () => {
    const [old, older] = [await makeWeek('45 days'), await makeWeek('99 days')]
    const event = await addEvent('99 days')
    await addAttempt(await addDelivery('99 days', event), '99 days')
    await addAttempt(await addDelivery('45 days', await addEvent('45 days')), '45 days')
    const before = await partitions()
    await run()
    const gone = [...ofWeek(older), `attempts_${old}`]
    expect(await partitions()).toEqual(before.filter((name) => !gone.includes(name)))
    expect([await countOf('events'), await countOf('deliveries'), await countOf('attempts')]).toEqual([1, 1, 0])
    expect(logged).toMatchObject([{ msg: 'retention.done' }])
    expect(logged[0]?.dropped?.toSorted()).toEqual(gone.toSorted())
  })

  test('stays while a part of it is not old enough', async () => {
    await makeWeek('20 days')
    await makeWeek('90 days')
    const before = await partitions()
    // The week of 90 days ago has its first day before the time and its last one in it, or begins with it.
    await run({ attemptDays: 90 })
    expect(await partitions()).toEqual(before)
    expect(logged).toEqual([])
  })

  test('of attempts is not kept for longer than its deliveries', async () => {
    const week = await makeWeek('99 days')
    await run({ eventDays: 30, attemptDays: 200 })
    expect((await partitions()).filter((name) => name.endsWith(week))).toEqual([])
  })

  test('in which a delivery waits stays, and so do its events', async () => {
    const week = await makeWeek('99 days')
    const other = await makeWeek('120 days')
    const waiting = await addDelivery('99 days', await addEvent('99 days'), 'pending')
    await run()
    expect(await partitions()).toEqual(expect.arrayContaining([`deliveries_${week}`, `events_${week}`]))
    expect((await partitions()).filter((name) => name.endsWith(other))).toEqual([])
    expect(messages()).toContain('retention.kept')
    expect(await registry.getSingleMetricAsString('waybill_retention_kept_weeks')).toMatch(/weeks 1$/)
    await sql`update deliveries set status = 'cancelled' where id = ${waiting}`.execute(db)
    await run()
    expect((await partitions()).filter((name) => name.endsWith(week))).toEqual([])
    expect(await registry.getSingleMetricAsString('waybill_retention_kept_weeks')).toMatch(/weeks 0$/)
  })

  test('in which a delivery waits stays, also when its event is of another week', async () => {
    const week = await makeWeek('99 days')
    await addDelivery('99 days', await addEvent('113 days'), 'pending')
    await run()
    expect(await partitions()).toEqual(expect.arrayContaining([`deliveries_${week}`, `events_${week}`]))
    expect([await countOf('deliveries'), await countOf('events')]).toEqual([1, 1])
  })

  test.each(['1 day', '200 days'])('whose event a delivery of %s ago waits to send stays', async (age) => {
    const week = await makeWeek('99 days')
    await addDelivery(age, await addEvent('99 days'), 'pending')
    await run()
    expect(await partitions()).toEqual(expect.arrayContaining([`deliveries_${week}`, `events_${week}`]))
    expect(await countOf('events')).toBe(1)
  })

  test('that is held only, or delivered, goes', async () => {
    const week = await makeWeek('99 days')
    await addDelivery('99 days', await addEvent('99 days'), 'held')
    await addDelivery('1 day', await addEvent('99 days'), 'delivered')
    await run()
    expect((await partitions()).filter((name) => name.endsWith(week))).toEqual([])
  })

  test('that is kept is spoken of once a day', async () => {
    const week = await makeWeek('99 days')
    await addDelivery('99 days', await addEvent('99 days'), 'pending')
    const told = new Map<number, Date>()
    await run({}, '1 hour', told)
    expect(logged.find(({ msg }) => msg === 'retention.kept')?.partitions).toEqual([
      `deliveries_${week}`,
      `events_${week}`,
    ])
    await run({}, '1 hour', told)
    expect(messages()).not.toContain('retention.kept')
    for (const low of told.keys()) told.set(low, new Date(Date.now() - 90_000_000))
    await run({}, '1 hour', told)
    expect(messages()).toContain('retention.kept')
  })

  test('takes the numbers of objects with it for nobody: they go on', async () => {
    await subscribe()
    await raise(7)
    await sql`update events set id = id - 99::bigint * 86400000 * 4096`.execute(db)
    await sql`update deliveries set status = 'delivered'`.execute(db)
    await run()
    await raise(7)
    const { rows } = await sql<{ sequence: number }>`select sequence from events order by id desc limit 1`.execute(db)
    expect(rows).toEqual([{ sequence: 2 }])
  })

  // The embedded database has one connection: nobody can hold a table while another one wants it.
  test.runIf(database.engine === 'postgres')(
    'in somebody’s hands is left to the next run, after 2 seconds',
    async () => {
      const week = await makeWeek('99 days')
      const release = await holdTable(db, 'deliveries')
      const start = performance.now()
      await run()
      expect(performance.now() - start).toBeGreaterThan(1_900)
      expect(logged.find(({ msg }) => msg === 'retention.not_dropped')).toMatchObject({ err: { code: '55P03' } })
      expect(await partitions()).toEqual(expect.arrayContaining([`deliveries_${week}`, `events_${week}`]))
      await release()
      await run()
      expect((await partitions()).filter((name) => name.endsWith(week))).toEqual([])
    },
  )
})

describe('a row that belongs to no week', () => {
  test('is deleted when it is old, unless it waits or is waited for', async () => {
    const [old, needed, recent] = [await addEvent('120 days'), await addEvent('120 days'), await addEvent('60 days')]
    await addDelivery('120 days', old)
    const waiting = await addDelivery('119 days', needed, 'pending')
    const kept = await addDelivery('60 days', recent)
    await addAttempt(old, '31 days')
    await addAttempt(kept, '29 days')
    await run()
    const idsOf = async (table: 'events' | 'deliveries') =>
      (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)
    expect(await idsOf('events')).toEqual([needed, recent])
    expect(await idsOf('deliveries')).toEqual([waiting, kept])
    expect((await sql`select delivery_id from attempts`.execute(db)).rows).toEqual([{ deliveryId: kept }])
    expect(logged).toMatchObject([{ msg: 'retention.done', deleted: 3 }])
  })

  test('is deleted however many there are', async () => {
    await sql`
      insert into events (id, scope, type, occurred_at, body)
      select time_id_floor(now() - interval '200 days') + n, 'back-office', 'x', now(), '{}' from generate_series(1, 12000) as n`.execute(
      db,
    )
    await run()
    expect(await countOf('events')).toBe(0)
    expect(logged).toMatchObject([{ msg: 'retention.done', deleted: 12_000 }])
  })
})

describe('a run', () => {
  test('waits a day when more than half of the shortest time has passed since the last one, or none was', async () => {
    const week = await makeWeek('99 days')
    await run({}, '16 days')
    expect(messages()).toEqual(['retention.postponed'])
    expect(await partitions()).toContain(`events_${week}`)
    await runDue()
    expect(messages()).toEqual(['retention.postponed'])
    await sql`update upkeep set done_at = null, due_at = '-infinity' where job = 'retention'`.execute(db)
    await runDue()
    // The first one ever has nothing to tell.
    expect(messages()).toEqual(['retention.postponed'])
    expect(await partitions()).toContain(`events_${week}`)
    // A day later.
    await sql`update upkeep set due_at = due_at - interval '1 day', done_at = done_at - interval '1 day' where job = 'retention'`.execute(
      db,
    )
    await runDue()
    expect(await partitions()).not.toContain(`events_${week}`)
  })

  test('is made by one of many processes, once an hour', async () => {
    const week = await makeWeek('99 days')
    await run()
    await makeWeek('99 days')
    await Promise.all([runDue(), runDue()])
    expect(await partitions()).toContain(`events_${week}`)
    await sql`update upkeep set due_at = due_at - interval '59 minutes' where job = 'retention'`.execute(db)
    await Promise.all([runDue(), runDue(), runDue()])
    expect(await partitions()).not.toContain(`events_${week}`)
  })
})

test('changes of health go with the events of their time', async () => {
  const change = { subscriptionId: 1, change: 'failing' as const, reason: null, failures: 5, failingSince: null }
  const at = (days: number) => new Date(Date.now() - days * 86_400_000)
  await db
    .insertInto('healthChanges')
    .values([91, 89].map((days) => ({ ...change, at: at(days) })))
    .execute()
  await run()
  const left = await db.selectFrom('healthChanges').select('at').execute()
  expect(left).toHaveLength(1)
  expect(left[0]?.at.getTime()).toBeGreaterThan(at(90).getTime())
})
