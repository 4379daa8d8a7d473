import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryBatchSize, arbitraryDiscounts, arbitraryLines } from '#testing/data/arbitrary-quotation.ts'
import { tries } from '#testing/is-everything-wanted.ts'
import { priceQuotation } from './price-quotation.ts'
import { splitOrders, type OrderedLine, type PlannedOrder } from './split-orders.ts'

const cases = tries(1_000, 10_000)
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
const contents = (orders: readonly PlannedOrder[]) =>
  orders.map(({ divisionId, batchNo, quantity, items }) => [
    divisionId,
    batchNo,
    quantity,
    items.map((item) => [item.productRemoteId, item.quantity]),
  ])

test('the example of the documentation is cut as it says', () => {
  const lines: OrderedLine[] = [
    {
      productRemoteId: 'P',
      net: 90_000n,
      divisions: [
        { id: 1, quantity: 600 },
        { id: 2, quantity: 300 },
      ],
    },
    { productRemoteId: 'R', net: 30_000n, divisions: [{ id: 1, quantity: 300 }] },
  ]
  const orders = splitOrders(lines, 500)
  expect(contents(orders)).toEqual([
    [1, 1, 500, [['P', 500]]],
    [
      1,
      2,
      400,
      [
        ['P', 100],
        ['R', 300],
      ],
    ],
    [2, 1, 300, [['P', 300]]],
  ])
  expect(orders.map(({ amount }) => amount)).toEqual([50_000n, 40_000n, 30_000n])
})

test('what cannot be divided evenly is in one of the orders', () => {
  const lines = [{ productRemoteId: 'P', net: 100n, divisions: [{ id: 1, quantity: 3 }] }]
  expect(splitOrders(lines, 1).map(({ amount }) => amount)).toEqual([33n, 34n, 33n])
  expect(splitOrders(lines, 2).map(({ amount }) => amount)).toEqual([67n, 33n])
  expect(splitOrders(lines, 3).map(({ amount }) => amount)).toEqual([100n])
})

test('a quotation without lines makes no order', () => {
  expect(splitOrders([], 500)).toEqual([])
})

describe('however a quotation is split', () => {
  interface Given {
    readonly lines: readonly OrderedLine[]
    readonly netAmount: bigint
    readonly batchSize: number
  }
  const quotation = fc
    .tuple(arbitraryLines, arbitraryDiscounts, arbitraryBatchSize)
    .map(([lines, discounts, batchSize]) => {
      const priced = priceQuotation(lines, discounts)
      const net = (index: number): bigint => priced.lines[index]?.net ?? 0n
      const ordered = lines.map(({ productRemoteId, divisions }, index) => ({
        productRemoteId,
        divisions,
        net: net(index),
      }))
      return { lines: ordered, netAmount: priced.netAmount, batchSize }
    })
  const holds = (property: (orders: readonly PlannedOrder[], given: Given) => void): void =>
    fc.assert(
      fc.property(quotation, (given) => {
        property(splitOrders(given.lines, given.batchSize), given)
      }),
      cases,
    )

  test('the orders add up to the net amount, and each to its items', () => {
    holds((orders, { netAmount }) => {
      expect(sum(orders.map(({ amount }) => amount))).toBe(netAmount)
      const itemSums = orders.map(({ items }) => sum(items.map((item) => item.amount)))
      expect(itemSums).toEqual(orders.map(({ amount }) => amount))
    })
  })

  test('every unit is in an order of its division', () => {
    const counted = (units: Iterable<readonly [string, number]>): Record<string, number> => {
      const counts: Record<string, number> = {}
      for (const [key, quantity] of units) counts[key] = (counts[key] ?? 0) + quantity
      return counts
    }
    holds((orders, { lines }) => {
      const wanted = lines.flatMap((line, index) =>
        line.divisions.map(({ id, quantity }) => [`${index} for ${id}`, quantity] as const),
      )
      const ordered = orders.flatMap(({ divisionId, items }) =>
        items.map(({ line, quantity }) => [`${line} for ${divisionId}`, quantity] as const),
      )
      expect(counted(ordered)).toEqual(counted(wanted))
    })
  })

  test('none is over the size of a batch, and none but the last of a division is under it', () => {
    holds((orders, { batchSize }) => {
      const wrong = orders.filter(({ divisionId, batchNo, quantity }, index) => {
        const before = orders[index - 1]
        const isFirst = before?.divisionId !== divisionId
        const isFull = quantity === batchSize || orders[index + 1]?.divisionId !== divisionId
        const isNumbered = batchNo === (isFirst ? 1 : (before?.batchNo ?? 0) + 1)
        return !(quantity > 0 && quantity <= batchSize && isFull && isNumbered)
      })
      expect(wrong).toEqual([])
    })
  })

  test('no division comes twice, and nothing is negative', () => {
    holds((orders) => {
      const divisions = orders.map(({ divisionId }) => divisionId)
      const runs = divisions.filter((id, index) => id !== divisions[index - 1])
      expect(runs).toEqual([...new Set(divisions)])
      expect(
        orders.flatMap(({ items }) => items).filter(({ amount, quantity }) => amount < 0n || quantity < 1),
      ).toEqual([])
    })
  })
})
