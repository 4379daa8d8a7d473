import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { asUnavailable, DatabaseUnavailable } from './database-unavailable.ts'
import type { Database, Db, Engine, RunScript, Tables } from './database.ts'
import { DatabaseClient, type ClientSettings } from './driver/database-client.ts'
import { SnakeCaseCompiler } from './driver/snake-case.ts'
import { SharingDriver, type Connections } from './driver/sharing-driver.ts'

/** Ids, counts and sums fit in 53 bits by contract (section 1), so int8 is a number here. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

/** How long a readiness check waits for the database. */
export const pingTimeoutMs = 2_000

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
export const databaseOver = (
  pool: pg.Pool,
  engine: Engine,
  durable?: () => Promise<void>,
): Omit<Database, 'listen' | 'copyOut'> => {
  const db = kyselyOver({ connect: () => connect(pool), end: () => pool.end(), durable })
  return {
    engine,
    db,
    unsynced: db,
    scriptTransaction: async (work) => {
      try {
        return await scriptTransaction(pool, work)
      } finally {
        await durable?.()
      }
    },
    load: () => ({ connections: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    ping: () => inTime(ask(pool, 'select 1'), pingTimeoutMs),
    close: async () => {
      await db.destroy()
      // Kysely ends the pool only if it ever used it.
      if (!pool.ended) await pool.end()
    },
  }
}

/** The query builder over connections. */
export const kyselyOver = (connections: Connections): Db => {
  const dialect = new PostgresDialect({ pool: async () => Promise.reject(new Error('The driver connects.')) })
  dialect.createQueryCompiler = () => new SnakeCaseCompiler()
  dialect.createDriver = () => new SharingDriver(connections)
  return new Kysely<Tables>({ dialect })
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

/** @throws DatabaseUnavailable when the answer does not come in time. */
export const inTime = async <T>(answer: Promise<T>, limitMs: number): Promise<T> => {
  const stop = new AbortController()
  const late = sleep(limitMs, undefined, { signal: stop.signal, ref: false }).then(() => {
    throw new DatabaseUnavailable(`no answer within ${limitMs / 1_000} s`)
  })
  // Whoever stopped waiting does not want to hear of it.
  for (const loser of [answer, late]) loser.catch(() => undefined)
  try {
    return await Promise.race([answer, late])
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
