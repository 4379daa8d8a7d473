import { Type, type Static } from 'typebox'
import { saidAs } from '#platform/http/errors/field-errors.ts'
import { Amount, Body, Currency, Id, SentAmount, Timestamp } from '#platform/http/schemas.ts'
import { RemoteId } from './remote-id.ts'

const text = { minLength: 1, maxLength: 255, pattern: String.raw`\S` }
const SentRemoteId = Type.Unsafe<number | string>({
  ...text,
  type: ['integer', 'string'],
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  examples: [4711],
})
const Sku = Type.String({ ...text, examples: ['CHAIR-OAK'] })
const Name = Type.String({ ...text, examples: ['Oak chair'] })
const fields = { remote_id: SentRemoteId, name: Name, price: SentAmount(), currency: Currency }
const looks = {
  base_code: Type.String({ maxLength: 255 }),
  category: Type.String({ maxLength: 255 }),
  image: Type.String({
    maxLength: 2_048,
    pattern: saidAs(
      'Expected an address that begins with http:// or https://, without spaces.',
      String.raw`^([Hh][Tt][Tt][Pp][Ss]?://\S+)?$`,
    ),
  }),
  attributes: Type.Record(Type.String(), Type.Unknown()),
}
/** What people see of a product besides its name and price, wherever it is shown. */
export const LooksShape = Type.Object({ ...looks, image: Type.String() })
const isActive = Type.Boolean({ description: 'An inactive product is not sold.' })
const readOnly = ['id', 'created_date', 'modified_date']

export const Product = Type.Object(
  {
    id: Id,
    remote_id: RemoteId,
    sku: Type.String(),
    name: Type.String(),
    price: Amount,
    currency: Currency,
    ...LooksShape.properties,
    is_active: Type.Boolean(),
    created_date: Timestamp,
    modified_date: Timestamp,
  },
  { title: 'Product', description: 'What is sold, and its list price.' },
)
const example = { remote_id: 4711, sku: 'CHAIR-OAK', name: 'Oak chair', price: '49.90', currency: 'EUR' }
const optional = Type.Partial(Type.Object({ sku: Sku, ...looks, is_active: isActive })).properties
export const NewProduct = Body({ ...fields, ...optional }, readOnly, {
  title: 'NewProduct',
  description: 'A product to make.',
  examples: [example],
})
export const ProductChanges = Body({ ...Type.Partial(Type.Object(fields)).properties, ...optional }, readOnly, {
  title: 'ProductPatch',
  description: 'Changes of a product; what is left out stays.',
  examples: [{ price: '44.90' }],
})
export type ProductChangesBody = Static<typeof ProductChanges>

/** A row of a table that is loaded: an empty `sku` is the remote id. */
export const ProductRow = Type.Object({
  ...NewProduct.properties,
  remote_id: Type.String({ ...text }),
  sku: Type.Optional(Type.String({ maxLength: text.maxLength })),
})
export type ProductRowFields = Static<typeof ProductRow>
