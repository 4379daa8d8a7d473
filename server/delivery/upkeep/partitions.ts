import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '#platform/db/database.ts'
import { makeLoop, startingWithRun } from '#platform/loop.ts'
import type { Service } from '#platform/supervisor.ts'

/** The tables that are partitioned by week. */
export const weeklyTables = ['events', 'deliveries', 'attempts'] as const

const everyMs = 6 * 3_600_000

/**
 * Makes this week's and the next week's partitions; rows of theirs in the default partition move into them. No row waits
 * for it, so one that cannot be made now (somebody holds the table) is left to the next time.
 */
export const createWeeks = async (db: Db, log: Logger): Promise<void> => {
  for (const moment of [sql`now()`, sql`now() + interval '7 days'`]) {
    for (const table of weeklyTables) {
      try {
        await sql`call create_week(${table}, ${moment})`.execute(db)
      } catch (error) {
        log.warn({ err: error, table }, 'partition.not_made')
      }
    }
  }
}

/** Keeps the partitions of the coming days ready for as long as the process runs; its start waits for those of now. */
export const makePartitionKeeper = (db: Db, log: Logger): Service =>
  startingWithRun(makeLoop({ name: 'partitions', everyMs, log, run: () => createWeeks(db, log) }))
