import pg from 'pg'

/**
 * The database could not be asked, or the connection broke before its answer came. Whether a statement
 * was carried out is then not known: only what is written to be repeated may be repeated.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'

  constructor(cause: unknown) {
    super(`The database is not available: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/**
 * Connections that break, a login that is refused, a database that is gone, a lack of something (disk, memory, connections),
 * an operator who intervenes, trouble of the system below, and a database that only reads (PostgreSQL manual, appendix A):
 * none of it is the fault of the statement.
 */
const notNow = /^(08|28|3D|53|57|58|25006$)/
/** What the client says without the server. Its errors have no class of their own, and only the network's have a code. */
const brokenConnection =
  /^Connection terminated|not queryable|^timeout (exceeded|expired)|^Client was closed|^Cannot use a pool/

/** The error as a `DatabaseUnavailable` when that is what it means, otherwise as it is. */
export const asUnavailable = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  if (error instanceof pg.DatabaseError) return notNow.test(code) ? new DatabaseUnavailable(error) : error
  const isOfNetwork = 'syscall' in error || /^(ECONN|EPIPE|ENOTFOUND|EAI_|ETIMEDOUT)/.test(code)
  return isOfNetwork || brokenConnection.test(error.message) ? new DatabaseUnavailable(error) : error
}

/** What whoever runs the database can do about it, by SQLSTATE. No more than that: readiness is told to anybody who asks. */
const advice: readonly (readonly [state: RegExp, reason: string])[] = [
  [
    /^(53100|58030)$/,
    'The disk of the database is full or broken. Make room on it: writes then work again by themselves.',
  ],
  [/^53300$/, 'The database has no connection left. Raise its max_connections, or lower DATABASE_POOL_SIZE.'],
  [/^53/, 'The database lacks memory or another resource. Its log says which.'],
  [/^25006$/, 'The database only reads: it is a replica, or set to read-only. Set DATABASE_URL to the primary.'],
  [/^28/, 'The database refuses the login. DATABASE_URL needs a user that may log in, with its password of today.'],
  [/^3D/, 'There is no such database. DATABASE_URL needs the name of the one that this server had until now.'],
  [/^57P0[1-4]$/, 'The database is starting or stopping. If it does not come up by itself, its log says why.'],
]

/** The reason as a sentence for whoever runs the server. */
export const adviceFor = ({ cause }: DatabaseUnavailable): string => {
  const state = cause instanceof pg.DatabaseError ? (cause.code ?? '') : ''
  const found = advice.find(([states]) => states.test(state))?.[1]
  return found ?? 'The database does not answer. See whether it runs and can be reached, and the log of this server.'
}
