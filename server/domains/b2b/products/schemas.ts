import { Type, type Static } from 'typebox'
import { Amount, Body, Currency, Id, SentAmount, Timestamp } from '#platform/http/schemas.ts'

const RemoteId = Type.String({ minLength: 1, maxLength: 255, pattern: String.raw`\S`, examples: ['4711'] })
const Name = Type.String({ minLength: 1, maxLength: 255, pattern: String.raw`\S`, examples: ['Oak chair'] })
const fields = { remote_id: RemoteId, name: Name, price: SentAmount(), currency: Currency }
const isActive = Type.Boolean({ description: 'An inactive product is not sold.' })
const readOnly = ['id', 'created_date', 'modified_date']

export const Product = Type.Object(
  {
    id: Id,
    ...fields,
    price: Amount,
    is_active: Type.Boolean(),
    created_date: Timestamp,
    modified_date: Timestamp,
  },
  { title: 'Product', description: 'What is sold, and its list price.' },
)
const example = { remote_id: '4711', name: 'Oak chair', price: '49.90', currency: 'EUR' }
export const NewProduct = Body({ ...fields, is_active: Type.Optional(isActive) }, readOnly, {
  title: 'NewProduct',
  description: 'A product to make.',
  examples: [example],
})
export type NewProductBody = Static<typeof NewProduct>
export const ProductChanges = Body(Type.Partial(Type.Object({ ...fields, is_active: isActive })).properties, readOnly, {
  title: 'ProductPatch',
  description: 'Changes of a product; what is left out stays.',
  examples: [{ price: '44.90' }],
})
