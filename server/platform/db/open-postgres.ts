import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { plugins } from './plugins.ts'
import { preparedName } from './prepared.ts'
import type { Database, RunScript, Tables } from './database.ts'

export interface PostgresOptions {
  readonly url: string
  readonly poolSize: number
}

/** Ids, counts and sums fit in 53 bits by contract (section 1), so int8 is a number here. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

/** A connection that sends the statements registered as hot by name, so the server parses each once. */
class PreparingClient extends pg.Client {
  override query = ((text: unknown, values?: unknown, ...rest: unknown[]) => {
    const name = typeof text === 'string' ? preparedName(text) : undefined
    const query = name === undefined ? text : { name, text }
    return Reflect.apply(super.query, this, [query, values, ...rest]) as unknown
  }) as pg.Client['query']
}

/** Opens a pool on a PostgreSQL server (15 or newer). Throws when it does not answer. */
export const openPostgres = async ({ url, poolSize }: PostgresOptions): Promise<Database> => {
  const settings = { connectionString: url, types, application_name: 'waybill', options: '-c timezone=UTC' }
  const pool = new pg.Pool({ ...settings, max: poolSize, Client: PreparingClient, connectionTimeoutMillis: 10_000 })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  await pool.query('select 1')

  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins })

  return {
    engine: 'postgres',
    db,
    scriptTransaction: async (work) => {
      const client = await pool.connect()
      const run: RunScript = async (sql, parameters) =>
        (await client.query<Record<string, unknown>>(sql, parameters === undefined ? undefined : [...parameters]))
          .rows ?? []
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
    },
    listen: (channel, onMessage) => listenForever(settings, channel, onMessage),
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

const reconnectAfterMs = 1_000

/** Keeps one connection listening, and opens a new one when it breaks. What was sent meanwhile is found by polling. */
const listenForever = async (
  settings: pg.ClientConfig,
  channel: string,
  onMessage: (payload: string) => void,
): Promise<() => Promise<void>> => {
  let stopped = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ ...settings, keepAlive: true })
    client = next
    next.on('notification', (message) => onMessage(message.payload ?? ''))
    next.on('error', () => undefined)
    next.on('end', retryLater)
    await next.connect()
    await next.query(`listen ${pg.escapeIdentifier(channel)}`)
  }
  const retryLater = (): void => {
    if (stopped) return
    clearTimeout(timer)
    timer = setTimeout(() => void connect().catch(retryLater), reconnectAfterMs)
  }

  await connect()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await client?.end()
  }
}
