import type { Tx } from '#platform/db/database.ts'
import { invalidField, ruleBroken } from '#platform/errors.ts'
import type { Dependencies } from '../dependencies.ts'
import { refuseDoubles, refuseItems } from '../request-fields.ts'
import { findUnknown } from '../stock/index.ts'
import type { DocumentItem as Item } from '../stock-documents/index.ts'
import { holdWorkLocation } from '../stock-locations/index.ts'
import { packageEvent, type Package } from './package.ts'
import { packageStore, packedOfOrder } from './store.ts'

export type NewPackage = Pick<Package, 'orderNumber' | 'locationId' | 'items'> &
  Partial<Pick<Package, 'quotationOrderId'>>

/**
 * Plans a package (fulfilment: new → created). Nothing is allocated before it is handed to a location.
 * @throws AppError 400 for an unknown or inactive location, for unknown skus and for a sku that is there twice.
 */
export const makeCreatePackage =
  ({ clock, outbox }: Pick<Dependencies, 'clock' | 'outbox'>) =>
  async (tx: Tx, fields: NewPackage, actorId: number): Promise<Package> => {
    refuseDoubles(fields.items)
    const { locationId } = fields
    const now = clock.now()
    const row = { quotationOrderId: null, isSold: false, ...fields }
    if (locationId !== null) await holdWorkLocation(tx, locationId, 'stock_location')
    const made = await packageStore.insert(tx, row, { actorId, now, locationId })
    const parcel = { ...row, ...made, status: 'created', shipmentId: null, createdAt: now, modifiedAt: now } as const
    await outbox.append(tx, [packageEvent(parcel)])
    return parcel
  }

/** An order of a quotation, as far as packages are made of it. */
interface QuotationOrder {
  readonly id: number
  /** What the commerce platform calls it; null: it has not got it yet. */
  readonly remoteNumber: string | null
  /** Each sku once. */
  readonly items: readonly Item[]
}

/**
 * Finds an order of a quotation, and keeps others from making packages of it until `tx` ends. Filled in by who knows orders; its
 * lock comes before all of this domain.
 */
export type HoldQuotationOrder = (tx: Tx, id: number) => Promise<QuotationOrder | undefined>

export interface PackOrderDeps extends Pick<Dependencies, 'clock' | 'outbox'> {
  readonly holdQuotationOrder: HoldQuotationOrder
}

interface OrderToPack {
  readonly orderId: number
  /** undefined: what the commerce platform calls the order. */
  readonly orderNumber: string | undefined
  readonly locationId: number | null
  /** A part of what is left; undefined: all of it. */
  readonly items: readonly Item[] | undefined
}

/**
 * Plans a package of an order of a quotation: of what is not in another one yet, cancelled ones aside. Of two at once the second
 * sees what the first took.
 * @throws AppError 400 as `makeCreatePackage` does; for an order that is not there, that the platform has not got, of which
 * nothing is left, or less than is asked for.
 */
export const makePackOrder = ({ holdQuotationOrder, ...deps }: PackOrderDeps) => {
  const createPackage = makeCreatePackage(deps)
  return async (tx: Tx, wanted: OrderToPack, actorId: number): Promise<Package> => {
    const order = await holdQuotationOrder(tx, wanted.orderId)
    if (order === undefined) throw invalidField('quotation_order', 'There is no such order of a quotation.')
    const number = order.remoteNumber ?? refuseUnsent()
    const left = await leftOf(tx, order)
    if (left.length === 0) throw ruleBroken('quotation_order_packed', 'All of this order is in packages.')
    if (wanted.items === undefined) await refuseUnknown(tx, left)
    else refuseMore(wanted.items, left)
    const { orderNumber = number, locationId, items = left } = wanted
    return createPackage(tx, { orderNumber, locationId, items, quotationOrderId: order.id }, actorId)
  }
}

const refuseUnsent = (): never => {
  throw ruleBroken('quotation_order_not_created', 'The commerce platform has not got this order yet.')
}

const leftOf = async (tx: Tx, { id, items }: QuotationOrder): Promise<Item[]> => {
  const packed = await packedOfOrder(tx, id)
  return items
    .map(({ sku, quantity }) => ({ sku, quantity: quantity - (packed.get(sku) ?? 0) }))
    .filter(({ quantity }) => quantity > 0)
}

const refuseMore = (items: readonly Item[], left: readonly Item[]): void => {
  const available = new Map(left.map(({ sku, quantity }) => [sku, quantity]))
  refuseItems(items, ({ sku, quantity }) => {
    const max = available.get(sku) ?? 0
    return quantity <= max ? undefined : { field: 'quantity', message: `Of this sku ${max} are left in the order.` }
  })
}

const maxNamed = 5

/** The items are not of the body, so they are named by what they are. */
const refuseUnknown = async (tx: Tx, items: readonly Item[]): Promise<void> => {
  const skus = items.map(({ sku }) => sku)
  const unknown = await findUnknown(tx, skus)
  if (unknown.length === 0) return
  const named = unknown.slice(0, maxNamed).join(', ')
  const more = unknown.length > maxNamed ? ` and ${unknown.length - maxNamed} more` : ''
  throw invalidField('quotation_order', `No stock location has ever had these of its skus: ${named}${more}.`)
}
