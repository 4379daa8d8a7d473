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

/** Connection exceptions, no connection left, and a server that goes down or comes up (PostgreSQL manual, appendix A). */
const notNow = /^(08|53300$|57P0[1-5]$)/
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
