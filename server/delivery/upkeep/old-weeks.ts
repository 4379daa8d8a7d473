import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { giveHeads, type ObjectQueue } from '../order/object-queues.ts'
import type { weeklyTables } from './partitions.ts'
import { firstIdOf, timeOfId } from '../tables/time-id.ts'

type WeeklyTable = (typeof weeklyTables)[number]

/** The partition of one table for one week: ids from `low` up to, but not including, `high`. */
export interface Part {
  readonly table: WeeklyTable
  readonly name: string
  readonly low: number
  readonly high: number
}

/** The weekly partitions of a table that lie wholly before an id, the oldest first. */
export const partsBefore = async (db: Db, table: WeeklyTable, end: number): Promise<readonly Part[]> => {
  const { rows } = await sql<Part>`
    select ${table} as "table", name, bounds[1]::bigint as low, bounds[2]::bigint as high
    from (
      select child.relname as name,
             regexp_match(pg_get_expr(child.relpartbound, child.oid), 'FROM \\(''(-?\\d+)''\\) TO \\(''(-?\\d+)''\\)') as bounds
      from pg_inherits join pg_class child on child.oid = inhrelid
      where inhparent = ${table}::regclass
    ) part
    where bounds[2]::bigint <= ${end}
    order by low`.execute(db)
  return rows
}

/** What of one week can only go together, deliveries first: events without deliveries harm nobody, should the process die in between. */
export interface Week extends Pick<Part, 'low' | 'high'> {
  readonly parts: readonly Part[]
}

/** The weeks of events and deliveries that lie wholly before an id, the oldest first. */
export const weeksBefore = async (db: Db, end: number): Promise<readonly Week[]> => {
  const all = [...(await partsBefore(db, 'deliveries', end)), ...(await partsBefore(db, 'events', end))]
  return [...Map.groupBy(all, ({ low }) => low)]
    .map(([low, parts]) => ({ low, high: Math.max(...parts.map(({ high }) => high)), parts }))
    .toSorted((one, other) => one.low - other.low)
}

/**
 * Whether something that waits is in the range of ids, or about an event in it: then the week cannot go. The collation is
 * that of the index of what is not delivered.
 */
export const isNeeded = async (db: Db | Tx, { low, high }: Pick<Part, 'low' | 'high'>): Promise<boolean> => {
  const { rows } = await sql<{ isNeeded: boolean }>`
    select exists (select from deliveries where status collate "C" in ('pending', 'waiting') and id >= ${low} and id < ${high})
        or exists (select from deliveries where status collate "C" in ('pending', 'waiting') and event_id >= ${low} and event_id < ${high})
        as is_needed`.execute(db)
  return rows[0]?.isNeeded ?? true
}

/**
 * Drops a partition, unless it is needed after all under the lock. One table in each transaction, because everything else
 * locks these tables in orders of its own.
 * @throws when the lock cannot be had within 2 s: everybody behind it waits.
 */
export const dropPart = async (db: Db, part: Part): Promise<boolean> => {
  const queues = part.table === 'deliveries' ? await queuesHeadedIn(db, part) : []
  const isDropped = await dropTable(db, part)
  // Should the process die here, the check of queues finds those that something waits in.
  if (isDropped && queues.length > 0) await inTransaction(db, (tx) => giveHeads(tx, queues, new Date()))
  return isDropped
}

/** Queues of held deliveries, whose heads go with a week: what came later is not to wait for them. */
const queuesHeadedIn = async (db: Db, { low, high }: Part): Promise<readonly ObjectQueue[]> => {
  const { rows } = await sql<ObjectQueue>`
    select subscription_id, object_type, object_id from deliveries
    where is_head and id >= ${low} and id < ${high}`.execute(db)
  return rows
}

const dropTable = (db: Db, part: Part): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    await sql`select set_config('lock_timeout', '2s', true)`.execute(tx)
    await sql`lock table only ${sql.id(part.table)} in access exclusive mode`.execute(tx)
    if (part.table !== 'attempts' && (await isNeeded(tx, part))) return false
    await sql`drop table ${sql.id(part.name)}`.execute(tx)
    return true
  })

const batchSize = 5_000

/**
 * Deletes old rows from the default partitions, where rows of no week are kept, and old changes of health, a batch at a time. What waits stays, with
 * its events. @returns how many rows.
 */
export const deleteOldRows = async (
  db: Db,
  before: { readonly events: Date; readonly attempts: Date },
  signal: AbortSignal,
): Promise<number> => {
  const first = firstIdOf(before.events)
  const old = [
    { from: sql`deliveries_default`, which: sql`id < ${first} and status not in ('pending', 'waiting')` },
    {
      from: sql`events_default`,
      which: sql`id < ${first}
        and not exists (select from deliveries where event_id = events_default.id and status in ('pending', 'waiting'))`,
    },
    { from: sql`attempts_default`, which: sql`started_at < ${before.attempts}` },
    { from: sql`health_changes`, which: sql`at < ${before.events}` },
  ]
  let deleted = 0
  for (const { from, which } of old) {
    for (let isMore = true; isMore && !signal.aborted;) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${from} where ctid = any(array(select ctid from ${from} where ${which} limit ${batchSize}))`.execute(
        db,
      )
      deleted += Number(numAffectedRows)
      isMore = Number(numAffectedRows) === batchSize
    }
  }
  return deleted
}

/** When the oldest event that is still kept was raised, for what is kept as long; undefined when there is none. */
export const keptSince = async (db: Db): Promise<Date | undefined> => {
  const { rows } = await sql<{ id: number | null }>`select min(id) as id from events`.execute(db)
  const id = rows[0]?.id ?? undefined
  return id === undefined ? undefined : timeOfId(id)
}
