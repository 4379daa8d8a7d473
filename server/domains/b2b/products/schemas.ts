import { Type, type Static } from 'typebox'
import { Envelope } from '#platform/lists/send-list.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { Body, errorResponses, Id, IdParams, Timestamp } from '#platform/http/schemas.ts'
import { productList } from './store.ts'

const RemoteId = Type.String({ minLength: 1, maxLength: 255, pattern: String.raw`\S`, examples: ['4711'] })
const Name = Type.String({ minLength: 1, maxLength: 255, pattern: String.raw`\S`, examples: ['Oak chair'] })
const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.', examples: ['EUR'] })
const Price = Type.Unsafe<string | number>({
  type: ['string', 'number'],
  description: 'With at most the decimals of its currency.',
  examples: ['49.90'],
})
const fields = { remote_id: RemoteId, name: Name, price: Price, currency: Currency }
const isActive = Type.Boolean({ description: 'An inactive product is not sold.' })
const readOnly = ['id', 'created_date', 'modified_date']

const Product = Type.Object(
  {
    id: Id,
    ...fields,
    price: Type.String({ description: 'A decimal text with all digits of its currency.', examples: ['49.90'] }),
    is_active: Type.Boolean(),
    created_date: Timestamp,
    modified_date: Timestamp,
  },
  { title: 'Product' },
)
const example = { remote_id: '4711', name: 'Oak chair', price: '49.90', currency: 'EUR' }
export const NewProduct = Body({ ...fields, is_active: Type.Optional(isActive) }, readOnly, {
  title: 'NewProduct',
  examples: [example],
})
export type NewProductBody = Static<typeof NewProduct>
const ProductChanges = Body(Type.Partial(Type.Object({ ...fields, is_active: isActive })).properties, readOnly, {
  title: 'ProductPatch',
  examples: [{ price: '44.90' }],
})

const route = makeRouteOptions('Products', errorResponses)
const read = operationsFor({ access: { role: 'staff', scope: 'quotations:read' } })
const write = operationsFor({ access: { role: 'staff', scope: 'quotations:write' } })
export const listOptions = route(read('listProducts', 'List products'), {
  querystring: productList.querystring,
  response: { 200: Envelope(Product) },
})
export const createOptions = route(write('createProduct', 'Create a product'), {
  body: NewProduct,
  response: { 201: Product },
})
export const getOptions = route(read('getProduct', 'Read a product'), { params: IdParams, response: { 200: Product } })
export const updateOptions = route(
  write(
    'updateProduct',
    'Change, deactivate or reactivate a product',
    'Products are deactivated, not deleted. Quotations keep the name and the price that a product had when they were made. ' +
      'In another currency the price stays the same number, unless it is sent too.',
  ),
  { params: IdParams, body: ProductChanges, response: { 200: Product } },
)
