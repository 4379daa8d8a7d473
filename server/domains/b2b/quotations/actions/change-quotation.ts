import type { Tx } from '#platform/db/database.ts'
import { recordAudit, type Fields } from '../history/audit-store.ts'
import { auditOf, type RequestContext } from '../rules/request-context.ts'
import { changedFields, changedTerms } from '../history/changed-terms.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { statusEvent, toData, type Quotation } from '../quotation.ts'
import { updateQuotation, type QuotationChanges } from '../store.ts'
import type { Terms } from '../terms/terms.ts'
import type { QuotationAction } from '../rules/vocabulary.ts'
import { noticesOf } from '../mail/notice.ts'

interface Change {
  readonly action: QuotationAction
  readonly set: QuotationChanges
  /** The terms before and after, when they changed too. */
  readonly terms?: { readonly before: Terms; readonly after: Terms }
}

/** Writes a change of a held quotation: next version, audit, and the event of another status. */
export const makeApplyChange =
  ({ clock, outbox, notify }: Pick<QuotationDeps, 'clock' | 'outbox' | 'notify'>) =>
  async (tx: Tx, context: RequestContext, before: Quotation, { action, set, terms }: Change): Promise<Quotation> => {
    const now = clock.now()
    const after = await updateQuotation(tx, before, set, now)
    const [was, is] = changedFields(facts(before), facts(after))
    const [termsWere, termsAre] = terms === undefined ? [{}, {}] : changedTerms(terms.before, terms.after)
    const changes = { before: { ...was, ...termsWere }, after: { ...is, ...termsAre } }
    await recordAudit(tx, [{ ...auditOf(context, before, action, now), ...changes }])
    if (after.status !== before.status) {
      await outbox.append(tx, [statusEvent(after)])
      await notify(tx, noticesOf({ from: before.status, quotation: after, doer: context.userId }))
    }
    return after
  }

/** What a change can change, without what every change changes. */
const facts = (quotation: Quotation): Fields => {
  const { version: _version, modified_at: _modifiedAt, ...fields } = toData(quotation)
  return { ...fields, batch_size: quotation.batchSize }
}
