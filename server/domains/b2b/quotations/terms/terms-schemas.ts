import { Type } from 'typebox'
import { packageStatuses, shipmentStatuses } from '#events/order-management.ts'
import { Amount, Currency, Id, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { PriceListShape } from '../../prices/index.ts'
import { LooksShape, RemoteId } from '../../products/index.ts'

const Units = Type.Integer({ minimum: 1 })
const Share = Type.Object({ id: Id, quantity: Units })

/** An item as it is frozen. */
const FrozenItem = Type.Object(
  {
    id: Id,
    product_remote_id: RemoteId,
    sku: Type.String(),
    product: Type.String({ description: 'Its name when it was added.' }),
    quantity: Type.Integer({ ...Units, description: 'For all divisions together.' }),
    list_price: Amount,
    price: Type.String({
      ...Amount,
      description:
        'The unit price that counts: what was agreed on, else the price of the division, else the list price.',
    }),
    total_amount: Amount,
    net_amount: Type.String({
      ...Amount,
      description: 'After its discounts, and its share of those of the quotation.',
    }),
    divisions: Type.Array(Share, { description: 'Who it is for, in sequence.' }),
    price_list: PriceListShape,
  },
  { title: 'FrozenQuotationItem', description: 'A product of terms, for one or more divisions.' },
)
/** An item as a quotation shows it: its product looks as it does now. */
export const QuotationItem = Type.Object(
  { ...FrozenItem.properties, ...LooksShape.properties },
  {
    title: 'QuotationItem',
    description: 'A product of a quotation, for one or more divisions, with what it looks like now.',
  },
)

const QuotationDiscount = Type.Object(
  {
    id: Id,
    item: Type.Union([Id, Type.Null()], { description: 'null: of the whole quotation.' }),
    discount_type: OneOf(['percentage', 'fixed']),
    value: Type.String({ ...Amount, description: 'A percentage, or an amount.' }),
    amount: Type.String({ ...Amount, description: 'What it takes off.' }),
    created_at: Timestamp,
  },
  { title: 'QuotationDiscount', description: 'A discount on a quotation, or on one of its items.' },
)

const terms = {
  currency: Currency,
  total_amount: Amount,
  net_amount: Amount,
  items: Type.Array(FrozenItem),
  discounts: Type.Array(QuotationDiscount),
}
export const TermsShape = Type.Object(terms, {
  title: 'QuotationTerms',
  description: 'What a quotation offers: products, prices and discounts.',
})

const OrderItem = Type.Object(
  { product_remote_id: RemoteId, sku: Type.String(), quantity: Units, amount: Amount },
  { title: 'QuotationOrderItem', description: 'A product of an order.' },
)

/** A package as the order shows it that it was made of. */
const OrderPackage = Type.Object(
  {
    id: Id,
    number: Type.String({ examples: ['P-2026-000007'] }),
    status: OneOf(packageStatuses),
    shipment: Nullable(
      Type.Object(
        {
          id: Id,
          carrier: Type.String(),
          awb_number: Nullable(Type.String()),
          tracking_url: Nullable(Type.String()),
          status: OneOf(shipmentStatuses),
        },
        { title: 'OrderShipment', description: 'How a package of an order travels.' },
      ),
    ),
  },
  { title: 'OrderPackage', description: 'A package that was made of an order.' },
)

/** An order as the details of its quotation show it. */
export const QuotationOrder = Type.Object(
  {
    id: Id,
    number: Type.String(),
    division: Type.Object({ id: Id, name: Type.String() }),
    batch_no: Type.Integer({ minimum: 1, description: 'Among the orders of its division.' }),
    items: Type.Array(OrderItem),
    quantity: Units,
    amount: Amount,
    status: OneOf(['pending', 'created', 'failed']),
    remote_number: Nullable(Type.String({ description: 'What the commerce platform calls it.' })),
    attempts: Type.Integer({ minimum: 0, description: 'Attempts to create it in the commerce platform.' }),
    error: Nullable(Type.String()),
    next_attempt_at: Nullable(Timestamp),
    error_report: Nullable(Type.String({ format: 'uri', description: 'Where its error report is.' })),
    packages: Type.Array(OrderPackage, { description: 'Made of it and not cancelled, the oldest first.' }),
  },
  { title: 'QuotationOrder', description: 'An order that a quotation became, for one division.' },
)
