import type { Readable } from 'node:stream'
import type pg from 'pg'
import { to } from 'pg-copy-streams'
import { asUnavailable } from './database-unavailable.ts'
import type { Database } from './database.ts'
import { DatabaseClient, type ClientSettings } from './driver/database-client.ts'

type CopyOut = Database['copyOut']

/** Copies over connections of their own: what is read slowly keeps none of the pool, and what is broken off is simply closed. */
export const copyOverOwnConnection = (settings: ClientSettings): CopyOut =>
  async function* (statement, signal) {
    const client = new DatabaseClient(settings)
    // The query that is under way says so as well.
    client.on('error', () => undefined)
    try {
      await client.connect()
      yield* copied(client, statement, signal)
      await client.end()
    } catch (error) {
      throw asUnavailable(error)
    } finally {
      client.breakOff('the copy has ended')
    }
  }

/** Copies over the only connection that there is, and gives it back before anything is read. That much is not broken off. */
export const copyAtOnce = (pool: pg.Pool, durable: () => Promise<void>): CopyOut =>
  async function* (statement, signal) {
    signal.throwIfAborted()
    const client = await pool.connect()
    const chunks: Buffer[] = []
    try {
      for await (const chunk of streamOf(client, statement)) chunks.push(chunk)
    } finally {
      client.release()
    }
    await durable()
    for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
      yield chunk
      signal.throwIfAborted()
    }
  }

async function* copied(client: pg.ClientBase, statement: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  signal.throwIfAborted()
  const stream = streamOf(client, statement)
  const stop = (): void => void stream.destroy(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of stream) yield chunk
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const streamOf = (client: pg.ClientBase, statement: string): AsyncIterable<Buffer> & Pick<Readable, 'destroy'> =>
  client.query(to(statement))
