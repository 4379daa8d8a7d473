import { expect, test } from 'vitest'
import { allowedActions, allowedStatuses, shipmentStatuses, shipmentTransitions } from './transitions.ts'

test('a shipment has exactly the moves of the fulfilment rules', () => {
  const moves = shipmentStatuses.map((from) => [from, ...Object.keys(shipmentTransitions[from])])
  expect(moves).toEqual([
    ['created', 'ready', 'in_transit', 'cancelled'],
    ['ready', 'in_transit', 'cancelled'],
    ['in_transit', 'out_for_delivery', 'delivered', 'failed', 'returned'],
    ['out_for_delivery', 'delivered', 'failed', 'returned'],
    ['delivered'],
    ['failed'],
    ['returned'],
    ['cancelled'],
  ])
})

test('every move leads where its key says', () => {
  for (const from of shipmentStatuses) {
    for (const [key, move] of Object.entries(shipmentTransitions[from])) expect(move.to).toBe(key)
  }
})

test('in_transit is reached by shipping the package only', () => {
  expect(shipmentStatuses.filter((from) => allowedStatuses(from).includes('in_transit'))).toEqual([])
})

test('only what is not under way can be cancelled', () => {
  expect(shipmentStatuses.filter((from) => allowedActions(from).length > 0)).toEqual(['created', 'ready'])
})
