import type { Generated, Kysely, Transaction } from 'kysely'

/**
 * Every table the server has. Each slice declares its own by merging into this interface, so no
 * file has to know them all:
 *
 *     declare module '#platform/db/database.ts' { interface Tables { hooks: HooksTable } }
 */
export interface Tables {}

/** The table of such rows, which get their ids from the database. */
export type WithGeneratedId<Row> = Omit<Row, 'id'> & { readonly id: Generated<number> }

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
  /**
   * The same for work that is done again when it is lost. The embedded database answers before that is on the disk: a power
   * cut, or the death of the process, takes what was committed in the last fifth of a second, and never keeps what was
   * committed after it. What it reads can be lost too, so it is not for answers. On PostgreSQL it is `db`.
   */
  readonly unsynced: Db
  /** One transaction for scripts of many statements (migrations), which the query builder cannot send. */
  scriptTransaction<T>(work: (run: RunScript) => Promise<T>): Promise<T>
  /**
   * The output of `COPY (…) TO STDOUT`: one statement, so one state of the database, whatever others commit meanwhile. On
   * PostgreSQL it comes over a connection of its own, as fast as it is read; the embedded database makes all of it at once.
   * @throws DatabaseUnavailable, or what the database says; an abort error when `signal` is aborted.
   */
  copyOut(statement: string, signal: AbortSignal): AsyncIterable<Buffer>
  /**
   * Calls back on every notification of a channel until the returned function is called.
   * @param onGap called when it listens again after its connection was lost: what was sent meanwhile is lost.
   */
  listen(channel: string, onMessage: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>
  /** Throws when the database does not answer. */
  ping(): Promise<void>
  load(): DatabaseLoad
  close(): Promise<void>
}

/** How busy the connections of this process are. */
export interface DatabaseLoad {
  readonly connections: number
  readonly idle: number
  /** Who waits for a connection; of the embedded database also statements that its thread has not answered. */
  readonly waiting: number
}
