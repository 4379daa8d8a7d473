import type { Database } from '#platform/db/database.ts'
import type { ProcessSigns } from '#platform/db/process-signs.ts'
import type { ReadinessCheck } from '#platform/http/operations.ts'
import type { Role } from '../command-line.ts'

export interface ReadinessDeps {
  readonly role: Role
  readonly database: Database
  readonly signs: ProcessSigns
  /** Whether the worker of this process got through to the database lately. */
  readonly works: () => boolean
  /** Whether somebody can log in. */
  readonly hasUser: () => boolean
}

/** What must be so before traffic makes sense (contract, section 10). A database that refuses is a reason by itself. */
export const readinessChecks = (deps: ReadinessDeps): Readonly<Record<string, ReadinessCheck>> => {
  const { role, database, signs, works, hasUser } = deps
  // A process starts when the database is migrated. That can change when a backup is restored below it.
  let version = 0
  return {
    database: async () => {
      await database.ping()
      return undefined
    },
    writes: async () => {
      await signs.leave()
      return undefined
    },
    migrations: async () => {
      const now = (await signs.look()).version
      version = Math.max(version, now)
      return now === version
        ? undefined
        : `The database was set back from migration ${version} to ${now}. Restart every process: a start migrates.`
    },
    worker: async () => {
      if (role !== 'api') return works() ? undefined : stuck
      return (await signs.look()).hasWorker ? undefined : noWorker
    },
    administrator: async () =>
      hasUser() ? undefined : 'The first superuser has not been made yet. That is the end of a start.',
  }
}

const stuck =
  'The worker of this process has not got through to the database for 20 s. See the log, or restart the process.'
const noWorker = 'No process that delivers has been seen for 20 s. Start one: npm start -- --role worker.'
