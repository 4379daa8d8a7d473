import pg from 'pg'
import { copyOverOwnConnection } from './copy-out.ts'
import type { Database } from './database.ts'
import { DatabaseClient, type ClientSettings } from './driver/database-client.ts'
import { databaseOver, openPool } from './pool-database.ts'

export interface PostgresOptions {
  readonly url: string
  readonly poolSize: number
  /** How long a statement may go without an answer before its connection is taken for dead: 30 s unless said otherwise. */
  readonly answerTimeoutMs?: number
  /** What the process says of itself to others, for as long as it listens. */
  readonly announced?: readonly SharedLock[]
}

/**
 * A shared advisory lock: nobody waits for it, everybody sees it in `pg_locks`, and PostgreSQL lets go of it when the
 * process dies. Both numbers are those of pg_advisory_lock_shared(int, int), 0 to 2³¹ − 1.
 */
export interface SharedLock {
  /** What kind of thing is said. */
  readonly kind: number
  readonly value: number
}

/** Far more than any statement of this server takes, and no more than a lease lasts. */
const defaultAnswerTimeoutMs = 30_000
const connectTimeoutMs = 10_000

/**
 * What the server's end of a connection is told: to notice when this end is gone, so that what a dead
 * process had locked does not stay locked. Transactions here never wait for anything but the database.
 */
const sessionSettings = (answerTimeoutMs: number): string =>
  Object.entries({
    timezone: 'UTC',
    // Compiling a statement takes 50 to 100 ms and pays for reports over much data, which nobody asks of this server.
    jit: 'off',
    idle_in_transaction_session_timeout: answerTimeoutMs,
    tcp_keepalives_idle: 30,
    tcp_keepalives_interval: 10,
    tcp_keepalives_count: 3,
    tcp_user_timeout: answerTimeoutMs,
  })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/** Opens a pool on a PostgreSQL server (15 or newer). @throws DatabaseUnavailable when it does not answer. */
export const openPostgres = async (options: PostgresOptions): Promise<Database> => {
  const { url, poolSize, answerTimeoutMs = defaultAnswerTimeoutMs, announced = [] } = options
  const settings: ClientSettings = {
    connectionString: url,
    application_name: 'waybill',
    options: sessionSettings(answerTimeoutMs),
    connectionTimeoutMillis: connectTimeoutMs,
    answerTimeoutMs,
    // Finds out that the other end is gone when there is nothing to send.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
  const pool = await openPool({ ...settings, max: poolSize })
  return {
    ...databaseOver(pool, 'postgres'),
    copyOut: copyOverOwnConnection(settings),
    listen: (channel, onMessage, onGap = () => undefined) =>
      listenForever({ settings, announced, channel, onMessage, onGap }),
  }
}

const reconnectAfterMs = 1_000
/** A listening connection has nothing to send, so it asks so often whether the other end is there, and waits as long for the answer. */
const askEveryMs = 5_000

interface Listening {
  readonly settings: ClientSettings
  readonly announced: readonly SharedLock[]
  readonly channel: string
  readonly onMessage: (payload: string) => void
  readonly onGap: () => void
}

/** Keeps one connection listening, and opens a new one when it breaks. What was sent meanwhile is found by polling. */
const listenForever = async ({
  settings,
  announced,
  channel,
  onMessage,
  onGap,
}: Listening): Promise<() => Promise<void>> => {
  let stopped = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  const answerTimeoutMs = Math.min(settings.answerTimeoutMs ?? askEveryMs, askEveryMs)
  const connect = async (): Promise<void> => {
    const next = new DatabaseClient({ ...settings, answerTimeoutMs })
    next.on('notification', (message) => onMessage(message.payload ?? ''))
    next.on('error', () => undefined)
    next.on('end', retryLater)
    await next.connect()
    for (const { kind, value } of announced) await next.query('select pg_advisory_lock_shared($1, $2)', [kind, value])
    await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    client = next
    if (stopped) await next.end()
  }
  const retryLater = (): void => {
    client = undefined
    if (stopped) return
    clearTimeout(timer)
    timer = setTimeout(() => void connect().then(onGap, retryLater), reconnectAfterMs)
  }

  await connect()
  const asking = setInterval(() => void client?.query('select 1').catch(() => undefined), answerTimeoutMs)
  return async () => {
    stopped = true
    clearInterval(asking)
    clearTimeout(timer)
    await client?.end()
  }
}
