import type { Db, Tx } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { actorsOf, callerOf, requireMatch, type Who } from './caller.ts'
import { inactiveOf } from './inactive-store.ts'
import { dependsOnInactive, dependsOnOwner } from './permitted-actions.ts'
import type { Quotation } from './quotation.ts'
import { findQuotation, lockQuotation } from './store.ts'
import { isOfTree } from './tree-store.ts'

/** A quotation that the caller may know of. @throws AppError 404. */
export const visibleQuotation = async (db: Db | Tx, who: Who, id: number): Promise<Quotation> =>
  visible(who, await findQuotation(db, id))

/**
 * The same, of the version that the caller has read, held until the transaction ends: of two changes at once the second sees
 * what the first left.
 * @throws AppError 404, 412.
 */
export const holdQuotation = async (tx: Tx, who: Who, id: number): Promise<Quotation> => {
  const quotation = visible(who, await lockQuotation(tx, id))
  requireMatch(who, quotation)
  return withInactive(tx, who, quotation)
}

/** The same with what was switched off of it, and whether its owner has left, if what the caller may do depends on that. */
export const withInactive = async (db: Db | Tx, who: Who, quotation: Quotation): Promise<Quotation> => {
  const { status, rootDivisionId } = quotation
  const caller = callerOf(who, quotation)
  return {
    ...quotation,
    ...(dependsOnInactive(caller, status) && { inactive: await inactiveOf(db, quotation) }),
    ...(dependsOnOwner(caller, status) && { hasLostOwner: !(await isOfTree(db, who.divisionId, rootDivisionId)) }),
  }
}

const visible = (who: Who, quotation: Quotation | undefined): Quotation => {
  if (quotation === undefined || actorsOf(who, quotation).length === 0) throw notFound()
  return quotation
}
