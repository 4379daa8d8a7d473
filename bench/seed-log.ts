import { sql } from 'kysely'
import { standardBody } from '#delivery/tables/envelope.ts'
import { weeklyTables } from '#delivery/upkeep/partitions.ts'
import type { Database } from '#platform/db/database.ts'
import { eventOf } from './open-engine.ts'

const weeks = 8
const subscribersOfEach = 4

/** From 0 to 1, the same for the same event; does not go with another `salt`. */
const chance = (id: string, salt: number): string => `(abs(hashint8extended(${id}, ${salt})) % 10000) / 10000.0`

/** What is subscribed to, and by whom: some kinds of events, and some subscribers, get far more than others. */
const kinds = `
  create table seeded_kinds as
  select row_number() over (order by count(*) desc, pattern) - 1 as nth, scope, pattern as event_type,
    split_part(pattern, '.', 1) as object_type, array_agg(subscription_id order by subscription_id) as ids
  from subscription_events group by scope, pattern`

const week = `
  select part, time_id_floor(begins) as low, time_id_floor(ends) as high, begins, least(ends, now() - interval '1 minute') as until
  from (select to_char(day, 'IYYY"w"IW') as part, day at time zone 'UTC' as begins, (day + interval '7 days') at time zone 'UTC' as ends
    from (select date_trunc('week', now() at time zone 'UTC') - make_interval(weeks => $1) as day) as monday) as bounds`

interface Week {
  readonly part: string
  readonly low: string
  readonly high: string
  readonly begins: Date
  readonly until: Date
}

const events = (part: string): string => `
  insert into events_${part} (id, scope, type, occurred_at, object_type, object_id, sequence, body)
  select given.id, scope, event_type, moment, object_type, (1 + floor(200000 * (${chance('given.id', 2)}) ^ 2))::text, 1, $4
  from generate_series(1, $1::integer) as number
  cross join lateral (select $2::timestamptz + ($3::timestamptz - $2::timestamptz) * (number::float8 / ($1 + 1)) as moment) as at
  cross join lateral (select time_id_floor(moment) + (number % 256) * 16 as id) as given
  join seeded_kinds on nth = floor((select count(*) from seeded_kinds) * (${chance('given.id', 1)}) ^ 2)
  order by number`

/** Of 100 deliveries 93 arrived, 4 failed for good, 1 was cancelled, and 2 failed once and are due tomorrow. */
const deliveries = (part: string): string => `
  insert into deliveries_${part} (id, event_id, subscription_id, status, attempts, lane, next_attempt_at,
    last_status, last_reason, finished_at, event_type, object_type, object_id)
  select event.id + place, event.id,
    ids[1 + (floor(cardinality(ids) * (${chance('event.id', 3)}) ^ 2)::int + place * 7) % cardinality(ids)],
    status, case when status = 'failed' then 18 else 1 end, case when status = 'pending' then 1 else 0 end,
    case when status = 'pending' then now() + interval '1 day' else event.occurred_at end,
    case when status in ('delivered', 'cancelled') then 200 when event.id % 2 = 0 then 503 end,
    case when status = 'delivered' then null when event.id % 2 = 0 then 'http_503' else 'timeout' end,
    case when status <> 'pending' then event.occurred_at + interval '1 second' end, type, event.object_type, event.object_id
  from events_${part} event join seeded_kinds using (scope)
  cross join generate_series(0, ${subscribersOfEach - 1}) as place
  cross join lateral (select ${chance('event.id + place', 4)} * 100 as hundred) as share
  cross join lateral (select case when hundred < 93 then 'delivered' when hundred < 97 then 'failed'
    when hundred < 98 then 'cancelled' else 'pending' end as status) as ended
  where event_type = type
  order by event.id, place`

/** The last attempt of each; those before it are not what a list reads. */
const attempts = (part: string): string => `
  insert into attempts_${part} (delivery_id, number, started_at, duration_ms, outcome, reason, response_status,
    request_headers, response_headers, response_body)
  select id, attempts, next_attempt_at, 20, case status when 'pending' then 'retry' when 'failed' then 'failed' else 'delivered' end,
    last_reason, last_status, E'content-type: application/json\\nuser-agent: Waybill/bench', 'content-length: 2', 'ok'
  from deliveries_${part} order by id`

/**
 * Eight weeks of events, with deliveries to those who are subscribed now and an attempt of each, made by the database itself,
 * two weeks at a time.
 */
export const seedLog = async (database: Database, count: number): Promise<void> => {
  await database.scriptTransaction(async (run) => {
    await run(kinds)
    await run('analyze seeded_kinds')
  })
  let next = 0
  const loop = async (): Promise<void> => {
    for (let back = next++; back < weeks; back = next++)
      await seedWeek(database, back, Math.ceil(count / subscribersOfEach / weeks))
  }
  await Promise.all([loop(), loop()])
  await database.scriptTransaction((run) => run('drop table seeded_kinds'))
  for (const table of weeklyTables) await sql`vacuum (analyze) ${sql.table(table)}`.execute(database.db)
  await sql`checkpoint`.execute(database.db)
}

/** A week gets its indexes when it is whole, as `create_week` gives them: that takes a fraction of the time. */
const seedWeek = async (database: Database, back: number, count: number): Promise<void> => {
  const [bounds] = (await database.scriptTransaction((run) => run(week, [back]))) as unknown as readonly [Week]
  const { part, begins, until, low, high } = bounds
  await database.scriptTransaction(async (run) => {
    for (const table of weeklyTables) {
      const [{ options }] = (await run('select partition_options($1) as options', [table])) as [{ options: string }]
      await run(`drop table if exists ${table}_${part}`)
      await run(`create table ${table}_${part} (like ${table} including defaults including constraints) ${options}`)
    }
  })
  const body = standardBody('package.created', new Date(), eventOf(1).data)
  await database.scriptTransaction(async (run) => {
    await run(events(part), [count, begins, until, body])
    await run(`analyze events_${part}`)
    await run(deliveries(part))
    await run(attempts(part))
  })
  // One table in each transaction: the server, which is running, locks these tables in an order of its own.
  for (const table of weeklyTables)
    await database.scriptTransaction(async (run) => {
      await run("set local maintenance_work_mem = '512MB'")
      await run(`alter table ${table} attach partition ${table}_${part} for values from (${low}) to (${high})`)
    })
}
