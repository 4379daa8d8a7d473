import { transferStatuses, type ShipmentStatus, type TransferStatus } from '#events/order-management.ts'
import { makeLifecycle, type Terms } from '#platform/lifecycle/lifecycle.ts'
import type { StockStep } from '../stock-documents/index.ts'

export interface TransferTerms extends Terms {
  readonly status: TransferStatus
  /** Also the last segments of the paths. */
  readonly action: 'transition' | 'ready' | 'dispatch' | 'receive' | 'cancel'
  readonly code: 'transfer_move_not_allowed'
  readonly effects: {
    readonly stock: StockStep
    /** Where the shipment of a transfer that serves a package goes along. Its event is raised also where it stays. */
    readonly shipment: ShipmentStatus
    /** What the request has to say. */
    readonly needs?: 'disposition'
  }
}
export type TransferAction = TransferTerms['action']

/**
 * The life of a transfer (fulfilment, "Transfer"). *transitioned* means handed to the source, which puts the stock
 * aside. Each move raises `transfer.status.<to>`.
 */
export const transferLifecycle = makeLifecycle<TransferTerms>({
  statuses: transferStatuses,
  conditions: {
    transfer_move_not_allowed: { says: 'Only a transfer that is {from} allows {action}; this one is {status}.' },
  },
  otherwise: 'transfer_move_not_allowed',
  rules: [
    { action: 'transition', from: { created: { to: 'transitioned', stock: 'allocate', shipment: 'created' } } },
    { action: 'ready', from: { transitioned: { to: 'ready_to_shipment', stock: 'keep', shipment: 'ready' } } },
    { action: 'dispatch', from: { ready_to_shipment: { to: 'in_transit', stock: 'send', shipment: 'in_transit' } } },
    { action: 'receive', from: { in_transit: { to: 'transferred', stock: 'arrive', shipment: 'delivered' } } },
    {
      action: 'cancel',
      from: {
        created: { to: 'cancelled', stock: 'keep', shipment: 'cancelled' },
        transitioned: { to: 'cancelled', stock: 'release', shipment: 'cancelled' },
        ready_to_shipment: { to: 'cancelled', stock: 'release', shipment: 'cancelled' },
        in_transit: { to: 'cancelled', stock: 'recall', shipment: 'cancelled', needs: 'disposition' },
      },
    },
  ],
})
