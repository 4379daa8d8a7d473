import type { Static } from 'typebox'
import type { LocationKind, StockLocationData } from '#events/order-management.ts'

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

export const toWire = (location: StockLocation): Static<typeof StockLocationData> => ({
  id: location.id,
  code: location.code,
  name: location.name,
  kind: location.kind,
  address: location.address,
  is_active: location.isActive,
  allow_backorder: location.allowBackorder,
  created_date: location.createdAt.toISOString(),
  modified_date: location.modifiedAt.toISOString(),
})
