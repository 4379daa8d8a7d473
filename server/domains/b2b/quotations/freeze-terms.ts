import type { Tx } from '#platform/db/database.ts'
import { ruleBroken } from '#platform/errors.ts'
import type { Quotation } from './quotation.ts'
import { findRevision, insertRevision } from './revision-store.ts'
import { readTerms } from './terms-store.ts'
import { termsToWire } from './terms.ts'

/**
 * Freezes the terms of a quotation that the caller holds, if they are not those of its last revision.
 * @returns the number of the revision that says these terms.
 * @throws AppError 400 `quotation_empty`.
 */
export const freezeTerms = async (
  tx: Tx,
  quotation: Quotation,
  createdBy: number,
  createdAt: Date,
): Promise<number> => {
  const terms = await readTerms(tx, quotation)
  if (terms.items.length === 0) throw ruleBroken('quotation_empty', 'There is nothing in the quotation.')
  const content = termsToWire(terms)
  const last = await findRevision(tx, quotation.id, quotation.revision)
  if (last !== undefined && JSON.stringify(last.content) === JSON.stringify(content)) return quotation.revision
  const revision = quotation.revision + 1
  await insertRevision(tx, quotation.id, { revision, content, createdBy, createdAt })
  return revision
}
