import { digitsOf, formatMoney, type Minor } from '#platform/money.ts'

/** Where orders go. One more connector is one more file that makes one of these. */
export interface CommercePlatform {
  /**
   * Creates an order. Must not be awaited in a transaction: it may be a call to another machine.
   * @param key what makes it this order: the same on every try, of visible ASCII without dots, at most 200 characters.
   *   Two orders with one key are one order.
   * @returns the number that the platform gave it, or why it has none as far as anybody knows. Trying again is safe.
   */
  createOrder(order: PlatformOrder, key: string): Promise<Created>
  /** The key as the platform gets it, for whoever looks for an order there. */
  sentKey(key: string): string
}

export type Created = { readonly number: string } | { readonly error: PlatformError }

/** For whoever finds out why the platform did not take an order. */
export interface PlatformError {
  /** `refused`: an answer without a number. `answer_too_large`: more than is read. Otherwise why no answer came. */
  readonly reason: string
  /** A sentence. */
  readonly detail: string
  /** HTTP status, when one came. */
  readonly status: number | null
  /** What was read of the answer: at most 64 KiB. */
  readonly body: string | null
}

export interface PlatformOrder {
  /** Ours. */
  readonly number: string
  readonly quotationNumber: string
  readonly division: { readonly id: number; readonly name: string; readonly erpCode: string | null }
  readonly currency: string
  readonly amount: Minor
  readonly quantity: number
  readonly items: readonly {
    readonly productRemoteId: number | string
    readonly sku?: string
    readonly quantity: number
    readonly amount: Minor
  }[]
}

/** The order as JSON: the same bytes on every try. */
export const orderToJson = (order: PlatformOrder): string => {
  const { number, quotationNumber, division, currency, amount, quantity, items } = order
  const digits = digitsOf(currency)
  if (digits === undefined) throw new TypeError(`Order ${number} is in ${currency}, which is no currency.`)
  return JSON.stringify({
    number,
    quotation: quotationNumber,
    division: { id: division.id, name: division.name, erp_code: division.erpCode },
    currency,
    amount: formatMoney(amount, digits),
    quantity,
    items: items.map((item) => ({
      product_remote_id: item.productRemoteId,
      // Orders that were made without one are sent as they were before.
      ...(item.sku !== undefined && { sku: item.sku }),
      quantity: item.quantity,
      amount: formatMoney(item.amount, digits),
    })),
  })
}
