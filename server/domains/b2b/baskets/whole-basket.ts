import type { Db, Tx } from '#platform/db/database.ts'
import type { PricedFor } from '../prices/index.ts'
import type { Basket, BasketLine } from './basket.ts'
import { putItems } from './draft-store.ts'
import { findBasket, lockBasket, makeBasket, readBasket, removeAll } from './store.ts'

/** The basket that a user fills, held until the transaction ends. The first call makes it. */
export const holdBasket = (tx: Tx, userId: number): Promise<number> => ensured(tx, userId, lockBasket)

/** The basket that a user fills, without holding it. */
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

/** Empties a basket. Of two transactions at once the second gets no lines. @returns its lines in order, inactive ones too. */
export const takeBasket = async (tx: Tx, userId: number): Promise<BasketLine[]> => {
  const id = await lockBasket(tx, userId)
  if (id === undefined) return []
  const lines = Map.groupBy(await removeAll(tx, id), ({ productId }) => productId)
  return [...lines].map(([productId, rows]) => ({
    productId,
    divisions: rows.map(({ divisionId, quantity }) => ({ id: divisionId, quantity })),
  }))
}

/** Whose basket it is, and at which prices. */
interface BasketOwner extends PricedFor {
  readonly userId: number
}

/** Replaces the basket of a user with these lines, in their order, inactive ones too. @returns the basket. */
export const fillBasket = async (tx: Tx, owner: BasketOwner, lines: readonly BasketLine[]): Promise<Basket> => {
  const id = await holdBasket(tx, owner.userId)
  await removeAll(tx, id)
  await putItems(tx, id, lines)
  return readBasket(tx, id, owner)
}
