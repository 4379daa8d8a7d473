import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryDiscounts, arbitraryLines } from '#testing/data/arbitrary-quotation.ts'
import { tries } from '#testing/is-everything-wanted.ts'
import { priceQuotation, type Discount, type PricedQuotation } from './price-quotation.ts'

const cases = tries(1_000, 10_000)
const percent = (hundredths: bigint): Discount => ({ type: 'percentage', value: hundredths * 100n })
const fixed = (value: bigint): Discount => ({ type: 'fixed', value })
const line = (unitPrice: bigint, quantity: number, ...discounts: Discount[]) => ({ unitPrice, quantity, discounts })
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

describe('discounts', () => {
  test('of a line come one after the other, each on what is left', () => {
    const { lines, totalAmount, netAmount } = priceQuotation([line(1_000n, 10, percent(1_000n), fixed(500n))], [])
    expect(lines).toEqual([{ total: 10_000n, net: 8_500n, off: [1_000n, 500n] }])
    expect([totalAmount, netAmount]).toEqual([10_000n, 8_500n])
    expect(priceQuotation([line(1_000n, 10, fixed(500n), percent(1_000n))], []).netAmount).toBe(8_550n)
  })

  test('of the quotation come after those of all lines', () => {
    const priced = priceQuotation([line(1_000n, 1, percent(5_000n)), line(1_000n, 1)], [percent(1_000n), fixed(50n)])
    expect(priced).toEqual({
      totalAmount: 2_000n,
      netAmount: 1_300n,
      off: [150n, 50n],
      lines: [
        { total: 1_000n, net: 433n, off: [500n] },
        { total: 1_000n, net: 867n, off: [] },
      ],
    })
  })

  test('are rounded half away from zero, to the ten-thousandth of a percent', () => {
    expect(priceQuotation([line(5n, 1, percent(5_000n))], []).netAmount).toBe(2n)
    expect(priceQuotation([line(1_000_000n, 1, { type: 'percentage', value: 1n })], []).netAmount).toBe(999_999n)
    expect(priceQuotation([line(400_000n, 1, { type: 'percentage', value: 1n })], []).netAmount).toBe(400_000n)
  })

  test('take no more than there is', () => {
    expect(priceQuotation([line(100n, 1, fixed(150n), percent(1_000n))], [fixed(1n)])).toMatchObject({
      netAmount: 0n,
      lines: [{ net: 0n, off: [100n, 0n] }],
      off: [0n],
    })
    expect(priceQuotation([line(99n, 3, percent(10_000n))], []).netAmount).toBe(0n)
  })
})

describe('whatever is priced', () => {
  const holds = (property: (priced: PricedQuotation) => void): void =>
    fc.assert(
      fc.property(arbitraryLines, arbitraryDiscounts, (lines, discounts) => {
        property(priceQuotation(lines, discounts))
      }),
      cases,
    )

  test('the lines add up to the net amount', () => {
    holds(({ lines, netAmount }) => expect(sum(lines.map(({ net }) => net))).toBe(netAmount))
  })

  test('what is taken off is what lies between the total and the net amount', () => {
    holds(({ lines, off, totalAmount, netAmount }) =>
      expect(totalAmount - sum(lines.flatMap((one) => one.off)) - sum(off)).toBe(netAmount),
    )
  })

  test('nothing is negative, and no line is worth more than its units', () => {
    holds(({ lines, off, netAmount }) => {
      const amounts = [netAmount, ...off, ...lines.flatMap(({ total, net, off: own }) => [net, total - net, ...own])]
      expect(amounts.filter((amount) => amount < 0n)).toEqual([])
    })
  })
})
