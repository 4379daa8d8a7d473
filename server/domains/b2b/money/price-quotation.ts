import { divideRounded, spread, type Minor } from '#platform/money.ts'

/** A line of a quotation before it is priced. */
export interface Line {
  /** The price that counts: the one agreed on where there is one, else that of the product. */
  readonly unitPrice: Minor
  readonly quantity: number
  /** In the order of their creation. */
  readonly discounts: readonly Discount[]
}

interface PricedLine {
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

/** What a discount takes off (quotations, "Money", rule 3). */
export type Discount =
  | {
      readonly type: 'percentage'
      /** In ten-thousandths of a percent: 12.5 % is 125000. More than 0, at most 1000000. */
      readonly value: bigint
    }
  | { readonly type: 'fixed'; readonly value: Minor }

const wholePercents = 1_000_000n

/** What a discount takes off an amount: never more than it. A percentage is rounded half away from zero. */
const discountOn = (amount: Minor, { type, value }: Discount): Minor => {
  const off = type === 'percentage' ? divideRounded(amount * value, wholePercents) : value
  return off > amount ? amount : off
}

/** Discounts one after the other, each on what the ones before it leave. */
const discountAll = (
  amount: Minor,
  discounts: readonly Discount[],
): { readonly left: Minor; readonly off: readonly Minor[] } => {
  let left = amount
  const off = discounts.map((discount) => {
    const taken = discountOn(left, discount)
    left -= taken
    return taken
  })
  return { left, off }
}
