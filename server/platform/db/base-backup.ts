import { sql } from 'kysely'
import type { Db } from './database.ts'

/** What PostgreSQL says of a base backup at its end. */
export interface BackupEnd {
  /** Text of the file `backup_label`, by which a start on the copy knows where to begin. */
  readonly label: string
  /** The files of the log that the copy needs, by name: the first, the last, and those between. */
  readonly firstLog: string
  readonly lastLog: string
}

/**
 * A base backup of the embedded database as PostgreSQL makes them ("Making a Base Backup Using the Low Level API"): between
 * `begin` and `end` the files may be copied while the database goes on. The log from the beginning has to stay meanwhile, so
 * nobody may make a checkpoint.
 */
export class BaseBackup {
  readonly #db: Db
  #isRunning = false

  constructor(db: Db) {
    this.#db = db
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  /** @throws Error when one is being made already. */
  async begin(): Promise<void> {
    if (this.#isRunning) throw new Error('Another backup is being made.')
    this.#isRunning = true
    try {
      await sql`select pg_backup_start('waybill', true)`.execute(this.#db)
    } catch (error) {
      this.#isRunning = false
      throw error
    }
  }

  /** Also for a copy that is given up. */
  async end(): Promise<BackupEnd> {
    try {
      const { rows } = await sql<{ label: string; lastLog: string }>`
        select labelfile as label, pg_walfile_name(lsn) as last_log from pg_backup_stop(false)`.execute(this.#db)
      const [row] = rows
      const firstLog = /^START WAL LOCATION: \S+ \(file (\w+)\)/.exec(row?.label ?? '')?.[1]
      if (row === undefined || firstLog === undefined)
        throw new Error('The database did not say what it has backed up.')
      return { ...row, firstLog }
    } finally {
      this.#isRunning = false
    }
  }
}
