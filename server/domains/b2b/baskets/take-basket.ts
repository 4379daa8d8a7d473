import type { Tx } from '#platform/db/database.ts'
import { lockBasket, removeAll } from './store.ts'

/** A product of a basket. */
export interface BasketLine {
  readonly productId: number
  /** In the order in which they were put in, each once. */
  readonly divisions: readonly { readonly id: number; readonly quantity: number }[]
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
