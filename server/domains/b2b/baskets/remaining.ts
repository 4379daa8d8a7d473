import type { Static } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { isMainDivision, type RemainingOf } from '../divisions/index.ts'
import { readSettings } from '../settings/index.ts'
import { basketToWire, type Basket } from './basket.ts'
import type { BasketShape } from './schemas.ts'

/** The basket of somebody of a division, with what that may still ask for this month, and whom it would ask first. */
export const showBasket = async (
  db: Db | Tx,
  basket: Basket,
  { divisionId, remainingOf }: { readonly divisionId: number | null; readonly remainingOf: RemainingOf },
): Promise<Static<typeof BasketShape>> => {
  const shown = basketToWire(basket)
  const [remaining = null] = divisionId === null ? [] : await remainingOf(db, [divisionId], shown.currency)
  return { ...shown, remaining, needs_approval: divisionId !== null && (await needsApproval(db, divisionId)) }
}

const needsApproval = async (db: Db | Tx, divisionId: number): Promise<boolean> =>
  (await readSettings(db)).IS_SUB_DIVISION_QUOTATION_APPROVAL_REQUIRED && !(await isMainDivision(db, divisionId))
