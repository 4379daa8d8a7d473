import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Tx } from './database.ts'
import { isRetryable } from './sql-errors.ts'

interface Hooks {
  readonly committed: (() => void)[]
  readonly rolledBack: (() => void)[]
}

/** Callbacks to run once a transaction has ended. Held beside it, so no signature has to carry them. */
const hooksOf = new WeakMap<Tx, Hooks>()

const maxTries = 5
/** A random wait up to this, times the tries made, lets those go on who waited: at once, it could take from them what they want next. */
const maxWaitMs = 25

/**
 * Runs `work` in one transaction, and again from the start when PostgreSQL asks for that (deadlock,
 * serialization failure), so `work` must touch nothing but `tx`.
 * @throws whatever `work` throws, after a rollback; or the last database error after 5 tries.
 */
export const inTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  retried(async () => {
    const hooks: Hooks = { committed: [], rolledBack: [] }
    const result = await db
      .transaction()
      .execute((tx) => {
        hooksOf.set(tx, hooks)
        return work(tx)
      })
      .catch((error: unknown) => {
        for (const hook of hooks.rolledBack) hook()
        throw error
      })
    for (const hook of hooks.committed) hook()
    return result
  })

/** Runs what is one transaction by itself, and again when PostgreSQL asks for that. @throws the last error after 5 tries. */
export const retried = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= maxTries || !isRetryable(error)) throw error
      await sleep(Math.random() * maxWaitMs * attempt)
    }
  }
}

/**
 * Does long work in steps, each in a transaction of its own. What was killed between two of them goes on when it is done again.
 * @param step returns whether another step comes after it.
 * @throws the reason of `signal` when that is aborted before a step.
 */
export const inSteps = async (db: Db, signal: AbortSignal, step: (tx: Tx) => Promise<boolean>): Promise<void> => {
  do signal.throwIfAborted()
  while (await inTransaction(db, step))
}

/** Calls `hook` after `tx` has committed, never when it rolls back. `tx` must come from `inTransaction`. */
export const afterCommit = (tx: Tx, hook: () => void): void => {
  openHooks(tx).committed.push(hook)
}

/** Calls `hook` after `tx` was rolled back, or the answer to its commit was lost. `tx` must come from `inTransaction`. */
export const afterRollback = (tx: Tx, hook: () => void): void => {
  openHooks(tx).rolledBack.push(hook)
}

const openHooks = (tx: Tx): Hooks => {
  const hooks = hooksOf.get(tx)
  if (hooks === undefined) throw new Error('A hook needs a transaction opened by inTransaction.')
  return hooks
}
