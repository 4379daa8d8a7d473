import type { Static } from 'typebox'
import type { Tx } from '#platform/db/database.ts'
import { basketToWire } from './basket.ts'
import { putItems } from './draft-store.ts'
import { holdBasket } from './hold-basket.ts'
import type { BasketShape } from './schemas.ts'
import { readBasket, removeAll } from './store.ts'
import type { BasketLine } from './take-basket.ts'

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
