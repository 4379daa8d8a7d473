import type { Static } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import type { RemainingOf } from '../divisions/index.ts'
import { basketToWire, type Basket } from './basket.ts'
import type { BasketShape } from './schemas.ts'

/** The basket of somebody of a division, with what that may still ask for this month. */
export const showBasket = async (
  db: Db | Tx,
  basket: Basket,
  { divisionId, remainingOf }: { readonly divisionId: number | null; readonly remainingOf: RemainingOf },
): Promise<Static<typeof BasketShape>> => {
  const shown = basketToWire(basket)
  const [remaining = null] = divisionId === null ? [] : await remainingOf(db, [divisionId], shown.currency)
  return { ...shown, remaining }
}
