import type { Db, Tx } from '#platform/db/database.ts'
import { readSettings } from '../../settings/index.ts'
import type { Quotation } from '../quotation.ts'
import { findRevision } from '../terms/revision-store.ts'
import { readTerms } from '../terms/terms-store.ts'
import { frozenTerms, isNoWorse } from '../terms/terms.ts'

/**
 * Whether the settings demand that the owner agrees, who has not: neither to the terms as they are, nor to others that they are no
 * worse than.
 */
export const lacksConsent = async (db: Db | Tx, quotation: Quotation): Promise<boolean> => {
  const { QUOTATION_OWNER_CONSENT_REQUIRED: isRequired } = await readSettings(db)
  return isRequired && !(await hasAgreed(db, quotation))
}

const hasAgreed = async (db: Db | Tx, quotation: Quotation): Promise<boolean> => {
  const { id, status, revision, consentedRevision } = quotation
  if (consentedRevision === null) return false
  // What is no draft has the terms of its last revision, which may be large.
  if (status !== 'draft' && consentedRevision === revision) return true
  const agreed = await findRevision(db, id, consentedRevision)
  return agreed !== undefined && isNoWorse(frozenTerms(await readTerms(db, quotation)), agreed)
}
