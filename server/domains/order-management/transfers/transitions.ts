import { actionsFrom, type StateTable } from '../state-table.ts'

export const transferStatuses = [
  'created',
  'transitioned',
  'ready_to_shipment',
  'in_transit',
  'transferred',
  'cancelled',
] as const
export type TransferStatus = (typeof transferStatuses)[number]

/** What can be done with a transfer; the words are also the last segments of the paths. */
export const transferActions = ['transition', 'ready', 'dispatch', 'receive', 'cancel'] as const
export type TransferAction = (typeof transferActions)[number]

export interface Move {
  readonly to: TransferStatus
  /** What happens to the stock of the transfer's items; see `stock-steps.ts`. */
  readonly stock: 'keep' | 'allocate' | 'release' | 'send' | 'arrive' | 'recall'
  /** Where the shipment of a transfer that serves a package goes along. Its event is raised also where it stays. */
  readonly shipment: 'created' | 'ready' | 'in_transit' | 'delivered' | 'cancelled'
  /** What the move cannot be made without. */
  readonly needs?: 'disposition'
}

/**
 * The life of a transfer (fulfilment, "Transfer"). *transitioned* means handed to the source, which puts the stock
 * aside. Each move raises `transfer.status.<to>`.
 */
export const transferTransitions: StateTable<TransferStatus, TransferAction, Move> = {
  created: {
    transition: { to: 'transitioned', stock: 'allocate', shipment: 'created' },
    cancel: { to: 'cancelled', stock: 'keep', shipment: 'cancelled' },
  },
  transitioned: {
    ready: { to: 'ready_to_shipment', stock: 'keep', shipment: 'ready' },
    cancel: { to: 'cancelled', stock: 'release', shipment: 'cancelled' },
  },
  ready_to_shipment: {
    dispatch: { to: 'in_transit', stock: 'send', shipment: 'in_transit' },
    cancel: { to: 'cancelled', stock: 'release', shipment: 'cancelled' },
  },
  in_transit: {
    receive: { to: 'transferred', stock: 'arrive', shipment: 'delivered' },
    cancel: { to: 'cancelled', stock: 'recall', shipment: 'cancelled', needs: 'disposition' },
  },
  transferred: {},
  cancelled: {},
}

/** What can be done with a transfer of this status. */
export const allowedActions = (status: TransferStatus): readonly TransferAction[] =>
  actionsFrom(transferTransitions, status)
