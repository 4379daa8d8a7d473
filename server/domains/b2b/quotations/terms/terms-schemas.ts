import { Type } from 'typebox'
import { Id, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'

export const Amount = Type.String({
  description: 'A decimal text with all digits of its currency.',
  examples: ['1234.50'],
})

const Share = Type.Object({ id: Id, quantity: Type.Integer() })

export const QuotationItem = Type.Object(
  {
    id: Id,
    product_remote_id: Type.String(),
    product: Type.String({ description: 'Its name when it was added.' }),
    quantity: Type.Integer({ description: 'For all divisions together.' }),
    list_price: Amount,
    price: Type.String({ description: 'The unit price that counts: what was agreed on, else the list price.' }),
    total_amount: Amount,
    net_amount: Type.String({ description: 'After its discounts, and its share of those of the quotation.' }),
    divisions: Type.Array(Share, { description: 'Who it is for, in sequence.' }),
  },
  { title: 'QuotationItem', description: 'A product of a quotation, for one or more divisions.' },
)

const QuotationDiscount = Type.Object(
  {
    id: Id,
    item: Type.Union([Id, Type.Null()], { description: 'null: of the whole quotation.' }),
    discount_type: OneOf(['percentage', 'fixed']),
    value: Type.String({ description: 'A percentage, or an amount.' }),
    amount: Type.String({ description: 'What it takes off.' }),
    created_at: Timestamp,
  },
  { title: 'QuotationDiscount', description: 'A discount on a quotation, or on one of its items.' },
)

const terms = {
  currency: Type.String({ examples: ['EUR'] }),
  total_amount: Amount,
  net_amount: Amount,
  items: Type.Array(QuotationItem),
  discounts: Type.Array(QuotationDiscount),
}
export const TermsShape = Type.Object(terms, {
  title: 'QuotationTerms',
  description: 'What a quotation offers: products, prices and discounts.',
})

/** An order as the details of its quotation show it. */
export const QuotationOrder = Type.Object(
  {
    id: Id,
    number: Type.String(),
    division: Type.Object({ id: Id, name: Type.String() }),
    batch_no: Type.Integer(),
    items: Type.Array(Type.Object({ product_remote_id: Type.String(), quantity: Type.Integer(), amount: Amount })),
    quantity: Type.Integer(),
    amount: Amount,
    status: OneOf(['pending', 'created', 'failed']),
    remote_number: Nullable(Type.String({ description: 'What the commerce platform calls it.' })),
    attempts: Type.Integer(),
    error: Nullable(Type.String()),
    next_attempt_at: Nullable(Timestamp),
    error_report: Nullable(Type.String({ description: 'Where its error report is.' })),
  },
  { title: 'QuotationOrder', description: 'An order that a quotation became, for one division.' },
)
