import { makeToWire } from '#platform/http/record-shape.ts'
import { Type } from 'typebox'
import { Amount, Currency, Id } from '#platform/http/schemas.ts'
import { digitsOf, formatMoney, type Minor } from '#platform/money.ts'
import { looksToWire, type Product } from './product.ts'
import { RemoteId, remoteIdToWire } from './remote-id.ts'
import { LooksShape } from './schemas.ts'

/** A product as buyers see it. */
export interface OfferedProduct extends Omit<Product, 'price' | 'isActive' | 'createdAt' | 'modifiedAt'> {
  /** What it costs whoever asks. */
  readonly price: Minor
}

export const OfferedProductShape = Type.Object(
  {
    id: Id,
    product_remote_id: RemoteId,
    sku: Type.String(),
    name: Type.String(),
    ...LooksShape.properties,
    price: Amount,
    currency: Currency,
  },
  { title: 'MyProduct', description: 'What a buyer fills a basket from.' },
)

export const offeredToWire = makeToWire<OfferedProduct, typeof OfferedProductShape>(OfferedProductShape, {
  product_remote_id: ({ remoteId }) => remoteIdToWire(remoteId),
  attributes: (product) => looksToWire(product).attributes,
  price: ({ price, currency }) => formatMoney(price, digitsOf(currency) ?? 0),
})
