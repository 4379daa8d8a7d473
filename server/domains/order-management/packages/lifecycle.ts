import { packageStatuses, type PackageStatus } from '#events/order-management.ts'
import { makeLifecycle, type Terms } from '#platform/lifecycle/lifecycle.ts'
import type { StockStep } from '../stock-documents/index.ts'

export interface PackageTerms extends Terms {
  readonly status: PackageStatus
  /** Also the last segments of the paths. */
  readonly action: 'transition' | 'pack' | 'ship' | 'cancel' | 'pack-for-refund'
  readonly code: 'package_move_not_allowed' | 'shipment_required'
  /** The shipment that is not cancelled. */
  readonly facts: { readonly shipmentId: number | null }
  readonly effects: {
    readonly stock: StockStep
    /** What the request has to say. */
    readonly needs?: 'location' | 'disposition'
    /** Where the package's shipment goes along, if it has one that can. */
    readonly shipment?: 'in_transit' | 'cancelled'
  }
}
export type PackageAction = PackageTerms['action']

/**
 * The life of a package (fulfilment, "Package"). *transitioned* means handed to a stock location; it comes
 * again when the package is re-routed. Cancelled is the end. Each move raises `package.status.<to>`.
 */
export const packageLifecycle = makeLifecycle<PackageTerms>({
  statuses: packageStatuses,
  conditions: {
    package_move_not_allowed: { says: 'Only a package that is {from} allows {action}; this one is {status}.' },
    shipment_required: {
      says: 'The package needs a shipment before it can be shipped.',
      applies: ({ shipmentId }) => shipmentId === null,
    },
  },
  otherwise: 'package_move_not_allowed',
  rules: [
    {
      action: 'transition',
      from: {
        created: { to: 'transitioned', stock: 'allocate', needs: 'location' },
        transitioned: { to: 'transitioned', stock: 'reallocate', needs: 'location' },
      },
    },
    { action: 'pack', from: { transitioned: { to: 'packed', stock: 'keep' } } },
    {
      action: 'ship',
      from: { packed: { to: 'shipped', conditions: ['shipment_required'], stock: 'sell', shipment: 'in_transit' } },
    },
    {
      action: 'cancel',
      from: {
        created: { to: 'cancelled', stock: 'keep', shipment: 'cancelled' },
        transitioned: { to: 'cancelled', stock: 'release', shipment: 'cancelled' },
        packed: { to: 'cancelled', stock: 'release', shipment: 'cancelled' },
        packed_for_refund: { to: 'cancelled', stock: 'settle', needs: 'disposition', shipment: 'cancelled' },
      },
    },
    {
      action: 'pack-for-refund',
      from: {
        packed: { to: 'packed_for_refund', stock: 'keep' },
        shipped: { to: 'packed_for_refund', stock: 'keep' },
      },
    },
  ],
})

const takesShipment: readonly PackageStatus[] = ['created', 'transitioned', 'packed']

/** Whether a shipment can be made for a package: until it is shipped, and not on its way back. */
export const canTakeShipment = (status: PackageStatus): boolean => takesShipment.includes(status)
