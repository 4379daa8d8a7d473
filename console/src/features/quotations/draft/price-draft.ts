import { priceQuotation, splitOrders, type PlannedOrder } from '#domains/b2b/money/index.ts'
import type { Minor } from '#platform/money.ts'
import { isGone } from './edits.ts'
import { unitsOf, type Discount, type Line } from './terms.ts'

export interface PricedLine {
  /** Price × pieces. */
  readonly total: Minor
  /** After the discounts of the line. */
  readonly sum: Minor
  /** After its share of the discounts of the quotation too. */
  readonly net: Minor
}

/** Terms with their amounts, by the rule of the server. */
export interface PricedDraft {
  readonly total: Minor
  readonly net: Minor
  /** By the key of the line; what is gone has none. */
  readonly lines: ReadonlyMap<string, PricedLine>
  /** What each discount takes off, by its key. */
  readonly off: ReadonlyMap<string, Minor>
}

/** Prices terms as the server will. */
export const priceDraft = (lines: readonly Line[], discounts: readonly Discount[]): PricedDraft => {
  const kept = lines.filter((line) => !isGone(line))
  const byLine = Map.groupBy(discounts, ({ line }) => line)
  const ofLine = (key: string | null): readonly Discount[] => byLine.get(key) ?? []
  const priced = priceQuotation(
    kept.map(({ key, price, shares }) => ({
      unitPrice: price,
      quantity: unitsOf(shares),
      discounts: ofLine(key),
    })),
    ofLine(null),
  )
  const off = new Map(ofLine(null).map(({ key }, index) => [key, priced.off[index] ?? 0n]))
  const amounts = kept.map(({ key }, index): [string, PricedLine] => {
    const { total, net, off: own } = priced.lines[index] ?? { total: 0n, net: 0n, off: [] }
    ofLine(key).forEach((discount, place) => off.set(discount.key, own[place] ?? 0n))
    return [key, { total, net, sum: own.reduce((left, amount) => left - amount, total) }]
  })
  return { total: priced.totalAmount, net: priced.netAmount, lines: new Map(amounts), off }
}

/** The orders that terms become. @param batchSize most pieces of one */
export const splitDraft = (lines: readonly Line[], priced: PricedDraft, batchSize: number): readonly PlannedOrder[] =>
  splitOrders(
    lines
      .filter((line) => !isGone(line))
      .map(({ key, remoteId, shares }) => ({
        productRemoteId: String(remoteId),
        net: priced.lines.get(key)?.net ?? 0n,
        divisions: shares,
      })),
    batchSize,
  )
