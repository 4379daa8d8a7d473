import type { Tx } from '#platform/db/database.ts'
import { forbidden } from '#platform/errors.ts'
import { fillBasket, type BasketLine } from '../baskets/index.ts'
import { holdRoot } from '../divisions/index.ts'
import { productsByRemoteIds } from '../products/index.ts'
import { readSettings } from '../settings/index.ts'
import { permit, type Who } from './caller.ts'
import type { QuotationDeps } from './dependencies.ts'
import { holdQuotation, visibleQuotation } from './hold-quotation.ts'
import { knownTerms } from './known-terms-store.ts'
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
      return fillBasket(tx, who.userId, await knownLines(tx, quotation))
    },

    /** Makes a new draft of the same owner with the same terms. @throws AppError 404, 412. */
    async toDraft(tx: Tx, who: Who, id: number): Promise<Quotation> {
      // Divisions are held before quotations, as whoever moves them does.
      const rootDivisionId = await holdRoot(tx, (await visibleQuotation(tx, who, id)).divisionId)
      const quotation = await holdQuotation(tx, who, id)
      const now = clock.now()
      permit(who, quotation, 'duplicate', { now })
      const { name, userId, divisionId } = quotation
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

/** What its owner knows that is in a quotation. What was removed from a draft since is found by what the platform calls it. */
const knownLines = async (tx: Tx, quotation: Quotation): Promise<BasketLine[]> => {
  const { items } = await knownTerms(tx, quotation)
  const present = new Map((await readTerms(tx, quotation)).items.map((item) => [item.id, item.productId]))
  const removed = items.filter(({ id }) => !present.has(id)).map((item) => item.product_remote_id)
  const products = await productsByRemoteIds(tx, removed)
  return items.flatMap(({ id, product_remote_id: remoteId, divisions }) => {
    const productId = present.get(id) ?? products.get(remoteId)?.id
    return productId === undefined ? [] : [{ productId, divisions }]
  })
}
