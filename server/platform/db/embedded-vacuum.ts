import { sql } from 'kysely'
import type { Logger } from 'pino'
import { makeLoop, type Loop } from '../loop.ts'
import type { Database, Db } from './database.ts'

const everyMs = 60_000

/** Old rows and changes after which a table is worth the time, and the share of its rows that comes on top. */
const vacuumAfter = { rows: 20_000, share: 0.05 }
const analyzeAfter = { rows: 1_000, share: 0.1 }

/** Read again in some seconds; written in minutes under full load. */
const checkpointAfterBytes = 268_435_456

interface CheckpointOptions {
  readonly maxLogBytes?: number
  /** Whether somebody copies the log, which a checkpoint would shorten. */
  readonly isLogWanted?: () => boolean
}

/**
 * Takes out what updates and deletions left behind, and counts anew what the planner reckons with. A
 * server does that by itself (autovacuum); the embedded database has no process for it, and every claim
 * would step over the index entries of all deliveries that ever ended. 200 ms for 100,000 rows, in which
 * nothing else gets an answer, so not more often than it is worth.
 */
export const makeEmbeddedVacuum = (
  { db, engine }: Database,
  log: Logger,
  { maxLogBytes = checkpointAfterBytes, isLogWanted = () => false }: CheckpointOptions = {},
): Loop =>
  makeLoop({
    name: 'vacuum',
    everyMs,
    log,
    run: async () => {
      if (engine !== 'pglite') return
      await vacuumWhereNeeded(db, log)
      if (!isLogWanted()) await checkpointWhenNeeded(db, maxLogBytes)
    },
  })

/**
 * Where a server has a process for it (`max_wal_size`), the embedded database would keep its log for ever, and read all
 * of it again at the start after a crash.
 */
const checkpointWhenNeeded = async (db: Db, maxLogBytes: number): Promise<void> => {
  const { rows } = await sql`
    select 1 from pg_control_checkpoint() where pg_current_wal_insert_lsn() - redo_lsn > ${maxLogBytes}::bigint`.execute(
    db,
  )
  if (rows.length > 0) await sql`checkpoint`.execute(db)
}

const vacuumWhereNeeded = async (db: Db, log: Logger): Promise<void> => {
  // The database quotes the names: those of other schemas (the queue's) are theirs.
  const { rows } = await sql<{ table: string; isFull: boolean }>`
    select * from (
      select format('%I.%I', schemaname, relname) as table,
             n_dead_tup > ${vacuumAfter.rows} + ${vacuumAfter.share}::float8 * n_live_tup as is_full,
             n_mod_since_analyze > ${analyzeAfter.rows} + ${analyzeAfter.share}::float8 * n_live_tup as is_stale
      from pg_stat_user_tables
    ) judged where is_full or is_stale`.execute(db)
  // A statement for each, so that others get their turn in between, and one that fails keeps no other from its own.
  for (const { table, isFull } of rows) {
    try {
      await sql.raw(`${isFull ? 'vacuum (analyze)' : 'analyze'} ${table}`).execute(db)
    } catch (error) {
      log.error({ err: error, table }, 'vacuum.table_failed')
    }
  }
}
