import type { Db, Tx } from './database.ts'
import { isRetryable } from './sql-errors.ts'

/** Callbacks to run once a transaction has committed. Held beside it, so no signature has to carry them. */
const commitHooks = new WeakMap<Tx, (() => void)[]>()

const maxTries = 4

/**
 * Runs `work` in one transaction, and again from the start when PostgreSQL asks for that (deadlock,
 * serialization failure), so `work` must touch nothing but `tx`.
 * @throws whatever `work` throws, after a rollback; or the last database error after 4 tries.
 */
export const inTransaction = async <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    const hooks: (() => void)[] = []
    try {
      const result = await db.transaction().execute((tx) => {
        commitHooks.set(tx, hooks)
        return work(tx)
      })
      for (const hook of hooks) hook()
      return result
    } catch (error) {
      if (attempt >= maxTries || !isRetryable(error)) throw error
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
  const hooks = commitHooks.get(tx)
  if (hooks === undefined) throw new Error('afterCommit needs a transaction opened by inTransaction')
  hooks.push(hook)
}
