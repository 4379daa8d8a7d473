import pg from 'pg'
import type { Database } from './database.ts'
import { databaseOver, openPool } from './pool-database.ts'

export interface PostgresOptions {
  readonly url: string
  readonly poolSize: number
}

/** Opens a pool on a PostgreSQL server (15 or newer). Throws when it does not answer. */
export const openPostgres = async ({ url, poolSize }: PostgresOptions): Promise<Database> => {
  const settings = { connectionString: url, application_name: 'waybill', options: '-c timezone=UTC' }
  const pool = await openPool({ ...settings, max: poolSize, connectionTimeoutMillis: 10_000 })
  return {
    ...databaseOver(pool, 'postgres'),
    listen: (channel, onMessage) => listenForever(settings, channel, onMessage),
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
