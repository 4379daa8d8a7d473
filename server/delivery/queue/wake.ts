import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '#platform/db/database.ts'
import type { Lane } from '../tables/tables.ts'

/** Tells workers, here and in other processes, that something may be due. Best effort: what gets lost is found by looking. */
export interface Wake {
  /** Call after commit. `lane` is that of new deliveries unless it is said otherwise. */
  (subscriptionIds: readonly number[], lane?: Lane): void
  /** Calls back with what was woken, here or elsewhere; `null` means anything may be due. */
  onWake(listener: WakeListener): void
  start(): Promise<void>
  stop(): Promise<void>
}

type WakeListener = (subscriptionIds: readonly number[] | null, lane: Lane) => void

const channel = 'waybill_due'
/** Time that notices are collected for: PostgreSQL takes a global lock for each notifying commit. */
const collectMs = 5
/** A notification holds at most 8,000 bytes. */
const maxIds = 400

export const makeWake = (database: Database, log: Logger): Wake => {
  const self = randomUUID()
  const listeners: WakeListener[] = []
  const collected = [new Set<number>(), new Set<number>()] as const
  const hasOthers = database.engine === 'postgres'
  let timer: NodeJS.Timeout | undefined
  let stopListening: (() => Promise<void>) | undefined
  let sending: Promise<void> = Promise.resolve()

  const notify = async (): Promise<void> => {
    timer = undefined
    const isTooMany = collected[0].size + collected[1].size > maxIds
    const lists = collected.map((set) => (isTooMany && set.size > 0 ? '*' : [...set].join(',')))
    for (const set of collected) set.clear()
    try {
      await sql`select pg_notify(${channel}, ${[self, ...lists].join(' ')})`.execute(database.db)
    } catch (error) {
      log.warn({ err: error }, 'wake.notify_failed')
    }
  }
  /** Notices of others may have been missed. */
  const anything = (): void => {
    for (const lane of [0, 1] as const) for (const listener of listeners) listener(null, lane)
  }
  const receive = (payload: string): void => {
    const [from, ...lists] = payload.split(' ')
    if (from === self) return
    for (const lane of [0, 1] as const) {
      const list = lists[lane] ?? '*'
      if (list === '') continue
      const ids = list === '*' ? null : list.split(',').map(Number)
      for (const listener of listeners) listener(ids, lane)
    }
  }

  const wake = (ids: readonly number[], lane: Lane = 0): void => {
    for (const listener of listeners) listener(ids, lane)
    if (!hasOthers) return
    for (const id of ids) collected[lane].add(id)
    timer ??= setTimeout(() => {
      sending = notify()
    }, collectMs)
  }

  return Object.assign(wake, {
    onWake: (listener: WakeListener) => {
      listeners.push(listener)
    },
    start: async () => {
      if (hasOthers) stopListening = await database.listen(channel, receive, () => anything())
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
