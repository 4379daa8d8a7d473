import type { NewEvent } from '#delivery/outbox/outbox.ts'
import { QuotationOrderData, type orderStatuses } from '#events/quotations.ts'
import { Type, type Static } from 'typebox'
import { Currency, Id, Timestamp } from '#platform/http/schemas.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { digitsOf, formatMoney, type Minor } from '#platform/money.ts'
import { remoteIdToWire } from '../products/index.ts'
import { QuotationOrder } from '../quotations/index.ts'
import type { PlatformOrder } from './platform/commerce-platform.ts'

export type OrderStatus = (typeof orderStatuses)[number]

export interface OrderItem {
  /** Line of the quotation. */
  readonly itemId: number
  /** As the platform gets it: a number where it is one, unless the order was made when all were texts. */
  readonly productRemoteId: number | string
  /** What packages are packed by; not there: the remote id, in orders of items of before products had one. */
  readonly sku?: string
  readonly quantity: number
  readonly amount: Minor
}

/** What an order is made of: never changed. */
export interface OrderContent {
  readonly number: string
  readonly revision: number
  readonly division: PlatformOrder['division']
  /** From 1, within the division. */
  readonly batchNo: number
  readonly quantity: number
  readonly amount: Minor
  readonly items: readonly OrderItem[]
}

/** An order on its way to the commerce platform. */
export interface Order extends OrderContent {
  readonly id: number
  readonly quotationId: number
  readonly quotationNumber: string
  readonly currency: string
  readonly status: OrderStatus
  /** The platform's, once it is created. */
  readonly remoteNumber: string | null
  /** Tries that were begun. */
  readonly attempts: number
  /** Of the last try that failed. */
  readonly error: string | null
  /** When it is tried next; null when it is created, or tried only when somebody asks for it. */
  readonly nextAttemptAt: Date | null
  readonly createdAt: Date
  readonly modifiedAt: Date
}

/** What makes it this order, in the platform too, whatever died before. */
export const keyOf = ({ quotationId, revision, division, batchNo }: Order): string =>
  `${quotationId}-${revision}-${division.id}-${batchNo}`

/** As the commerce platform gets it: the same on every try. */
export const toPlatform = (order: Order): PlatformOrder => {
  const { number, quotationNumber, division, currency, amount, quantity, items } = order
  return { number, quotationNumber, division, currency, amount, quantity, items }
}

/** A package that was made of an order. */
export interface OrderPackage {
  readonly id: number
  readonly number: string
  readonly status: Wire['status']
  readonly shipment: {
    readonly id: number
    readonly carrier: string
    readonly awbNumber: string | null
    readonly trackingUrl: string | null
    readonly status: NonNullable<Wire['shipment']>['status']
  } | null
}
type Wire = Static<typeof QuotationOrder>['packages'][number]

/** What is shown beside an order: where its open error report is, and its packages. */
export interface Beside {
  readonly errorReport: string | null
  readonly packages: readonly OrderPackage[]
}

export const packagesToWire = (packages: readonly OrderPackage[]): Wire[] =>
  packages.map(({ id, number, status, shipment }) => ({
    id,
    number,
    status,
    shipment: shipment && {
      id: shipment.id,
      carrier: shipment.carrier,
      awb_number: shipment.awbNumber,
      tracking_url: shipment.trackingUrl,
      status: shipment.status,
    },
  }))

const shown = {
  division: ({ division: { id, name } }: Order) => ({ id, name }),
  items: ({ items, currency }: Order) => itemsToWire(items, currency),
  amount: ({ amount, currency }: Order) => moneyText(amount, currency),
  error_report: (_: Order, { errorReport }: Beside) => errorReport,
  packages: (_: Order, { packages }: Beside) => packagesToWire(packages),
}

/** As the back office sees it. */
export const toWire = makeToWire<Order, typeof QuotationOrder, [beside: Beside]>(QuotationOrder, shown)

/** An order among those of other quotations. */
export interface ListedOrder extends Order {
  readonly quotationName: string
}

export const ListedOrderShape = Type.Object(
  {
    ...QuotationOrder.properties,
    quotation: Type.Object({ id: Id, number: Type.String(), name: Type.String() }),
    currency: Currency,
    created_at: Timestamp,
    modified_at: Timestamp,
  },
  { title: 'Order', description: 'An order of any quotation.' },
)

/** The same where orders of all quotations are shown. */
export const listedToWire = makeToWire<ListedOrder, typeof ListedOrderShape, [beside: Beside]>(ListedOrderShape, {
  ...shown,
  quotation: ({ quotationId: id, quotationNumber: number, quotationName: name }) => ({ id, number, name }),
})

export const itemsToWire = (items: readonly Omit<OrderItem, 'itemId'>[], currency: string) =>
  items.map((item) => ({
    product_remote_id: remoteIdToWire(item.productRemoteId),
    sku: skuOf(item),
    quantity: item.quantity,
    amount: moneyText(item.amount, currency),
  }))

/** What packages are packed by. */
export const skuOf = ({ sku, productRemoteId }: Pick<OrderItem, 'sku' | 'productRemoteId'>): string =>
  sku ?? String(productRemoteId)

/** A quotation in no currency cannot be made, so that a digit more or less does not matter. */
export const moneyText = (amount: Minor, currency: string): string => formatMoney(amount, digitsOf(currency) ?? 2)

/** That it has the status that it has now. */
export const orderEvent = (order: Order): NewEvent => ({
  type: `quotation.order.${order.status}`,
  scope: 'back-office',
  object: { type: 'quotation', id: order.quotationId },
  data: toData(order),
})

const toData = makeToWire<Order, typeof QuotationOrderData>(QuotationOrderData, {
  quotation: 'quotationId',
  division: ({ division }) => division.id,
  items: ({ items, currency }) => itemsToWire(items, currency),
  amount: ({ amount, currency }) => moneyText(amount, currency),
})
