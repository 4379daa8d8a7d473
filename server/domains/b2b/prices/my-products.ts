import { Type } from 'typebox'
import { makeToWire } from '#platform/http/record-shape.ts'
import { Amount, Currency, Id } from '#platform/http/schemas.ts'
import { digitsOf, formatMoney, type Minor } from '#platform/money.ts'
import { LooksShape, looksToWire, RemoteId, remoteIdToWire } from '../products/index.ts'
import type { PricedProduct } from './best-price-store.ts'
import { PriceListShape } from './schemas.ts'

/** A product as buyers see it. */
export const OfferedProductShape = Type.Object(
  {
    id: Id,
    product_remote_id: RemoteId,
    sku: Type.String(),
    name: Type.String(),
    ...LooksShape.properties,
    list_price: Amount,
    price: Type.String({
      ...Amount,
      description: 'The price of the division of the caller at the moment, which is the list price or less.',
    }),
    price_list: PriceListShape,
    currency: Currency,
  },
  { title: 'MyProduct', description: 'What a buyer fills a basket from.' },
)

const money = (amount: Minor, currency: string): string => formatMoney(amount, digitsOf(currency) ?? 0)

export const offeredToWire = makeToWire<PricedProduct, typeof OfferedProductShape>(OfferedProductShape, {
  product_remote_id: ({ remoteId }) => remoteIdToWire(remoteId),
  attributes: (product) => looksToWire(product).attributes,
  list_price: ({ price, currency }) => money(price, currency),
  price: ({ divisionPrice, price, currency }) => money(divisionPrice ?? price, currency),
  price_list: ({ priceList }) => priceList,
})
