import type { NewEvent } from '#delivery/outbox/outbox.ts'
import { TransferData, type TransferStatus } from '#events/order-management.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import type { DocumentItem, StockDocument } from '../stock-documents/index.ts'
import { transferLifecycle } from './lifecycle.ts'

/** What becomes of goods that were under way: back to the source's shelf, or off the books. */
export const dispositions = ['return', 'write_off'] as const
export type Disposition = (typeof dispositions)[number]

export interface Item extends DocumentItem {
  /** Pieces that arrived; 0 until the transfer is received. */
  readonly received: number
}

/** Only a transfer that serves a package has a shipment. */
export interface Transfer extends StockDocument {
  readonly fromLocationId: number
  readonly toLocationId: number
  /** The package that it serves. */
  readonly packageId: number | null
  readonly status: TransferStatus
  readonly items: readonly Item[]
}

/** The transfer as subscribers see it. */
export const toData = makeToWire<Transfer, typeof TransferData>(TransferData, {
  from_location: 'fromLocationId',
  to_location: 'toLocationId',
  package: 'packageId',
  shipment: 'shipmentId',
  items: ({ items }) => items.map(({ sku, quantity, received }) => ({ sku, quantity, received })),
})

/** The transfer as the API shows it: with what can be done next. */
export const toWire = (transfer: Transfer) => ({
  ...toData(transfer),
  allowed_actions: transferLifecycle.allowedActions(transfer),
  blocked_actions: transferLifecycle.blockedActions(transfer),
})

/** What a transfer that just came to its status raises. */
export const transferEvent = (transfer: Transfer): NewEvent => ({
  type: `transfer.status.${transfer.status}`,
  data: toData(transfer),
  scope: 'back-office',
  object: { type: 'transfer', id: transfer.id },
})
