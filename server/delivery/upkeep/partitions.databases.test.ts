import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { eventually } from '#testing/eventually.ts'
import { holdTable } from '#testing/hold-table.ts'
import { makeDeliveries } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { claim, maxPerClaim } from '../queue/claim.ts'
import { createWeeks, makePartitionKeeper, weeklyTables } from './partitions.ts'

const database = await openTestDatabase()
const { db } = database
const { subscribe, queue, find, clear, raise } = makeDeliveries({ db, clock: systemClock })
const logged: { msg: string; table?: string }[] = []
const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) })

/** Where the rows of a table are: partition → how many. */
const placesOf = async (table: (typeof weeklyTables)[number]): Promise<Record<string, number>> => {
  const { rows } = await sql<{ place: string; count: number }>`
    select tableoid::regclass::text as place, count(*) from ${sql.table(table)} group by 1`.execute(db)
  return Object.fromEntries(rows.map(({ place, count }) => [place, count]))
}
const partitions = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent in ('events'::regclass, 'deliveries'::regclass, 'attempts'::regclass) order by 1`.execute(db)
  return rows.map(({ name }) => name)
}
const weeks = async (): Promise<{ current: string; next: string }> => {
  const { rows } = await sql<{ current: string; next: string }>`
    select to_char(now(), 'IYYY"w"IW') as current, to_char(now() + interval '7 days', 'IYYY"w"IW') as next`.execute(db)
  return rows[0] ?? { current: '', next: '' }
}
/** As after months in which nobody made a week. */
const dropWeeks = async (): Promise<void> => {
  for (const name of await partitions())
    if (!name.endsWith('_default')) await sql`drop table ${sql.id(name)}`.execute(db)
}

beforeEach(async () => {
  await clear()
  logged.length = 0
})

describe('the weeks that are needed', () => {
  test('are there after months in which nobody made them', async () => {
    await dropWeeks()
    const keeper = makePartitionKeeper(db, log)
    await keeper.start()
    await keeper.stop()
    const { current, next } = await weeks()
    for (const table of weeklyTables)
      expect(await partitions()).toEqual(expect.arrayContaining([`${table}_${current}`, `${table}_${next}`]))
    await raise()
    expect(await placesOf('events')).toEqual({ [`events_${current}`]: 1 })
    expect(logged).toEqual([])
  })

  test('take over rows that had to go to the default partition, with everything in them', async () => {
    await dropWeeks()
    const subscription = await subscribe()
    const ids = await queue(subscription, 5)
    const [claimed] = await claim(db, new Date(), [{ subscriptionId: subscription, lane: 0, limit: 1 }])
    await sql`insert into attempts (delivery_id, number, started_at, outcome) values (${ids[1] ?? 0}, 1, now(), 'retry')`.execute(
      db,
    )
    const before = await Promise.all(ids.map(find))
    for (const table of weeklyTables) expect(Object.keys(await placesOf(table))).toEqual([`${table}_default`])

    await createWeeks(db, log)
    const { current } = await weeks()
    expect(await placesOf('events')).toEqual({ [`events_${current}`]: 5 })
    expect(await placesOf('deliveries')).toEqual({ [`deliveries_${current}`]: 5 })
    expect(await placesOf('attempts')).toEqual({ [`attempts_${current}`]: 1 })
    expect(await Promise.all(ids.map(find))).toEqual(before)
    expect(before[0]?.leaseToken).toBe(claimed?.token)
    expect(await claim(db, new Date(), [{ subscriptionId: subscription, lane: 0, limit: 9 }])).toHaveLength(4)
    await createWeeks(db, log)
    expect(logged).toEqual([])
  })

  test('leave other weeks’ rows in the default partition', async () => {
    await dropWeeks()
    const far = [-30, 20].map((days) => sql`(time_id_floor(now() + ${days} * interval '1 day'), 'x', 'x', now(), '{}')`)
    await sql`insert into events (id, scope, type, occurred_at, body) values ${sql.join(far)}`.execute(db)
    await raise()
    await createWeeks(db, log)
    const { current } = await weeks()
    expect(await placesOf('events')).toEqual({ events_default: 2, [`events_${current}`]: 1 })
  })

  test('have the same indexes and settings as those that were there from the start', async () => {
    const shapeOf = async (name: string) => {
      const { rows } = await sql<{ definition: string }>`
        select regexp_replace(indexdef, 'INDEX \\S+ ON \\S+', '') as definition from pg_indexes where tablename = ${name}
        union all select array_to_string(reloptions, ' ') from pg_class where relname = ${name}
        order by 1`.execute(db)
      return rows.map(({ definition }) => definition)
    }
    const { current } = await weeks()
    const before = await Promise.all(weeklyTables.map((table) => shapeOf(`${table}_default`)))
    expect(Math.min(...before.map((lines) => lines.length))).toBeGreaterThan(1)
    expect(before[1]?.join()).toMatch(/fillfactor=70/)
    await dropWeeks()
    await createWeeks(db, log)
    expect(await Promise.all(weeklyTables.map((table) => shapeOf(`${table}_${current}`)))).toEqual(before)
  })

  test('are made once by many at a time, while events come in', async () => {
    await dropWeeks()
    const subscription = await subscribe()
    const made = new AbortController()
    let count = 0
    const raised = Array.from({ length: 4 }, async () => {
      for (; !made.signal.aborted; count++) await raise()
    })
    await eventually(() => expect(count).toBeGreaterThan(0))
    await Promise.all(Array.from({ length: 4 }, () => createWeeks(db, log)))
    made.abort()
    await Promise.all(raised)
    const { current } = await weeks()
    expect(await placesOf('events')).toEqual({ [`events_${current}`]: count })
    expect(await placesOf('deliveries')).toEqual({ [`deliveries_${current}`]: count })
    const wants = [{ subscriptionId: subscription, lane: 0, limit: maxPerClaim }] as const
    let claimed = 0
    for (let got = maxPerClaim; got === maxPerClaim; claimed += got) got = (await claim(db, new Date(), wants)).length
    expect(claimed).toBe(count)
    expect(logged).toEqual([])
  })

  // The embedded database has one connection: nobody can hold a table while another one wants it.
  test.runIf(database.engine === 'postgres')(
    'are left to the next time when somebody holds the table for long',
    async () => {
      await dropWeeks()
      await raise()
      const release = await holdTable(db, 'events')
      await createWeeks(db, log)
      const notMade = { msg: 'partition.not_made', table: 'events' }
      expect(logged).toMatchObject([notMade, notMade])
      const { current } = await weeks()
      expect(await partitions()).not.toContain(`events_${current}`)
      expect(await partitions()).toContain(`deliveries_${current}`)
      // Nothing of the attempt is left, and rows go where they went.
      await raise()
      expect(await placesOf('events')).toEqual({ events_default: 2 })
      await release()
      await createWeeks(db, log)
      expect(await placesOf('events')).toEqual({ [`events_${current}`]: 2 })
    },
  )
})
