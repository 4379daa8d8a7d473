import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '#platform/db/database.ts'

/**
 * Tells, here and in other processes, of which deliveries an attempt has been written. Best effort, for those who watch:
 * a process that is killed takes with it what it has not told of its last moments.
 */
export interface Written {
  /** Call after commit. */
  (deliveryIds: readonly number[]): void
  /** Calls back until the returned function is called. `onGap`: something may have been missed. */
  listen(onWritten: (deliveryIds: readonly number[]) => void, onGap: () => void): Promise<() => Promise<void>>
  stop(): Promise<void>
}

const channel = 'waybill_written'
/** PostgreSQL takes a global lock for each notifying commit, and nobody sees the difference. */
const collectMs = 100
/** A notification holds at most 8,000 bytes; an id takes up to 11 digits to the base of 36. */
const maxIds = 600

export const makeWritten = (database: Pick<Database, 'db' | 'engine' | 'listen'>, log: Logger): Written => {
  const self = randomUUID()
  const listeners = new Set<(deliveryIds: readonly number[]) => void>()
  const hasOthers = database.engine === 'postgres'
  let collected: number[] = []
  let timer: NodeJS.Timeout | undefined
  let telling: Promise<void> = Promise.resolve()

  const tell = async (): Promise<void> => {
    timer = undefined
    const ids = [...new Set(collected)].map((id) => id.toString(36))
    collected = []
    try {
      for (let from = 0; from < ids.length; from += maxIds)
        await sql`select pg_notify(${channel}, ${[self, ...ids.slice(from, from + maxIds)].join(' ')})`.execute(
          database.db,
        )
    } catch (error) {
      log.warn({ err: error }, 'written.notify_failed')
    }
  }
  const written = (ids: readonly number[]): void => {
    for (const listener of listeners) listener(ids)
    if (!hasOthers) return
    collected.push(...ids)
    timer ??= setTimeout(() => {
      telling = tell()
    }, collectMs)
  }

  return Object.assign(written, {
    listen: async (onWritten: (deliveryIds: readonly number[]) => void, onGap: () => void) => {
      const receive = (payload: string): void => {
        const [from, ...ids] = payload.split(' ')
        if (from !== self) onWritten(ids.map((digits) => Number.parseInt(digits, 36)))
      }
      const stop = await database.listen(channel, receive, onGap)
      listeners.add(onWritten)
      return async () => {
        listeners.delete(onWritten)
        await stop()
      }
    },
    stop: async () => {
      clearTimeout(timer)
      if (timer !== undefined) await tell()
      await telling
    },
  })
}
