import type { Tx } from '#platform/db/database.ts'
import { forbidden } from '#platform/errors.ts'
import { fillBasket } from '../baskets/index.ts'
import { readSettings } from '../settings/index.ts'
import { permit, type Who } from './caller.ts'
import type { QuotationDeps } from './dependencies.ts'
import { holdQuotation } from './hold-quotation.ts'
import { expiryFrom, makePlaceQuotation } from './place-quotation.ts'
import type { Quotation } from './quotation.ts'
import { readTerms } from './terms-store.ts'

/** Two ways to begin again with what is in a quotation, which stays as it is. */
export const makeDuplicateQuotation = (deps: QuotationDeps) => {
  const place = makePlaceQuotation(deps)
  const { clock } = deps
  return {
    /**
     * Replaces the basket of its owner.
     * @returns the basket.
     * @throws AppError 404; 403 for anybody else, and who belongs to no division; 412.
     */
    async toBasket(tx: Tx, who: Who, id: number) {
      const quotation = await holdQuotation(tx, who, id)
      permit(who, quotation, 'duplicate', { now: clock.now() })
      if (who.divisionId === null)
        throw forbidden('You belong to no division, so there is nothing that you could order for.')
      const { items } = await readTerms(tx, quotation)
      return fillBasket(tx, who.userId, items)
    },

    /** Makes a new draft of the same owner with the same terms. @throws AppError 404, 412. */
    async toDraft(tx: Tx, who: Who, id: number): Promise<Quotation> {
      const quotation = await holdQuotation(tx, who, id)
      const now = clock.now()
      permit(who, quotation, 'duplicate', { now })
      const { name, userId, divisionId, rootDivisionId } = quotation
      const settings = await readSettings(tx)
      return place(tx, who, {
        terms: await readTerms(tx, quotation),
        actor: 'super',
        origin: { duplicate_of: quotation.number },
        fields: {
          name,
          userId,
          divisionId,
          rootDivisionId,
          status: 'draft',
          expiresAt: expiryFrom(now, settings.QUOTATION_VALID_DAYS),
          // Its owner has not seen it.
          consentedRevision: null,
        },
      })
    },
  }
}
