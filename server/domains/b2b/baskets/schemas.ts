import { Type } from 'typebox'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import {
  Amount,
  Body,
  CheckedElsewhere,
  Currency,
  errorResponses,
  Id,
  IdParams,
  Nullable,
  OptionalBody,
  Timestamp,
} from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { time } from '#platform/lists/filters.ts'
import { PriceListShape } from '../prices/index.ts'
import { LooksShape, RemoteId } from '../products/index.ts'
import { maxPieces } from './basket-fields.ts'

export const route = makeRouteOptions('Baskets', errorResponses)
const read = operationsFor({ access: { role: 'user', scope: 'quotations:read' } })
const readBasket = operationsFor({ access: { role: 'user', scope: 'quotations:read' }, also: [429] })
const write = operationsFor({ access: { role: 'user', scope: 'quotations:write' }, also: [429] })

const numberOrText = (description: string, examples: readonly (number | string)[], limits: object = {}) =>
  CheckedElsewhere(Type.Unsafe<number | string>({ type: ['integer', 'string'], description, examples }), limits)
const pieces = (minimum: 0 | 1) =>
  numberOrText('A whole number up to 1,000,000; as a text too.', [3], {
    minimum,
    maximum: maxPieces,
    pattern: '^(0|[1-9][0-9]*)$',
  })

const BasketItem = Type.Object(
  {
    product_remote_id: RemoteId,
    list_price: Amount,
    price: Type.String({
      ...Amount,
      description: 'The unit price of the division of the caller at the moment, which is the list price or less.',
    }),
    price_list: PriceListShape,
    quantity: Type.Integer({ minimum: 1, description: 'For all divisions together.' }),
    total_amount: Amount,
    divisions: Type.Array(
      Type.Object({ id: Id, name: Type.String(), erp_code: Type.String(), quantity: Type.Integer({ minimum: 1 }) }),
      { description: 'In the order in which they were put in.' },
    ),
    product: Type.Object(
      {
        pk: Id,
        sku: Type.String(),
        name: Type.String(),
        price: Amount,
        currency: Currency,
        is_active: Type.Boolean({ description: 'One that is not cannot be ordered, and has to be removed first.' }),
        ...LooksShape.properties,
        product_image: Type.String(),
        asorti: Type.String(),
        variants: Type.Object({}),
      },
      { description: '`asorti` and `variants` are kept by the commerce platform, and empty here.' },
    ),
  },
  { title: 'BasketItem', description: 'A product in a basket, for one or more divisions.' },
)

export const BasketShape = Type.Object(
  {
    id: Id,
    total_amount: Amount,
    total_quantity: Type.Integer({ minimum: 0 }),
    currency: Nullable(
      Type.String({
        ...Currency,
        description: 'Of all its items, and of `total_amount`; null while the basket is empty.',
      }),
    ),
    basket_items: Type.Array(BasketItem),
    remaining: Nullable(
      Type.String({
        ...Amount,
        description:
          "What is left this month of the limits of the caller's division and those above it, before this basket; null: there is no limit.",
        examples: ['2000.00'],
      }),
    ),
    needs_approval: Type.Boolean({
      description:
        'Whether a quotation of it would wait for the main division of the caller before the seller gets it.',
    }),
  },
  { title: 'Basket', description: 'What a buyer collects for a quotation.' },
)

export const DraftShape = Type.Object(
  {
    id: Id,
    name: Type.String(),
    total_amount: Type.String({ ...Amount, description: 'At the prices of today.' }),
    total_quantity: Type.Integer({ minimum: 0 }),
    currency: Nullable(Currency),
    saved_at: Timestamp,
  },
  { title: 'BasketDraft', description: 'A basket that was put aside.' },
)

/** What an item of the basket shows beside that, and a client may send back. */
const readOnly = ['list_price', 'price', 'price_list', 'total_amount', 'divisions', 'product']
const basketQuantity = {
  product_remote_id: RemoteId,
  division: numberOrText('Who it is for: a division that the caller may order for; its id as a text too.', [12], {
    minimum: 1,
    pattern: '^[1-9][0-9]*$',
  }),
  quantity: pieces(1),
}
const example = { product_remote_id: '1001', division: '12', quantity: '3' }
export const AdditionBody = Body(basketQuantity, readOnly, {
  title: 'BasketAddition',
  description: 'Pieces to put into the basket.',
  examples: [example],
})
const SettingBody = Body({ ...basketQuantity, quantity: pieces(0) }, readOnly, {
  title: 'BasketSetting',
  description: 'How many pieces are to be in the basket.',
  examples: [{ product_remote_id: 1001, division: 12, quantity: 5 }],
})
const ProductBody = Body({ product_remote_id: RemoteId }, [...readOnly, 'division', 'quantity'], {
  title: 'BasketRemoval',
  description: 'A product to remove from the basket.',
  examples: [{ product_remote_id: 1001 }],
})
const SaveBody = Body({ name: Type.String({ minLength: 1, maxLength: 255, examples: ['Spring order'] }) }, [], {
  title: 'BasketSaving',
  description: 'The name to put the basket aside under.',
  examples: [{ name: 'Spring order' }],
})

/** What the operations on the basket that a user fills have in common: it is the answer. */
const operation = { response: { 200: BasketShape } }
const aliased = 'The path is also reached as `/b2b/basket/`, below it too.'

export const getOptions = route(
  readBasket(
    'getBasket',
    'Read the basket of the caller',
    `What the caller is about to ask for: products, each for one or more divisions. ${aliased}`,
  ),
  operation,
)
export const addOptions = route(
  write(
    'addToBasket',
    'Put pieces of a product for a division into the basket',
    'They are added to what is there of the same product for the same division.',
  ),
  { ...operation, body: AdditionBody },
)
export const setOptions = route(
  write(
    'setInBasket',
    'Set how many pieces of a product for a division are in the basket',
    '`quantity` 0 removes them.',
  ),
  { ...operation, body: SettingBody },
)
export const removeOptions = route(
  write('removeFromBasket', 'Remove a product from the basket, for all divisions', 'Answers the basket that is left.'),
  {
    ...operation,
    body: ProductBody,
  },
)
export const saveOptions = route(
  write(
    'saveBasket',
    'Put the basket aside under a name',
    'Leaves an empty basket, which is the answer. What was put aside under the same name is replaced. At most 50 are kept.',
  ),
  { ...operation, body: SaveBody },
)
/** A page has the most that it can: the storefront client asks for no other one. */
export const draftList = defineList({
  defaultOrdering: '-id',
  defaultLimit: 1000,
  filters: { saved_at: time('savedAt', 'Saved') },
})
export const listDrafts = read('listBasketDrafts', 'List what was put aside, the newest first')
export const removeDraft = write('removeBasketDraft', 'Remove what was put aside', 'The basket itself stays as it is.')
export const loadOptions = route(
  write(
    'loadBasket',
    'Replace the basket with one that was put aside',
    'What was in the basket is lost. The draft stays.',
  ),
  { ...operation, params: IdParams, body: OptionalBody({}) },
)
