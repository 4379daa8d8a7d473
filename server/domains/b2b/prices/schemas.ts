import { Type, type Static } from 'typebox'
import {
  Amount,
  Body,
  CheckedElsewhere,
  Currency,
  Id,
  NotBlank,
  Nullable,
  OneOf,
  orNull,
  SentAmount,
  Timestamp,
} from '#platform/http/schemas.ts'
import { timeOrDatePattern } from '#platform/time-text.ts'
import { RemoteId } from '../products/index.ts'

export const coverages = ['division', 'tree'] as const
export type Coverage = (typeof coverages)[number]

const Covers = OneOf(coverages, {
  description: 'Whom it is for: the division alone, or everything below it too, as the tree is at the moment.',
})
const Name = NotBlank(255, {
  description: 'What people call the list that it is in, such as that of a season.',
  examples: ['Summer 2026'],
})
const dates = { maxLength: 40, examples: ['2026-06-01', '2026-06-01T00:00:00Z'] }
const checked = { pattern: timeOrDatePattern }
const From = CheckedElsewhere(
  Type.String({ description: 'Since when it holds. A date is the first moment of that day in UTC.', ...dates }),
  checked,
)
const To = orNull(
  CheckedElsewhere(
    Type.String({
      description: 'Until when it holds; a date counts to its end, in UTC. null: it has no end.',
      ...dates,
    }),
    checked,
  ),
)

export const Price = Type.Object(
  {
    id: Id,
    division: Id,
    division_name: Type.String(),
    covers: Covers,
    product: Id,
    product_remote_id: RemoteId,
    product_name: Type.String(),
    name: Name,
    price: Amount,
    currency: Type.String({
      ...Currency,
      description: 'That of the product when the price was set. While the product has another one, it does not hold.',
    }),
    valid_from: Timestamp,
    valid_to: Nullable(Type.String({ ...Timestamp, description: 'The first moment when it does not hold any more.' })),
    list_price: Amount,
    list_currency: Type.String({ ...Currency, description: 'That of the product by now, which its list price is in.' }),
    created_date: Timestamp,
    modified_date: Timestamp,
  },
  {
    title: 'Price',
    description: 'What a division pays for a product, for some time, where that is less than its list price.',
  },
)

/** Beside a price: the list that it is of. */
export const PriceListShape = Nullable(
  Type.Object(
    { id: Id, name: Name },
    { title: 'PriceList', description: 'The list that the price is of: its price there, and what the list is called.' },
  ),
)

const terms = { division: Id, name: Name, price: SentAmount() }
const readOnly = [
  'id',
  'division_name',
  'product',
  'product_name',
  'currency',
  'list_price',
  'list_currency',
  'created_date',
  'modified_date',
]
const optional = { covers: Type.Optional(Covers), valid_to: Type.Optional(To) }
const example = {
  division: 12,
  covers: 'tree',
  product_remote_id: 1001,
  name: 'Summer 2026',
  price: '44.90',
  valid_from: '2026-06-01',
  valid_to: '2026-08-31',
}
export const NewPrice = Body(
  { ...terms, product_remote_id: RemoteId, valid_from: Type.Optional(From), ...optional },
  readOnly,
  {
    title: 'NewPrice',
    description: 'A price to make; it holds from now on unless it says otherwise.',
    examples: [example],
  },
)
export const PriceChanges = Body(
  Type.Partial(Type.Object({ ...terms, valid_from: From, ...optional })).properties,
  [...readOnly, 'product_remote_id'],
  { title: 'PricePatch', description: 'Changes of a price; what is left out stays.', examples: [{ price: '39.90' }] },
)
export type SentPrice = Static<typeof NewPrice>
export type SentPriceChanges = Static<typeof PriceChanges>

/** A row of a table. */
export const PriceRow = Body({
  product_remote_id: Type.String({ minLength: 1, maxLength: 255 }),
  erp_code: NotBlank(100),
  covers: Type.Optional(Covers),
  name: Name,
  price: SentAmount(),
  valid_from: From,
  valid_to: Type.Optional(Type.String({ maxLength: 40 })),
})
export type PriceRowFields = Static<typeof PriceRow>
