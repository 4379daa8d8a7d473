import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '#platform/db/database.ts'

/** Tells workers, here and in other processes, that something may be due. Best effort: what gets lost is found by looking. */
export interface Wake {
  /** Call after commit. */
  (subscriptionIds: readonly number[]): void
  /** Calls back with what was woken, here or elsewhere; `null` means anything may be due. */
  onWake(listener: (subscriptionIds: readonly number[] | null) => void): void
  start(): Promise<void>
  stop(): Promise<void>
}

const channel = 'waybill_due'
/** Time that notices are collected for: PostgreSQL takes a global lock for each notifying commit. */
const collectMs = 5
/** A notification holds at most 8,000 bytes. */
const mostIds = 500

export const makeWake = (database: Database, log: Logger): Wake => {
  const self = randomUUID()
  const listeners: ((ids: readonly number[] | null) => void)[] = []
  const collected = new Set<number>()
  const hasOthers = database.engine === 'postgres'
  let timer: NodeJS.Timeout | undefined
  let stopListening: (() => Promise<void>) | undefined
  let sending: Promise<void> = Promise.resolve()

  const notify = async (): Promise<void> => {
    timer = undefined
    const ids = [...collected]
    collected.clear()
    const payload = `${self} ${ids.length > mostIds ? '*' : ids.join(',')}`
    try {
      await sql`select pg_notify(${channel}, ${payload})`.execute(database.db)
    } catch (error) {
      log.warn({ err: error }, 'wake.notify_failed')
    }
  }
  const receive = (payload: string): void => {
    const [from, list = '*'] = payload.split(' ')
    if (from === self) return
    const ids = list === '*' ? null : list.split(',').map(Number)
    for (const listener of listeners) listener(ids)
  }

  const wake = (ids: readonly number[]): void => {
    for (const listener of listeners) listener(ids)
    if (!hasOthers) return
    for (const id of ids) collected.add(id)
    timer ??= setTimeout(() => {
      sending = notify()
    }, collectMs)
  }

  return Object.assign(wake, {
    onWake: (listener: (ids: readonly number[] | null) => void) => {
      listeners.push(listener)
    },
    start: async () => {
      if (hasOthers) stopListening = await database.listen(channel, receive)
    },
    stop: async () => {
      if (timer !== undefined) {
        clearTimeout(timer)
        await notify()
      }
      await sending
      await stopListening?.()
    },
  })
}
