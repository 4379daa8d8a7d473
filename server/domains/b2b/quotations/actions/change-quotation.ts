import type { Tx } from '#platform/db/database.ts'
import { recordAudit, type Fields } from '../history/audit-store.ts'
import { actingAs, type RequestContext } from '../rules/request-context.ts'
import { changedTerms } from '../history/changed-terms.ts'
import { moveCounts } from '../lists/count-store.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { statusEvent, toData, type Quotation } from '../quotation.ts'
import { updateQuotation, type QuotationChanges } from '../store.ts'
import type { Terms } from '../terms/terms.ts'
import type { QuotationAction } from '../rules/vocabulary.ts'
import { noticesOf } from '../mail/notice.ts'

export interface Change {
  readonly action: QuotationAction
  readonly set: QuotationChanges
  /** The terms before and after, when they changed too. */
  readonly terms?: { readonly before: Terms; readonly after: Terms }
}

/** Writes a change of a held quotation: next version, counts of lists, audit, and the event of another status. */
export const makeApplyChange =
  ({ clock, outbox, notify }: Pick<QuotationDeps, 'clock' | 'outbox' | 'notify'>) =>
  async (tx: Tx, context: RequestContext, before: Quotation, { action, set, terms }: Change): Promise<Quotation> => {
    const now = clock.now()
    const after = await updateQuotation(tx, before, set, now)
    await moveCounts(tx, [{ from: before, to: after.status }])
    const [was, is] = differences(facts(before), facts(after))
    const [termsWere, termsAre] = terms === undefined ? [{}, {}] : changedTerms(terms.before, terms.after)
    await recordAudit(tx, [
      {
        quotationId: before.id,
        action,
        userId: context.userId,
        actor: actingAs(context, before, action),
        surface: context.surface,
        before: { ...was, ...termsWere },
        after: { ...is, ...termsAre },
        requestId: context.requestId,
        createdAt: now,
      },
    ])
    if (after.status !== before.status) {
      await outbox.append(tx, [statusEvent(after)])
      await notify(tx, noticesOf({ from: before.status, quotation: after, doer: context.userId }))
    }
    return after
  }
export type ApplyChange = ReturnType<typeof makeApplyChange>

/** What a change can change, without what every change changes. */
const facts = (quotation: Quotation): Fields => {
  const { version: _version, modified_at: _modifiedAt, ...fields } = toData(quotation)
  return { ...fields, batch_size: quotation.batchSize }
}

/** Only what differs, on both sides. */
const differences = (before: Fields, after: Fields): [Fields, Fields] => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const only = (fields: Fields): Fields => Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))
  return [only(before), only(after)]
}
