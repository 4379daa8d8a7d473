import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import type pg from 'pg'
import type { DatabaseClient } from './database-client.ts'
import { PreparedByUse } from '../prepared.ts'
import { isSelect, SharedSelects } from './shared-selects.ts'

export interface Connections {
  readonly connect: () => Promise<pg.PoolClient>
  readonly end: () => Promise<void>
  /** Resolves when what was done over connections given back so far cannot be lost; absent: at once. */
  readonly durable?: (() => Promise<void>) | undefined
}

/**
 * Takes a connection when one is needed: not for a select that stands alone, which is sent with others, and for a transaction
 * not before its first statement, which is sent together with its beginning.
 */
export class SharingDriver implements Driver {
  readonly #connections: Connections
  readonly #selects: SharedSelects
  readonly #preparedByUse = new PreparedByUse()

  constructor(connections: Connections) {
    this.#connections = connections
    this.#selects = new SharedSelects(connections.connect, connections.durable)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<LazyConnection> {
    return new LazyConnection(this.#connections.connect, this.#selects, this.#preparedByUse)
  }

  async beginTransaction(
    connection: LazyConnection,
    settings: Parameters<Driver['beginTransaction']>[1],
  ): Promise<void> {
    const { isolationLevel, accessMode = '' } = settings
    connection.begin(
      isolationLevel === undefined ? `begin ${accessMode}` : `begin isolation level ${isolationLevel} ${accessMode}`,
    )
  }

  async commitTransaction(connection: LazyConnection): Promise<void> {
    // PostgreSQL completes it with ROLLBACK when a statement failed and its error was swallowed.
    if ((await connection.end('commit')) === 'ROLLBACK')
      throw new Error('The transaction was rolled back: a statement of it failed.')
  }

  async rollbackTransaction(connection: LazyConnection): Promise<void> {
    await connection.end('rollback')
  }

  async releaseConnection(connection: LazyConnection): Promise<void> {
    // Results are passed on when the connection has been given back, so this is where all of them wait.
    if (connection.release()) await this.#connections.durable?.()
  }

  async destroy(): Promise<void> {
    await this.#connections.end()
  }
}

type Client = pg.PoolClient & DatabaseClient
type PgResult = pg.QueryResult<object>

class LazyConnection implements DatabaseConnection {
  readonly #connect: () => Promise<pg.PoolClient>
  readonly #selects: SharedSelects
  readonly #preparedByUse: PreparedByUse
  #connecting: Promise<pg.PoolClient> | undefined
  #client: Client | undefined
  /** The statement that begins the transaction, until it is sent. */
  #beginning: string | undefined
  /** Whatever is still asked then must not become a transaction of its own. */
  #hasEnded = false
  #isBroken = false

  constructor(connect: () => Promise<pg.PoolClient>, selects: SharedSelects, preparedByUse: PreparedByUse) {
    this.#connect = connect
    this.#selects = selects
    this.#preparedByUse = preparedByUse
  }

  begin(statement: string): void {
    this.#beginning = statement
  }

  /** @returns what PostgreSQL did; undefined when the transaction had not begun. */
  async end(statement: 'commit' | 'rollback'): Promise<string | undefined> {
    this.#hasEnded = true
    if (this.#connecting === undefined) return undefined
    try {
      const client = (await this.#connecting) as Client
      return (await client.query(statement)).command
    } catch (error) {
      this.#isBroken = true
      throw error
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (query.query.kind !== 'RawNode' || isSelect(query)) this.#preparedByUse.note(query)
    const isAlone = this.#connecting === undefined && this.#beginning === undefined
    if (isAlone && isSelect(query)) return (await this.#selects.run(query)) as QueryResult<R>
    const { command, rowCount, rows } = await this.#ask(query)
    const isChange = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(command)
    return { ...(isChange && { numAffectedRows: BigInt(rowCount ?? 0) }), rows: (rows ?? []) as R[] }
  }

  // oxlint-disable-next-line require-yield -- it is part of the interface, and nothing streams
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows are not streamed through this driver.')
  }

  /** @returns whether there was one to give back. */
  release(): boolean {
    this.#client?.release(this.#isBroken)
    return this.#client !== undefined
  }

  async #ask({ sql, parameters }: CompiledQuery): Promise<PgResult> {
    if (this.#hasEnded) throw new Error('The transaction has ended.')
    this.#connecting ??= this.#connect()
    const client = (this.#client = (await this.#connecting) as Client)
    const beginning = this.#beginning
    this.#beginning = undefined
    const begun = beginning === undefined ? undefined : client.query(beginning)
    const [result] = await Promise.all([client.query(sql, [...parameters]), begun])
    return result
  }
}
