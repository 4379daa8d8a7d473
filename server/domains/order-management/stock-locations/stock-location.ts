import { StockLocationData, type LocationKind } from '#events/order-management.ts'
import { makeToWire } from '#platform/http/record-shape.ts'

/** What an operator can set. */
export interface LocationFields {
  readonly code: string
  readonly name: string
  readonly kind: LocationKind
  readonly address: string
  /** Inactive: takes no new work and no new stock; what is there can be finished or removed. */
  readonly isActive: boolean
  /** Whether more may be allocated here than there is. */
  readonly allowBackorder: boolean
}

/** A place that holds stock (fulfilment, "Stock location"). */
export interface StockLocation extends LocationFields {
  readonly id: number
  readonly createdAt: Date
  readonly modifiedAt: Date
}

export const toWire = makeToWire<StockLocation, typeof StockLocationData>(StockLocationData, {})
