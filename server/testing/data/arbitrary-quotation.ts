import fc from 'fast-check'
import type { Discount, Line } from '#domains/b2b/money/price-quotation.ts'
import type { OrderedLine } from '#domains/b2b/money/split-orders.ts'

const price = fc.oneof(
  fc.bigInt({ min: 0n, max: 300n }),
  // Sums of a dozen such lines are still amounts that can be kept.
  fc.bigInt({ min: 0n, max: 100_000_000n }),
)

export const arbitraryDiscounts: fc.Arbitrary<Discount[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('percentage' as const), value: fc.bigInt({ min: 1n, max: 1_000_000n }) }),
    fc.record({ type: fc.constant('fixed' as const), value: price }),
  ),
  { maxLength: 3 },
)

const divisions = fc.uniqueArray(
  fc.record({ id: fc.integer({ min: 1, max: 4 }), quantity: fc.integer({ min: 1, max: 90 }) }),
  {
    minLength: 1,
    maxLength: 4,
    selector: ({ id }) => id,
  },
)

/** Lines with the divisions that share their units. */
export const arbitraryLines: fc.Arbitrary<(Line & Pick<OrderedLine, 'productRemoteId' | 'divisions'>)[]> = fc.array(
  fc
    .record({
      unitPrice: price,
      discounts: arbitraryDiscounts,
      productRemoteId: fc.constantFrom('P', 'R', 'S'),
      divisions,
    })
    .map((line) => ({ ...line, quantity: line.divisions.reduce((sum, { quantity }) => sum + quantity, 0) })),
  { minLength: 1, maxLength: 6 },
)

export const arbitraryBatchSize = fc.integer({ min: 1, max: 200 })
