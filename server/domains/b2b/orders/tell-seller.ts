import type { Tx } from '#platform/db/database.ts'
import { findQuotation, type QuotationDeps } from '../quotations/index.ts'
import type { Order } from './order.ts'
import { hasOtherFailed } from './store.ts'

/** Writes to the seller of a quotation, stored with `tx`, that an order of it failed, where they do not know yet. */
export type TellSeller = (tx: Tx, failed: Order, which: { readonly isFirst: boolean }) => Promise<void>

/**
 * Makes the function that writes to the seller when the first of the orders of a quotation fails for the first time, and again
 * when the first is given up. Not for each try, and not for each order: one cause mostly has many fail. The caller holds the error
 * reports, so that of orders that fail at once only one is the first.
 */
export const makeTellSeller =
  ({ notify }: Pick<QuotationDeps, 'notify'>): TellSeller =>
  async (tx, failed, { isFirst }) => {
    const isGivenUp = failed.nextAttemptAt === null
    if (!isGivenUp && !isFirst) return
    if (await hasOtherFailed(tx, failed, isGivenUp ? 'for_good' : 'at_all')) return
    const quotation = await findQuotation(tx, failed.quotationId)
    if (quotation === undefined) return
    await notify(tx, [{ occasion: isGivenUp ? 'order_given_up' : 'order_failed', quotation, doer: null }])
  }
