import type { Tx } from '#platform/db/database.ts'
import { fillBasket, showBasket, type BasketLine } from '../../baskets/index.ts'
import { holdRoot } from '../../divisions/index.ts'
import { readSettings } from '../../settings/index.ts'
import type { RequestContext } from '../rules/request-context.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { makeHoldQuotation, visibleQuotation } from '../rules/hold-quotation.ts'
import { knownTerms } from '../terms/known-terms-store.ts'
import { expiryFrom, makePlaceQuotation } from './place-quotation.ts'
import type { Quotation } from '../quotation.ts'
import { readTerms } from '../terms/terms-store.ts'

/** Two ways to begin again with what is in a quotation, which stays as it is. */
export const makeDuplicateQuotation = (deps: QuotationDeps) => {
  const place = makePlaceQuotation(deps)
  const hold = makeHoldQuotation(deps)
  const { clock, remainingOf } = deps
  return {
    /** Replaces the basket of its owner. @returns the basket. @throws AppError 404; 403; 400; 412. */
    async toBasket(tx: Tx, context: RequestContext, id: number) {
      const { quotation, permissions } = await hold(tx, context, id)
      permissions.permit('duplicate')
      const { userId, divisionId } = context
      const owner = { userId, divisionId, at: clock.now() }
      const basket = await fillBasket(tx, owner, await knownLines(tx, quotation))
      return showBasket(tx, basket, { divisionId, remainingOf })
    },

    /** Makes a new draft of the same owner with the same terms, who goes on knowing what they know. @throws AppError 404, 412. */
    async toDraft(tx: Tx, context: RequestContext, id: number): Promise<Quotation> {
      // Divisions are held before quotations, as whoever moves them does.
      const rootDivisionId = await holdRoot(tx, (await visibleQuotation(tx, context, id)).divisionId)
      const { quotation, permissions } = await hold(tx, context, id)
      permissions.permit('duplicate')
      const { name, userId, divisionId } = quotation
      const settings = await readSettings(tx)
      const terms = await readTerms(tx, quotation)
      const now = clock.now()
      return place(tx, context, {
        now,
        terms,
        known: await knownTerms(tx, quotation, terms),
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

/** Known terms as lines of a basket. */
const knownLines = async (tx: Tx, quotation: Quotation): Promise<BasketLine[]> => {
  const { content, products } = await knownTerms(tx, quotation, await readTerms(tx, quotation))
  return content.items.flatMap(({ id, divisions }) => {
    const productId = products.get(id)
    return productId === undefined ? [] : [{ productId, divisions }]
  })
}
