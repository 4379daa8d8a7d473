import { spread, type Minor } from '#platform/money.ts'
import { discountAll, type Discount } from './discount.ts'

/** A line of a quotation before it is priced. */
export interface Line {
  /** The price that counts: the one agreed on where there is one, else that of the product. */
  readonly unitPrice: Minor
  readonly quantity: number
  /** In the order of their creation. */
  readonly discounts: readonly Discount[]
}

export interface PricedLine {
  /** Unit price × quantity. */
  readonly total: Minor
  /** After the discounts of the line, and its share of those of the quotation. */
  readonly net: Minor
  /** What each discount of the line takes off. */
  readonly off: readonly Minor[]
}

export interface PricedQuotation {
  /** Sum of unit price × quantity, before discounts. */
  readonly totalAmount: Minor
  /** After all discounts; the sum of the nets of the lines. */
  readonly netAmount: Minor
  readonly lines: readonly PricedLine[]
  /** What each discount of the quotation takes off. */
  readonly off: readonly Minor[]
}

/** Prices a quotation (quotations, "Money", rules 2 to 4). Nothing gets below zero, and the lines add up. @param discounts in the order of their creation. */
export const priceQuotation = (lines: readonly Line[], discounts: readonly Discount[]): PricedQuotation => {
  const own = lines.map((line) => {
    const total = line.unitPrice * BigInt(line.quantity)
    return { total, ...discountAll(total, line.discounts) }
  })
  const ofQuotation = discountAll(sum(own.map(({ left }) => left)), discounts)
  const nets = spread(
    ofQuotation.left,
    own.map(({ left }) => left),
  )
  return {
    totalAmount: sum(own.map(({ total }) => total)),
    netAmount: ofQuotation.left,
    lines: own.map(({ total, off }, index) => ({ total, net: nets[index] ?? 0n, off })),
    off: ofQuotation.off,
  }
}

const sum = (amounts: readonly Minor[]): Minor => amounts.reduce((total, amount) => total + amount, 0n)
