import { actionsFrom, type StateTable } from '../state-table.ts'

export const packageStatuses = [
  'created',
  'transitioned',
  'packed',
  'shipped',
  'packed_for_refund',
  'cancelled',
] as const
export type PackageStatus = (typeof packageStatuses)[number]

/** What can be done with a package; the words are also the last segments of the paths. */
export const packageActions = ['transition', 'pack', 'ship', 'cancel', 'pack-for-refund'] as const
export type PackageAction = (typeof packageActions)[number]

export interface Move {
  readonly to: PackageStatus
  /** What happens to the stock of the package's items; see `stock-steps.ts`. */
  readonly stock: 'keep' | 'allocate' | 'reallocate' | 'release' | 'sell' | 'settle'
  /** What the move cannot be made without. */
  readonly needs?: 'location' | 'shipment' | 'disposition'
  /** Where the package's shipment goes along, if it has one that can. */
  readonly shipment?: 'in_transit' | 'cancelled'
}

/**
 * The life of a package (fulfilment, "Package"). *transitioned* means handed to a stock location; it comes
 * again when the package is re-routed. Cancelled is the end. Each move raises `package.status.<to>`.
 */
export const packageTransitions: StateTable<PackageStatus, PackageAction, Move> = {
  created: {
    transition: { to: 'transitioned', stock: 'allocate', needs: 'location' },
    cancel: { to: 'cancelled', stock: 'keep', shipment: 'cancelled' },
  },
  transitioned: {
    transition: { to: 'transitioned', stock: 'reallocate', needs: 'location' },
    pack: { to: 'packed', stock: 'keep' },
    cancel: { to: 'cancelled', stock: 'release', shipment: 'cancelled' },
  },
  packed: {
    ship: { to: 'shipped', stock: 'sell', needs: 'shipment', shipment: 'in_transit' },
    cancel: { to: 'cancelled', stock: 'release', shipment: 'cancelled' },
    'pack-for-refund': { to: 'packed_for_refund', stock: 'keep' },
  },
  shipped: {
    'pack-for-refund': { to: 'packed_for_refund', stock: 'keep' },
  },
  packed_for_refund: {
    cancel: { to: 'cancelled', stock: 'settle', needs: 'disposition', shipment: 'cancelled' },
  },
  cancelled: {},
}

interface Situation {
  readonly status: PackageStatus
  /** The shipment that is not cancelled. */
  readonly shipmentId: number | null
}

/** What can be done with a package now. */
export const allowedActions = ({ status, shipmentId }: Situation): readonly PackageAction[] =>
  actionsFrom(packageTransitions, status).filter(
    (action) => packageTransitions[status][action]?.needs !== 'shipment' || shipmentId !== null,
  )

const takesShipment: readonly PackageStatus[] = ['created', 'transitioned', 'packed']

/** Whether a shipment can be made for a package: until it is shipped, and not on its way back. */
export const canTakeShipment = (status: PackageStatus): boolean => takesShipment.includes(status)
