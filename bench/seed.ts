import { standardBody } from '#delivery/tables/envelope.ts'
import { weeklyTables } from '#delivery/upkeep/partitions.ts'
import type { Database } from '#platform/db/database.ts'
import { eventOf } from './open-engine.ts'

export interface Seed {
  readonly scope: string
  /** At most 4,096: the place among them tells the ids of one event's deliveries apart. */
  readonly subscriptionIds: readonly number[]
  /** Due deliveries of each subscription: one for each of as many events. */
  readonly ofEach: number
  /** Weekly partitions that they are spread over, this week's the last. */
  readonly weeks: number
}

/** Never this very moment, and even in the first hour of a week not all in one partition. */
const moment = `now() - interval '1 minute' - make_interval(weeks => $3) * (number::float8 / $2)`

const insertEvents = `
  insert into events (id, scope, type, occurred_at, object_type, object_id, sequence, body)
  select time_id_floor(${moment}), $1, 'package.created', ${moment}, 'package', number::text, 1, $4
  from generate_series(1, $2::integer) as number`

const insertDeliveries = `
  insert into deliveries (id, event_id, subscription_id, next_attempt_at)
  select event.id + subscriber.place, event.id, subscriber.id, event.occurred_at
  from events event cross join unnest($2::bigint[]) with ordinality as subscriber(id, place)
  where event.scope = $1`

/** Deliveries that have long been due, made by the database itself: writing them one by one would take hours. */
export const seedDue = (database: Database, { scope, subscriptionIds, ofEach, weeks }: Seed): Promise<void> =>
  database.scriptTransaction(async (run) => {
    for (let back = 0; back < weeks; back++)
      for (const table of weeklyTables)
        await run('call create_week($1, now() - make_interval(weeks => $2))', [table, back])
    const body = standardBody('package.created', new Date(), eventOf(1).data)
    await run(insertEvents, [scope, ofEach, weeks - 1, body])
    await run(insertDeliveries, [scope, subscriptionIds])
    for (const table of ['events', 'deliveries']) await run(`analyze ${table}`)
  })
