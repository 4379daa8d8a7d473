import { dayMs } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { recordAudit, type Fields } from '../history/audit-store.ts'
import { auditOf, type RequestContext } from '../rules/request-context.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { createdEvent, quotationNumber, statusEvent, toData, type Quotation } from '../quotation.ts'
import { requireRoom } from '../limits/require-room.ts'
import { insertRevision } from '../terms/revision-store.ts'
import { insertQuotation, nextNumber, type NewQuotation } from '../store.ts'
import { insertDiscounts, insertItems } from '../terms/terms-store.ts'
import { frozenTerms, type FrozenTerms, type Terms } from '../terms/terms.ts'
import { noticesOf } from '../mail/notice.ts'

interface Placement {
  /** When it is made: its prices are of this moment. */
  readonly now: Date
  readonly fields: Omit<
    NewQuotation,
    'number' | 'currency' | 'totalAmount' | 'netAmount' | 'consentedAmount' | 'createdAt'
  >
  /** Priced; the ids of items and discounts are only what they are called among each other. */
  readonly terms: Terms
  /** What its owner knows of it, which calls items and discounts as the terms do; absent: the terms. */
  readonly known?: FrozenTerms
  /** Whence it comes, for the audit. */
  readonly origin?: Fields
}

/** When a quotation of these settings expires; null: never. */
export const expiryFrom = (now: Date, validDays: number): Date | null =>
  validDays === 0 ? null : new Date(now.getTime() + validDays * dayMs)

/** Adds a quotation with its terms, what its owner knows of them as revision 1, the audit row and its events. The number of statements is fixed. */
export const makePlaceQuotation =
  ({ outbox, notify }: Pick<QuotationDeps, 'outbox' | 'notify'>) =>
  async (
    tx: Tx,
    context: RequestContext,
    { now, fields, terms, known, origin = {} }: Placement,
  ): Promise<Quotation> => {
    const year = now.getUTCFullYear()
    const { divisionId } = fields
    const { currency, netAmount } = terms
    // Before the number, for which others wait too.
    await requireRoom(tx, { divisionId, currency, netAmount, createdAt: now }, { now })
    const quotation = await insertQuotation(tx, {
      ...fields,
      number: quotationNumber(year, await nextNumber(tx, year)),
      currency: terms.currency,
      totalAmount: terms.totalAmount,
      netAmount: terms.netAmount,
      consentedAmount: fields.consentedRevision === null ? null : terms.netAmount,
      createdAt: now,
    })
    const kept = await keepTerms(tx, context, quotation, terms)
    const frozen = known === undefined ? frozenTerms(kept) : renumbered(known, terms, kept)
    await insertRevision(tx, quotation.id, { ...frozen, revision: 1, createdBy: context.userId, createdAt: now })
    const after = { ...toData(quotation), ...origin }
    await recordAudit(tx, [{ ...auditOf(context, quotation, 'create', now), before: null, after }])
    await outbox.append(tx, [createdEvent(quotation), statusEvent(quotation)])
    await notify(tx, noticesOf({ from: undefined, quotation, doer: context.userId }))
    return quotation
  }

/** @returns the terms with the ids that they have in the database. */
const keepTerms = async (tx: Tx, context: RequestContext, quotation: Quotation, terms: Terms): Promise<Terms> => {
  const itemIds = await insertItems(tx, quotation.id, terms.items)
  const newId = new Map(terms.items.map(({ id }, index) => [id, itemIds[index] ?? 0]))
  const { createdAt } = quotation
  const discounts = terms.discounts.map((discount) => {
    const itemId = discount.itemId === null ? null : (newId.get(discount.itemId) ?? 0)
    return { ...discount, itemId, createdAt }
  })
  const rows = discounts.map(({ id: _id, ...discount }) => ({ ...discount, createdBy: context.userId }))
  const discountIds = await insertDiscounts(tx, quotation.id, rows)
  return {
    ...terms,
    items: terms.items.map((item, index) => ({ ...item, id: itemIds[index] ?? 0 })),
    discounts: discounts.map((discount, index) => ({ ...discount, id: discountIds[index] ?? 0 })),
  }
}

/** Frozen terms with the ids of the kept items and discounts. Items that are in no terms any more keep their ids, which stay unique. */
const renumbered = ({ content, products }: FrozenTerms, given: Terms, kept: Terms): FrozenTerms => {
  const items = new Map(given.items.map(({ id }, index) => [id, kept.items[index]?.id]))
  const discounts = new Map(given.discounts.map(({ id }, index) => [id, kept.discounts[index]]))
  const itemId = (id: number): number => items.get(id) ?? id
  return {
    content: {
      ...content,
      items: content.items.map((item) => ({ ...item, id: itemId(item.id) })),
      discounts: content.discounts.map((discount) => {
        const { id = discount.id, createdAt } = discounts.get(discount.id) ?? {}
        return {
          ...discount,
          id,
          item: discount.item === null ? null : itemId(discount.item),
          created_at: createdAt?.toISOString() ?? discount.created_at,
        }
      }),
    },
    products: new Map([...products].map(([id, product]) => [itemId(id), product])),
  }
}
