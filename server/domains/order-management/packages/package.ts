import type { NewEvent } from '#delivery/outbox/outbox.ts'
import { PackageData, type PackageStatus } from '#events/order-management.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import type { StockDocument } from '../stock-documents/index.ts'
import { packageLifecycle } from './lifecycle.ts'

/** What becomes of goods that came back, or never left: onto the shelf again, or off the books. */
export const dispositions = ['restock', 'write_off'] as const
export type Disposition = (typeof dispositions)[number]

export interface Package extends StockDocument {
  readonly orderNumber: string
  /** The order of a quotation that it is made of. */
  readonly quotationOrderId: number | null
  /** In status created: where it is planned to go, if anywhere. */
  readonly locationId: number | null
  readonly status: PackageStatus
  /** Whether its stock has left with a sale. */
  readonly isSold: boolean
}

/** The package as subscribers see it. */
export const toData = makeToWire<Package, typeof PackageData>(PackageData, {
  stock_location: 'locationId',
  shipment: 'shipmentId',
  items: ({ items }) => items.map(({ sku, quantity }) => ({ sku, quantity })),
})

/** The package as the API shows it: with what it is made of, and what can be done next. */
export const toWire = (parcel: Package) => ({
  ...toData(parcel),
  quotation_order: parcel.quotationOrderId,
  allowed_actions: packageLifecycle.allowedActions(parcel),
  blocked_actions: packageLifecycle.blockedActions(parcel),
})

type StatusEventType = `package.status.${Exclude<PackageStatus, 'created'>}`

/** What a package that just came to its status raises. */
export const packageEvent = (parcel: Package): NewEvent => {
  const type: StatusEventType | 'package.created' =
    parcel.status === 'created' ? 'package.created' : `package.status.${parcel.status}`
  return { type, data: toData(parcel), scope: 'back-office', object: { type: 'package', id: parcel.id } }
}
