import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'

/** Does work and takes it back. @returns what it answered. */
export const undone = async <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> => {
  const taken: { answer?: T } = {}
  const takeBack = new Error('This was a dry run.')
  await inTransaction(db, async (tx) => {
    taken.answer = await work(tx)
    throw takeBack
  }).catch((error: unknown) => {
    if (error !== takeBack) throw error
  })
  return taken.answer as T
}
