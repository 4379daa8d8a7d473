import { expect, test } from 'vitest'
import { allowedActions, allowedStatuses, shipmentLifecycle } from './lifecycle.ts'

const { statuses } = shipmentLifecycle
const after = (actor: 'operator' | 'package') =>
  statuses.map((status) => [status, ...shipmentLifecycle.allowedActions({ status }, { actors: [actor] })])

test('an operator sets exactly the statuses of the fulfilment rules', () => {
  expect(after('operator')).toEqual([
    ['created', 'ready', 'cancelled'],
    ['ready', 'cancelled'],
    ['in_transit', 'out_for_delivery', 'delivered', 'failed', 'returned'],
    ['out_for_delivery', 'delivered', 'failed', 'returned'],
    ['delivered'],
    ['failed'],
    ['returned'],
    ['cancelled'],
  ])
})

test('its package takes a shipment along until it is under way', () => {
  const moves = after('package').filter(([, ...next]) => next.length > 0)
  expect(moves).toEqual([
    ['created', 'in_transit', 'cancelled'],
    ['ready', 'in_transit', 'cancelled'],
  ])
})

test('only a shipment that is not under way, and not that of a transfer, can be cancelled', () => {
  const cancellable = (transferId: number | null) =>
    statuses.filter((status) => allowedActions({ status, transferId }).length > 0)
  expect(cancellable(null)).toEqual(['created', 'ready'])
  expect(cancellable(1)).toEqual([])
  expect(statuses.flatMap((status) => allowedStatuses({ status, transferId: 1 }))).toEqual([])
})
