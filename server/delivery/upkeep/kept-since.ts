import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { timeOfId } from '../tables/time-id.ts'

/**
 * When the oldest event that is still kept was raised; undefined when there is none. For what is kept beside
 * events, and as long: it follows what retention really dropped, which a wrong clock cannot hurry.
 */
export const keptSince = async (db: Db): Promise<Date | undefined> => {
  const { rows } = await sql<{ id: number | null }>`select min(id) as id from events`.execute(db)
  const id = rows[0]?.id ?? undefined
  return id === undefined ? undefined : timeOfId(id)
}
