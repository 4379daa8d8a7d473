import type { Static } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { basketToWire, type BasketLine } from './basket.ts'
import { putItems } from './draft-store.ts'
import type { BasketShape } from './schemas.ts'
import { findBasket, lockBasket, makeBasket, readBasket, removeAll } from './store.ts'

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

/**
 * Empties the basket of a user, as part of what is made of it. Of two who take it at once the second waits for the first,
 * and gets an empty one.
 * @returns its lines in order. Products and divisions may have been switched off since they were put in.
 */
export const takeBasket = async (tx: Tx, userId: number): Promise<BasketLine[]> => {
  const id = await lockBasket(tx, userId)
  if (id === undefined) return []
  const lines = new Map<number, { id: number; quantity: number }[]>()
  for (const { productId, divisionId, quantity } of await removeAll(tx, id)) {
    const divisions = lines.get(productId) ?? []
    divisions.push({ id: divisionId, quantity })
    lines.set(productId, divisions)
  }
  return [...lines].map(([productId, divisions]) => ({ productId, divisions }))
}

/**
 * Replaces the basket of a user with these lines, in their order. What cannot be ordered any more comes too, as from a draft:
 * its owner decides what becomes of it.
 * @returns the basket as the storefront client reads it.
 */
export const fillBasket = async (
  tx: Tx,
  userId: number,
  lines: readonly BasketLine[],
): Promise<Static<typeof BasketShape>> => {
  const id = await holdBasket(tx, userId)
  await removeAll(tx, id)
  await putItems(tx, id, lines)
  return basketToWire(await readBasket(tx, id))
}
