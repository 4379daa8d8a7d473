import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'

/** What time it is for the database, which every process shares. */
export const databaseTime = async (db: Db): Promise<Date> => {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  // Without an answer there is no time at which anything is old.
  return rows[0]?.now ?? new Date(0)
}
