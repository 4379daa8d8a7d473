import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '#platform/db/database.ts'
import { makePeriodic } from '#platform/periodic.ts'
import type { Service } from '#platform/supervisor.ts'

const everyMs = 6 * 3_600_000

/** Makes this week's and the next week's partitions. Rows never wait for it: a week that is missing goes to the default partition. */
export const createWeeks = async (db: Db): Promise<void> => {
  await sql`call create_week(now())`.execute(db)
  await sql`call create_week(now() + interval '7 days')`.execute(db)
}

/** Keeps the partitions of the coming days ready for as long as the process runs. */
export const makePartitionKeeper = (db: Db, log: Logger): Service =>
  makePeriodic({ name: 'partitions', everyMs, log, run: () => createWeeks(db) })
