import { Type } from 'typebox'
import { Body, Id, IdParams, OneOf, orNull, SentAmount } from '#platform/http/schemas.ts'
import { RemoteId } from '../../products/index.ts'
import {
  DetailAnswer,
  Name,
  one,
  QuotationPerson,
  readOnly,
  roleFor,
  route,
  stale,
  TimeOrNever,
  writing,
} from './schemas.ts'
import { QuotationItem } from '../terms/terms-schemas.ts'

const Units = Type.Integer({ minimum: 1, maximum: 1_000_000, examples: [600] })
const Shares = Type.Array(Body({ id: Id, quantity: Units }), {
  minItems: 1,
  maxItems: 1000,
  description: 'Who it is for, in sequence: orders are cut in this sequence.',
})

const sentBack = Object.keys(QuotationItem.properties)
const ItemChanges = Body(
  {
    id: Id,
    price: Type.Optional(
      Type.Unsafe<string | number | null>({
        ...SentAmount({ description: 'The unit price that is agreed on; null: the list price.', examples: ['44.90'] }),
        type: ['string', 'number', 'null'],
      }),
    ),
    quantity: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Alone only of one division.' }),
    ),
    divisions: Type.Optional(Shares),
  },
  sentBack.filter((name) => !['id', 'price', 'quantity', 'divisions'].includes(name)),
)

/** An id, or the person as details show them. */
const Assignee = Type.Unsafe<number | { readonly id: number } | null>({
  ...Body(
    { id: Id },
    Object.keys(QuotationPerson.properties).filter((name) => name !== 'id'),
  ),
  ...Id,
  type: ['integer', 'object', 'null'],
  description: 'Somebody of the back office, by the id or as details have it; null: nobody.',
})

const patchable = {
  name: Type.Optional(Name),
  expires_at: Type.Optional(TimeOrNever),
  assignee: Type.Optional(Assignee),
  items: Type.Optional(Type.Array(ItemChanges, { maxItems: 1000 })),
}

const ItemParams = Type.Object({
  ...IdParams.properties,
  item_id: Type.Integer({ ...Id, title: 'ItemId', description: 'Id of an item of the quotation.' }),
})
const DiscountParams = Type.Object({
  ...IdParams.properties,
  discount_id: Type.Integer({ ...Id, title: 'DiscountId', description: 'Id of a discount of the quotation.' }),
})
const edited = { 200: DetailAnswer, ...stale }
const added = { 201: DetailAnswer, ...stale }
const pricedAgain = 'Only of a draft. Everything is priced again.'
const editing = writing(roleFor('edit'))

export const update = route.admin(
  writing(roleFor('assign'))(
    'updateQuotation',
    'Change a quotation',
    'Name and items only of a draft, by a superuser. The assignee, and a later time to expire, by anybody of the back office while ' +
      'the quotation is open.',
  ),
  {
    ...one,
    body: Body(
      patchable,
      readOnly.filter((name) => !(name in patchable)),
      {
        title: 'QuotationPatch',
        description: 'Changes of a quotation; what is left out stays.',
        examples: [{ name: 'Spring order', items: [{ id: 1, price: '44.90' }] }],
      },
    ),
    response: edited,
  },
)
export const addProduct = route.admin(editing('addQuotationProduct', 'Add a product to a quotation', pricedAgain), {
  ...one,
  body: Body(
    {
      product_remote_id: RemoteId,
      price: Type.Optional(SentAmount()),
      divisions: Shares,
    },
    [],
    {
      title: 'NewQuotationProduct',
      description: 'A product to add to a draft.',
      examples: [{ product_remote_id: 4711, divisions: [{ id: 1, quantity: 10 }] }],
    },
  ),
  response: added,
})
export const removeProduct = route.admin(
  editing(
    'removeQuotationProduct',
    'Remove a product from a quotation',
    `${pricedAgain} Discounts of the product go with it.`,
  ),
  { ...one, params: ItemParams, response: edited },
)
export const addDiscount = route.admin(
  editing(
    'addQuotationDiscount',
    'Give a discount on a quotation, or on one of its items',
    `${pricedAgain} Discounts of items come first, then those of the quotation, each on what the ones before it leave.`,
  ),
  {
    ...one,
    body: Body(
      {
        discount_type: OneOf(['percentage', 'fixed'], {
          description: 'percentage: percent off the price; fixed: an amount off.',
        }),
        value: SentAmount({
          description:
            'A percentage of more than 0 and at most 100 with up to 4 decimals, or an amount of more than 0.',
          examples: ['5'],
        }),
        item: Type.Optional(orNull({ ...Id, description: 'null: on the whole quotation.' })),
      },
      [],
      {
        title: 'NewQuotationDiscount',
        description: 'A discount to give.',
        examples: [{ discount_type: 'percentage', value: '5' }],
      },
    ),
    response: added,
  },
)
export const removeDiscount = route.admin(editing('removeQuotationDiscount', 'Take a discount back', pricedAgain), {
  ...one,
  params: DiscountParams,
  response: edited,
})
