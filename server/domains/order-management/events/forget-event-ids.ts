import { keptSince } from '#delivery/upkeep/kept-since.ts'
import type { Db } from '#platform/db/database.ts'
import { forgetIdsBefore } from './store.ts'

/** An id is stored a moment before its event. */
const marginMs = 3_600_000

/** Forgets the ids whose events retention has dropped, in short steps. @returns how many. */
export const forgetEventIds = async (db: Db): Promise<number> => {
  const since = await keptSince(db)
  if (since === undefined) return 0
  return forgetIdsBefore(db, new Date(since.getTime() - marginMs))
}
