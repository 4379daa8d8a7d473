import { sql } from 'kysely'
import { keptSince } from '#delivery/upkeep/old-weeks.ts'
import { hourMs } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'

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
