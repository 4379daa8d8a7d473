import { describe, expect, test } from 'vitest'
import { AppError } from '#platform/errors.ts'
import { lossesOf, receivedItems } from './receipt.ts'
import type { ActionBody } from './schemas.ts'

const sent = [
  { sku: 'A', quantity: 3, received: 0 },
  { sku: 'B', quantity: 1, received: 0 },
]
const receive = (items?: ActionBody['items'], reason?: string) =>
  receivedItems(sent, { ...(items && { items }), ...(reason !== undefined && { reason }) })

describe('what is received', () => {
  test.each([
    ['everything, when nothing is said', undefined, undefined, [3, 1]],
    [
      'everything, when all is listed',
      [
        { sku: 'B', received: 1 },
        { sku: 'A', received: 3 },
      ],
      undefined,
      [3, 1],
    ],
    [
      'less, with a reason',
      [
        { sku: 'A', received: 2 },
        { sku: 'B', received: 1 },
      ],
      'Lost',
      [2, 1],
    ],
    ['nothing of what is not listed', [{ sku: 'A', received: 3 }], 'Lost', [3, 0]],
    ['nothing at all', [], 'Lost', [0, 0]],
    ['everything, with a reason that is not needed', undefined, 'Late', [3, 1]],
  ] as const)('is %s', (_, items, reason, expected) => {
    expect(receive(items, reason).map(({ received }) => received)).toEqual(expected)
  })

  test.each([
    [
      'less without a reason',
      [
        { sku: 'A', received: 2 },
        { sku: 'B', received: 1 },
      ],
      undefined,
      'reason',
    ],
    ['a list that leaves something out, without a reason', [{ sku: 'A', received: 3 }], undefined, 'reason'],
    ['an empty list without a reason', [], undefined, 'reason'],
    ['more than was sent', [{ sku: 'A', received: 4 }], 'x', 'items.0.received'],
    ['what was not sent', [{ sku: 'C', received: 1 }], 'x', 'items.0.sku'],
    [
      'the same sku twice',
      [
        { sku: 'A', received: 1 },
        { sku: 'A', received: 2 },
      ],
      'x',
      'items.1.sku',
    ],
  ] as const)('is never %s', (_, items, reason, field) => {
    let refused: unknown
    try {
      receive(items, reason)
    } catch (error) {
      refused = error
    }
    expect(refused).toBeInstanceOf(AppError)
    expect(Object.keys((refused as AppError).details.fields ?? {})).toEqual([field])
  })
})

test('losses are what is missing, and nothing else', () => {
  const destination = { id: 2, allowBackorder: false }
  expect(
    lossesOf(
      receive(
        [
          { sku: 'A', received: 1 },
          { sku: 'B', received: 1 },
        ],
        'Lost',
      ),
      destination,
    ),
  ).toEqual([{ location: destination, sku: 'A', kind: 'write_off', quantity: 2 }])
})
