import { sql } from 'kysely'
import { dayMs } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'

/** Days that lists show, and that are kept, today among them. */
export const shownDays = 14
export const maxDays = 90

export interface Occurrences {
  /** In UTC, as `2026-11-21`. */
  readonly date: string
  readonly count: number
}

const dateOf = (at: Date): string => at.toISOString().slice(0, 10)

/** How often each group happened on each of the last days, oldest first: one statement, by the key of the table. */
const countsOf = async (
  db: Db | Tx,
  ids: readonly number[],
  { days, now }: { readonly days: number; readonly now: Date },
): Promise<ReadonlyMap<number, readonly number[]>> => {
  const counts = new Map(ids.map((id) => [id, Array.from({ length: days }, () => 0)]))
  if (ids.length === 0) return counts
  const today = dateOf(now)
  const { rows } = await sql<{ groupId: number; daysAgo: number; count: number }>`
    select group_id, ${today}::date - day as days_ago, count from error_report_group_days
    where group_id = any(${[...ids]}::bigint[]) and day between ${today}::date - ${days - 1}::integer and ${today}::date
    `.execute(db)
  for (const { groupId, daysAgo, count } of rows) counts.get(groupId)?.splice(days - 1 - daysAgo, 1, count)
  return counts
}

/** Groups with how often they happened lately. */
export const withActivity = async <G extends { readonly id: number }>(
  db: Db | Tx,
  groups: readonly G[],
  now: Date,
): Promise<(G & { readonly activity: readonly number[] })[]> => {
  const ids = groups.map(({ id }) => id)
  const counts = await countsOf(db, ids, { days: shownDays, now })
  return groups.map((group) => ({ ...group, activity: counts.get(group.id) ?? [] }))
}

/** How often a group happened on each of the last days, oldest first. */
export const occurrencesOf = async (db: Db, id: number, days: number, now: Date): Promise<Occurrences[]> => {
  const counts = (await countsOf(db, [id], { days, now })).get(id) ?? []
  return counts.map((count, index) => ({
    date: dateOf(new Date(now.getTime() - (days - 1 - index) * dayMs)),
    count,
  }))
}

/** Removes what was counted on days that nobody can ask for any more, at most `limit` rows. @returns how many. */
export const removeOldDays = async (
  tx: Tx,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    delete from error_report_group_days where (group_id, day) in (
      select group_id, day from error_report_group_days where day < ${dateOf(now)}::date - ${maxDays}::integer
      order by day limit ${limit})`.execute(tx)
  return Number(numAffectedRows)
}
