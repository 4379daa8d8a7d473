import { setTimeout as sleep } from 'node:timers/promises'
import {
  CamelCasePlugin,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  type PostgresDialectConfig,
  type PostgresPool,
} from 'kysely'
import pg from 'pg'
import { asUnavailable, DatabaseUnavailable } from './database-unavailable.ts'
import type { Database, Db, Engine, RunScript, Tables } from './database.ts'
import { preparedName } from './prepared.ts'

/** Ids, counts and sums fit in 53 bits by contract (section 1), so int8 is a number here. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

/** Columns are snake_case in SQL and camelCase in TypeScript; what is inside a JSON column is left as it is. */
const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })]

export interface ClientSettings extends pg.ClientConfig {
  /** How long an answer may take before the connection is taken for dead; without it any time. */
  readonly answerTimeoutMs?: number
}

/** How long a readiness check waits for the database. */
const pingTimeoutMs = 2_000

/**
 * A connection that sends the statements registered as hot by name, so the database parses each once,
 * and that does not wait for ever: when the network swallows what is sent, nobody ever says so.
 */
export class DatabaseClient extends pg.Client {
  /** Without limit while statements run of which nobody knows how long they take. */
  answerTimeoutMs: number | undefined

  constructor(settings?: string | ClientSettings) {
    super(settings)
    this.answerTimeoutMs = typeof settings === 'object' ? settings.answerTimeoutMs : undefined
  }

  override query = ((text: unknown, values?: unknown, ...rest: unknown[]): unknown => {
    const name = typeof text === 'string' ? preparedName(text) : undefined
    const query = name === undefined ? text : { name, text }
    const isCalledBack = [values, ...rest].some((argument) => typeof argument === 'function')
    return isCalledBack || isSubmittable(query)
      ? Reflect.apply(super.query, this, [query, values, ...rest])
      : this.#answerTo(query, values)
  }) as pg.Client['query']

  /**
   * Asked with a callback: of the promises that the client makes itself, each keeps the one before it, and all their rows,
   * from the young collections of garbage, so that these take 8 ms instead of half a millisecond.
   */
  #answerTo(query: unknown, values: unknown): Promise<unknown> {
    const limit = this.answerTimeoutMs
    const timer =
      limit === undefined ? undefined : setTimeout(() => this.breakOff(`no answer within ${limit / 1_000} s`), limit)
    return new Promise((resolve, reject) => {
      const done = (error: unknown, result: unknown): void => {
        clearTimeout(timer)
        if (error === null || error === undefined) resolve(result)
        else reject(asUnavailable(error))
      }
      Reflect.apply(super.query, this, [query, values, done])
    })
  }

  /** Closes it at once. The client rejects what waits for an answer, and the pool takes another connection. */
  breakOff(reason: string): void {
    const { connection } = this as unknown as { connection: { stream: { destroy(error: Error): void } } }
    connection.stream.destroy(new Error(`Connection terminated: ${reason}`))
  }
}

/** A query that reads its answer itself, such as a COPY. */
const isSubmittable = (query: unknown): boolean =>
  typeof query === 'object' && query !== null && 'submit' in query && typeof query.submit === 'function'

/** A pool with this server's types and prepared statements. @throws DatabaseUnavailable when the database does not answer. */
export const openPool = async (settings: pg.PoolConfig & ClientSettings): Promise<pg.Pool> => {
  const pool = new pg.Pool({ ...settings, types, Client: DatabaseClient })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  // So would one that breaks between two queries of a transaction; the next query tells.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  await ask(pool, 'select 1')
  return pool
}

/**
 * What both engines do alike, because both are spoken to through the same client.
 * @param durable resolves when what was done over connections given back so far cannot be lost; nothing is told before.
 */
export const databaseOver = (pool: pg.Pool, engine: Engine, durable = atOnce): Omit<Database, 'listen' | 'copyOut'> => {
  const db = kyselyOver({ connect: () => connect(pool), end: () => pool.end() }, durable)
  return {
    engine,
    db,
    unsynced: db,
    scriptTransaction: async (work) => {
      try {
        return await scriptTransaction(pool, work)
      } finally {
        await durable()
      }
    },
    ping: () => inTime(ask(pool, 'select 1'), pingTimeoutMs),
    close: async () => {
      await db.destroy()
      // Kysely ends the pool only if it ever used it.
      if (!pool.ended) await pool.end()
    },
  }
}

const atOnce = async (): Promise<void> => undefined

/** The query builder over connections. @param durable as for `databaseOver`. */
export const kyselyOver = (pool: Omit<PostgresPool, 'options'>, durable = atOnce): Db => {
  const settings = { pool: { ...pool, options: {} } }
  const dialect = new PostgresDialect(settings)
  dialect.createDriver = () => new DurableDriver(settings, durable)
  return new Kysely<Tables>({ dialect, plugins })
}

/** Kysely passes results on when the connection has been given back, so this is where all of them wait. */
class DurableDriver extends PostgresDriver {
  readonly #durable: () => Promise<void>

  constructor(settings: PostgresDialectConfig, durable: () => Promise<void>) {
    super(settings)
    this.#durable = durable
  }

  override async releaseConnection(connection: Parameters<PostgresDriver['releaseConnection']>[0]): Promise<void> {
    await super.releaseConnection(connection)
    await this.#durable()
  }
}

export const connect = async (pool: pg.Pool): Promise<pg.PoolClient> => {
  try {
    return await pool.connect()
  } catch (error) {
    throw asUnavailable(error)
  }
}

const ask = async (pool: pg.Pool, statement: string): Promise<void> => {
  const client = await connect(pool)
  try {
    await client.query(statement)
  } finally {
    client.release()
  }
}

const inTime = async (answer: Promise<void>, limitMs: number): Promise<void> => {
  const stop = new AbortController()
  const late = sleep(limitMs, 'late' as const, { signal: stop.signal, ref: false }).catch(() => undefined)
  // Whoever stopped waiting does not want to hear of it.
  answer.catch(() => undefined)
  try {
    if ((await Promise.race([answer, late])) === 'late')
      throw new DatabaseUnavailable(`no answer within ${limitMs / 1_000} s`)
  } finally {
    stop.abort()
  }
}

const scriptTransaction = async <T>(pool: pg.Pool, work: (run: RunScript) => Promise<T>): Promise<T> => {
  const client = (await connect(pool)) as pg.PoolClient & DatabaseClient
  const { answerTimeoutMs } = client
  client.answerTimeoutMs = undefined
  const run: RunScript = async (sql, parameters) => {
    const values = parameters === undefined ? undefined : [...parameters]
    return (await client.query<Record<string, unknown>>(sql, values)).rows
  }
  try {
    await client.query('begin')
    const result = await work(run)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.answerTimeoutMs = answerTimeoutMs
    client.release()
  }
}
