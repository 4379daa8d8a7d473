import { CompiledQuery, sql } from 'kysely'
import { keptSince } from '#delivery/upkeep/old-weeks.ts'
import { hourMs } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'

interface ExternalEventsTable {
  userId: number
  id: string
  contentHash: string
  acceptedAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    externalEvents: ExternalEventsTable
  }
}

/** An id of the caller's, and what it stands for. */
export interface IdWithContent {
  readonly id: string
  readonly contentHash: string
}

/**
 * In the order of ids: of two requests that share some, the second waits at the first id they share, holding
 * none that the first still wants.
 */
const takeStatement = prepared(`
  insert into external_events (user_id, id, content_hash, accepted_at)
  select $1, id, content_hash, now() from unnest($2::text[], $3::text[]) as entry (id, content_hash)
  order by id collate "C"
  on conflict do nothing
  returning id`)

/**
 * Takes ids for this transaction, each of which may be named once. Waits for transactions that are about to
 * take one of them. @returns those that nobody had; the others are committed.
 */
export const takeIds = async (tx: Tx, userId: number, entries: readonly IdWithContent[]): Promise<Set<string>> => {
  const parameters = [userId, entries.map(({ id }) => id), entries.map(({ contentHash }) => contentHash)]
  const { rows } = await tx.executeQuery<{ id: string }>(CompiledQuery.raw(takeStatement, parameters))
  return new Set(rows.map(({ id }) => id))
}

/** Those of the entries whose id stands for something else. */
export const findOtherContent = async (
  tx: Tx,
  userId: number,
  entries: readonly IdWithContent[],
): Promise<readonly string[]> => {
  const { rows } = await sql<{ id: string }>`
    select known.id from external_events known
    join unnest(${entries.map(({ id }) => id)}::text[], ${entries.map((entry) => entry.contentHash)}::text[])
      as entry (id, content_hash) on known.id = entry.id and known.content_hash <> entry.content_hash
    where known.user_id = ${userId}
    order by known.id`.execute(tx)
  return rows.map(({ id }) => id)
}

const batchSize = 5_000

/** Forgets ids, a batch at a time and each a transaction of its own. @returns how many. */
const forgetIdsBefore = async (db: Db, before: Date): Promise<number> => {
  let forgotten = 0
  for (let isMore = true; isMore;) {
    const { numAffectedRows = 0n } = await sql`
      delete from external_events where ctid = any(array(
        select ctid from external_events where accepted_at < ${before} order by accepted_at limit ${batchSize}))
        and accepted_at < ${before}`.execute(db)
    forgotten += Number(numAffectedRows)
    isMore = Number(numAffectedRows) === batchSize
  }
  return forgotten
}

/** An id is stored a moment before its event. */
const marginMs = hourMs

/** Forgets the ids whose events retention has dropped, in short steps. @returns how many. */
export const forgetEventIds = async (db: Db): Promise<number> => {
  const since = await keptSince(db)
  if (since === undefined) return 0
  return forgetIdsBefore(db, new Date(since.getTime() - marginMs))
}
