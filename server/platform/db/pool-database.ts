import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database, Engine, RunScript, Tables } from './database.ts'
import { plugins } from './plugins.ts'
import { preparedName } from './prepared.ts'

/** Ids, counts and sums fit in 53 bits by contract (section 1), so int8 is a number here. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

/** A connection that sends the statements registered as hot by name, so the database parses each once. */
class PreparingClient extends pg.Client {
  override query = ((text: unknown, values?: unknown, ...rest: unknown[]) => {
    const name = typeof text === 'string' ? preparedName(text) : undefined
    const query = name === undefined ? text : { name, text }
    return Reflect.apply(super.query, this, [query, values, ...rest]) as unknown
  }) as pg.Client['query']
}

/** A pool with this server's types and prepared statements. Throws when the database does not answer. */
export const openPool = async (settings: pg.PoolConfig): Promise<pg.Pool> => {
  const pool = new pg.Pool({ ...settings, types, Client: PreparingClient })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  // So would one that breaks between two queries of a transaction; the next query tells.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  await pool.query('select 1')
  return pool
}

/** What both engines do alike, because both are spoken to through the same client. */
export const databaseOver = (pool: pg.Pool, engine: Engine): Omit<Database, 'listen'> => {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins })
  return {
    engine,
    db,
    scriptTransaction: (work) => scriptTransaction(pool, work),
    ping: async () => {
      await pool.query('select 1')
    },
    close: async () => {
      await db.destroy()
      // Kysely ends the pool only if it ever used it.
      if (!pool.ended) await pool.end()
    },
  }
}

const scriptTransaction = async <T>(pool: pg.Pool, work: (run: RunScript) => Promise<T>): Promise<T> => {
  const client = await pool.connect()
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
    client.release()
  }
}
