import type { Db, Tx } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { actorsOf, callerOf, requireMatch, type Who } from './caller.ts'
import { countOrders } from './cut-store.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { inactiveOf } from './inactive-store.ts'
import { lacksConsent } from './owner-consent.ts'
import { dependsOnConsent, dependsOnCut, dependsOnInactive, dependsOnOwner } from './permitted-actions.ts'
import type { Quotation } from '../quotation.ts'
import { findQuotation, lockQuotation } from '../store.ts'
import { isOfTree } from './tree-store.ts'

/** A quotation that the caller may know of. @throws AppError 404. */
export const visibleQuotation = async (db: Db | Tx, who: Who, id: number): Promise<Quotation> =>
  visible(who, await findQuotation(db, id))

export type FactDeps = Pick<QuotationDeps, 'batchSize'>

/**
 * The same, of the version that the caller has read, held until the transaction ends: of two changes at once the second sees
 * what the first left. It has the facts that what the caller may do depends on.
 * @throws AppError 404, 412.
 */
export const makeHoldQuotation =
  (deps: FactDeps) =>
  async (tx: Tx, who: Who, id: number): Promise<Quotation> => {
    const quotation = visible(who, await lockQuotation(tx, id))
    requireMatch(who, quotation)
    return makeFindFacts(deps)(tx, who, quotation)
  }

/**
 * The same with what was switched off of it, whether its owner has left or has not agreed, and how many orders become of it: each if
 * what the caller may do depends on that.
 */
export const makeFindFacts =
  ({ batchSize }: FactDeps) =>
  async (db: Db | Tx, who: Who, quotation: Quotation): Promise<Quotation> => {
    const { status, rootDivisionId } = quotation
    const caller = callerOf(who, quotation)
    const size = quotation.batchSize ?? batchSize
    return {
      ...quotation,
      ...(dependsOnInactive(caller, status) && { inactive: await inactiveOf(db, quotation) }),
      ...(dependsOnOwner(caller, status) && { hasLostOwner: !(await isOfTree(db, who.divisionId, rootDivisionId)) }),
      ...(dependsOnCut(caller, status) && {
        cut: { orders: await countOrders(db, quotation.id, size), batchSize: size },
      }),
      ...(dependsOnConsent(caller, status) && { lacksConsent: await lacksConsent(db, quotation) }),
    }
  }

const visible = (who: Who, quotation: Quotation | undefined): Quotation => {
  if (quotation === undefined || actorsOf(who, quotation).length === 0) throw notFound()
  return quotation
}
