import type { Kysely, Transaction } from 'kysely'

/**
 * Every table the server has. Each slice declares its own by merging into this interface, so no
 * file has to know them all:
 *
 *     declare module '#platform/db/database.ts' { interface Tables { hooks: HooksTable } }
 */
export interface Tables {}

/** The pool: each query may run on another connection, and commits by itself. */
export type Db = Kysely<Tables>

/** One open transaction. Inside it use only this, never the pool (on PGlite that deadlocks). */
export type Tx = Transaction<Tables>

export type Engine = 'pglite' | 'postgres'

/** Runs a script of one or more statements, or one statement with parameters, on one connection. */
export type RunScript = (sql: string, parameters?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>

/** An open database: the same PostgreSQL dialect whether it is embedded or a server. */
export interface Database {
  readonly engine: Engine
  readonly db: Db
  /** One transaction for scripts of many statements (migrations), which the query builder cannot send. */
  scriptTransaction<T>(work: (run: RunScript) => Promise<T>): Promise<T>
  /** Calls back on every notification of a channel until the returned function is called. */
  listen(channel: string, onMessage: (payload: string) => void): Promise<() => Promise<void>>
  /** Throws when the database does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}
