import type { Tx } from '#platform/db/database.ts'
import { ruleBroken } from '#platform/errors.ts'
import type { Quotation } from '../quotation.ts'
import { findRevision, insertRevision } from './revision-store.ts'
import { readTerms } from './terms-store.ts'
import { frozenTerms } from './terms.ts'

/** Who freezes terms, and when. */
export interface Freezing {
  readonly createdBy: number
  readonly createdAt: Date
  /** An offer of its own, also when the last revision says the same: a yes to one that was withdrawn counts for no other. */
  readonly isOffer: boolean
}

/** Freezes the terms of a held quotation unless the last revision has them. @returns the revision. @throws AppError 400. */
export const freezeTerms = async (
  tx: Tx,
  quotation: Quotation,
  { createdBy, createdAt, isOffer }: Freezing,
): Promise<number> => {
  const terms = await readTerms(tx, quotation)
  if (terms.items.length === 0) throw ruleBroken('quotation_empty', 'There is nothing in the quotation.')
  const frozen = frozenTerms(terms)
  const last = isOffer ? undefined : await findRevision(tx, quotation.id, quotation.revision)
  if (last !== undefined && JSON.stringify(last.content) === JSON.stringify(frozen.content)) return quotation.revision
  const revision = quotation.revision + 1
  await insertRevision(tx, quotation.id, { ...frozen, revision, createdBy, createdAt })
  return revision
}
