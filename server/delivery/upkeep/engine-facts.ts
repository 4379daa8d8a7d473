import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { timeOfId } from '../tables/time-id.ts'
import { measureBacklog } from './backlog.ts'
import { checks, recordedViolations } from './finding.ts'
import { checkedUpTo } from './lease.ts'

const counted = 10_000

/** What waits, and how much of it is under way: what the gauges show, and more. */
export const readQueueFacts = async (db: Db, now: Date) => {
  const [{ due, waiting, oldestDueAt }, { rows }] = await Promise.all([
    measureBacklog(db, now),
    sql<{ pending: number; held: number; inFlight: number }>`
      select count(*) as pending, count(*) filter (where leased_until > ${now}) as in_flight,
        (select count(*) from (
          select from deliveries where status collate "C" = 'held' limit ${counted}) held) as held
      from (select leased_until from deliveries where status collate "C" = 'pending' limit ${counted}) pending`.execute(
      db,
    ),
  ])
  const { pending = 0, held = 0, inFlight = 0 } = rows[0] ?? {}
  const oldestDueSeconds = oldestDueAt === null ? 0 : Math.max(0, now.getTime() - oldestDueAt.getTime()) / 1_000
  return { due, pending, waiting, held, inFlight, oldestDueSeconds }
}

/** What the continuous check has recorded: what the gauges show, with its meaning. */
export const readCheckFacts = async (db: Db) => {
  const [found, checkedTo] = await Promise.all([recordedViolations(db), checkedUpTo(db)])
  return {
    lost: found.find(({ name }) => name === 'delivery_missing')?.found ?? 0,
    checkedAt: timeOfId(checkedTo),
    violations: found.map(({ name, found: count }) => ({ check: name, found: count, meaning: checks[name].meaning })),
  }
}

/** How many weeks of each history there are, and whether rows lie in none of them. */
export const readWeekFacts = async (db: Db) => {
  const { rows } = await sql<{ table: string; count: number }>`
    select inhparent::regclass::text as "table", count(*) as count from pg_inherits
    where inhparent in ('events'::regclass, 'deliveries'::regclass, 'attempts'::regclass) group by 1 order by 1`.execute(
    db,
  )
  const outside = await sql<{ isOutside: boolean }>`
    select exists (select from events_default) or exists (select from deliveries_default)
      or exists (select from attempts_default) as is_outside`.execute(db)
  // One of each is for what lies in no week.
  return {
    partitions: rows.map(({ table, count }) => ({ table, count: count - 1 })),
    isOutside: outside.rows[0]?.isOutside === true,
  }
}
