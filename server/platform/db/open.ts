import type { Database } from './database.ts'
import { openPglite } from './open-pglite.ts'
import { openPostgres, type SharedLock } from './open-postgres.ts'
import type { PgliteProcess } from './pglite-process.ts'

export interface DatabaseLocation {
  /** PostgreSQL connection string; without it the embedded database is used. */
  readonly url?: string | undefined
  /** Directory of the embedded database. */
  readonly directory: string
  /** Its thread, when that was started before. */
  readonly pglite?: PgliteProcess | undefined
  /** Connections of the pool (PostgreSQL only). */
  readonly poolSize: number
  /** What the process says of itself to others on the same server; the embedded database has no others. */
  readonly announced?: readonly SharedLock[]
}

/** Opens the server at `url`, or the embedded database in `directory`. Throws when neither can be opened. */
export const openDatabase = (location: DatabaseLocation): Promise<Database> =>
  location.url === undefined
    ? openPglite({ directory: location.directory }, location.pglite)
    : openPostgres({ ...location, url: location.url })
