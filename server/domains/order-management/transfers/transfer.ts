import type { Static } from 'typebox'
import type { NewEvent } from '#delivery/outbox/outbox.ts'
import type { TransferData, TransferStatus } from '#events/order-management.ts'
import { transferLifecycle } from './lifecycle.ts'

export interface Item {
  readonly sku: string
  readonly quantity: number
  /** Pieces that arrived; 0 until the transfer is received. */
  readonly received: number
}

export interface Transfer {
  readonly id: number
  readonly number: string
  readonly fromLocationId: number
  readonly toLocationId: number
  /** The package that it serves. */
  readonly packageId: number | null
  readonly status: TransferStatus
  readonly items: readonly Item[]
  /** The shipment that is not cancelled; only a transfer that serves a package has one. */
  readonly shipmentId: number | null
  readonly createdAt: Date
  readonly modifiedAt: Date
}

/** `T-<year>-<6 digits>`; the year is that of the creation in UTC. More than 999,999 transfers get more digits. */
export const transferNumber = (year: number, sequence: number): string =>
  `T-${year}-${String(sequence).padStart(6, '0')}`

/** The transfer as subscribers see it. */
export const toData = (transfer: Transfer): Static<typeof TransferData> => ({
  id: transfer.id,
  number: transfer.number,
  from_location: transfer.fromLocationId,
  to_location: transfer.toLocationId,
  package: transfer.packageId,
  shipment: transfer.shipmentId,
  status: transfer.status,
  items: transfer.items.map(({ sku, quantity, received }) => ({ sku, quantity, received })),
  created_date: transfer.createdAt.toISOString(),
  modified_date: transfer.modifiedAt.toISOString(),
})

/** The transfer as the API shows it: with what can be done next. */
export const toWire = (transfer: Transfer) => ({
  ...toData(transfer),
  allowed_actions: transferLifecycle.allowedActions(transfer),
})

/** What a transfer that just came to its status raises. */
export const transferEvent = (transfer: Transfer): NewEvent => ({
  type: `transfer.status.${transfer.status}`,
  data: toData(transfer),
  scope: 'back-office',
  object: { type: 'transfer', id: transfer.id },
})
