import { describe, expect, test } from 'vitest'
import { describeAction } from '#platform/lifecycle/lifecycle-text.ts'
import { canTakeShipment, packageLifecycle } from './lifecycle.ts'
import { stepMovements } from '../stock-documents/index.ts'

const { statuses, rules, allowedActions } = packageLifecycle
const moves = statuses.flatMap((from) =>
  rules.flatMap(({ action, from: { [from]: outcome } }) =>
    'refused' in outcome ? [] : [{ from, action, ...outcome }],
  ),
)

describe('the life of a package', () => {
  test('has exactly the moves of the fulfilment rules', () => {
    expect(moves.map(({ from, action, to, stock }) => `${from} -${action}-> ${to} (${stock})`)).toEqual([
      'created -transition-> transitioned (allocate)',
      'created -cancel-> cancelled (keep)',
      'transitioned -transition-> transitioned (reallocate)',
      'transitioned -pack-> packed (keep)',
      'transitioned -cancel-> cancelled (release)',
      'packed -ship-> shipped (sell)',
      'packed -cancel-> cancelled (release)',
      'packed -pack-for-refund-> packed_for_refund (keep)',
      'shipped -pack-for-refund-> packed_for_refund (keep)',
      'packed_for_refund -cancel-> cancelled (settle)',
    ])
  })

  test('offers shipping only to a packed package that has a shipment', () => {
    expect(allowedActions({ status: 'packed', shipmentId: null })).toEqual(['cancel', 'pack-for-refund'])
    expect(allowedActions({ status: 'packed', shipmentId: 1 })).toEqual(['ship', 'cancel', 'pack-for-refund'])
  })

  test('ends with cancelled', () => {
    expect(allowedActions({ status: 'cancelled', shipmentId: null })).toEqual([])
  })

  test('takes a shipment only until it is shipped', () => {
    expect(statuses.filter(canTakeShipment)).toEqual(['created', 'transitioned', 'packed'])
  })

  test('is described from the table', () => {
    expect(describeAction(packageLifecycle, 'pack-for-refund')).toContain(
      'packed → packed_for_refund, shipped → packed_for_refund',
    )
  })
})

describe('the stock of a move', () => {
  const from = { id: 1, allowBackorder: false }
  const to = { id: 2, allowBackorder: false }
  const items = [{ sku: 'A', quantity: 2 }]
  const kindsOf = (...args: Parameters<typeof stepMovements>) =>
    stepMovements(...args).map(({ kind, location }) => `${kind}@${location.id}`)

  test.each([
    ['keep', false, undefined, []],
    ['allocate', false, undefined, ['allocate@2']],
    ['reallocate', false, undefined, ['release@1', 'allocate@2']],
    ['release', false, undefined, ['release@1']],
    ['sell', false, undefined, ['sale@1']],
    ['settle', true, 'restock', ['restock@1']],
    ['settle', true, 'write_off', ['restock@1', 'write_off@1']],
    ['settle', false, 'restock', ['release@1']],
    ['settle', false, 'write_off', ['release@1', 'write_off@1']],
  ] as const)('%s (sold: %s, %s) books %j', (step, isSold, disposition, expected) => {
    expect(kindsOf(step, { items, from, to, isSold, disposition })).toEqual(expected)
  })

  test('without a location is a bug, not a silent nothing', () => {
    const situation = { items, from: undefined, to: undefined, isSold: false, disposition: undefined }
    expect(() => stepMovements('release', situation)).toThrow('without a location')
  })
})
