import type { Db, Tx } from '#platform/db/database.ts'
import { findBasket, lockBasket, makeBasket } from './store.ts'

/**
 * The basket that a user fills, held until the transaction ends: changes of one basket come one after the other, and what
 * they have read of it stays true. The first look makes it.
 */
export const holdBasket = (tx: Tx, userId: number): Promise<number> => ensured(tx, userId, lockBasket)

/** The same without holding it. */
export const openBasket = (db: Db, userId: number): Promise<number> => ensured(db, userId, findBasket)

const ensured = async <T extends Db | Tx>(
  db: T,
  userId: number,
  find: (db: T, userId: number) => Promise<number | undefined>,
): Promise<number> => {
  const known = await find(db, userId)
  if (known !== undefined) return known
  await makeBasket(db, userId)
  // Whoever saved it in between leaves none.
  return (await find(db, userId)) ?? ensured(db, userId, find)
}
