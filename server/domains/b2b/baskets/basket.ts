import type { Static } from 'typebox'
import { digitsOf, formatMoney, type Minor } from '#platform/money.ts'
import type { PricedProduct } from '../prices/index.ts'
import { looksToWire, remoteIdToWire } from '../products/index.ts'
import type { BasketShape, DraftShape } from './schemas.ts'

/** So many pieces of a product for a division. */
export interface BasketQuantity {
  readonly product: PricedProduct
  readonly division: { readonly id: number; readonly name: string; readonly erpCode: string | null }
  readonly quantity: number
}

export interface Basket {
  readonly id: number
  /** In the order in which they were put in. */
  readonly quantities: readonly BasketQuantity[]
}

/** A basket that was put aside. */
export interface Draft {
  readonly id: number
  readonly name: string
  readonly savedAt: Date
  /** What it comes to at the prices of today, by currency, that of its first item first. It has one unless prices changed theirs. */
  readonly sums: readonly { readonly currency: string; readonly amount: Minor; readonly quantity: number }[]
}

/** How many pairs of product and division a basket or a quotation can have: an answer shows all of them, and every change reads them again. */
export const maxBasketQuantities = 20_000

/** The basket as the storefront client reads it: an item for each product, with its divisions in sequence. */
export const basketToWire = ({
  id,
  quantities,
}: Basket): Omit<Static<typeof BasketShape>, 'remaining' | 'needs_approval'> => {
  const currency = quantities[0]?.product.currency ?? null
  const money = makeMoney()
  const inCurrency = quantities.filter(({ product }) => product.currency === currency)
  return {
    id,
    total_amount: money(amountOf(inCurrency), currency),
    total_quantity: quantityOf(quantities),
    currency,
    basket_items: byProduct(quantities).map((ofProduct) => itemToWire(ofProduct, money)),
  }
}

const itemToWire = (quantities: ProductQuantities, money: Money) => {
  const [{ product }] = quantities
  const price = money(priceOf(product), product.currency)
  const looks = looksToWire(product)
  return {
    product_remote_id: remoteIdToWire(product.remoteId),
    list_price: money(product.price, product.currency),
    price,
    price_list: product.priceList,
    quantity: quantityOf(quantities),
    total_amount: money(amountOf(quantities), product.currency),
    divisions: quantities.map(({ division, quantity }) => ({
      id: division.id,
      name: division.name,
      erp_code: division.erpCode ?? '',
      quantity,
    })),
    product: {
      pk: product.id,
      sku: product.sku,
      name: product.name,
      price,
      currency: product.currency,
      is_active: product.isActive,
      ...looks,
      product_image: looks.image,
      ...notKept,
    },
  }
}

/** What the client reads of a product beside that. It lives in the commerce platform. */
const notKept = { asorti: '', variants: {} }

/** The draft as the storefront client reads it. */
export const draftToWire = ({ id, name, savedAt, sums }: Draft): Static<typeof DraftShape> => {
  const [first] = sums
  return {
    id,
    name,
    total_amount: makeMoney()(first?.amount ?? 0n, first?.currency ?? null),
    total_quantity: sums.reduce((sum, { quantity }) => sum + quantity, 0),
    currency: first?.currency ?? null,
    saved_at: savedAt.toISOString(),
  }
}

type ProductQuantities = readonly [BasketQuantity, ...BasketQuantity[]]

/** The quantities of each product, in the order of the first of them. */
export const byProduct = (quantities: readonly BasketQuantity[]): ProductQuantities[] =>
  [...Map.groupBy(quantities, ({ product }) => product.id).values()] as [BasketQuantity, ...BasketQuantity[]][]

/** What the division of the buyer pays. */
const priceOf = ({ divisionPrice, price }: BasketQuantity['product']): Minor => divisionPrice ?? price
const amountOf = (quantities: readonly BasketQuantity[]): Minor =>
  quantities.reduce((sum, { product, quantity }) => sum + priceOf(product) * BigInt(quantity), 0n)
const quantityOf = (quantities: readonly BasketQuantity[]): number =>
  quantities.reduce((sum, { quantity }) => sum + quantity, 0)

type Money = (amount: Minor, currency: string | null) => string

/** Writes amounts, and looks up each currency once: that takes long, and a basket has a thousand prices of one. */
const makeMoney = (): Money => {
  const known = new Map<string, number>()
  return (amount, currency) => {
    const digits = (currency === null ? undefined : known.get(currency)) ?? digitsOf(currency ?? '') ?? usualDigits
    if (currency !== null) known.set(currency, digits)
    return formatMoney(amount, digits)
  }
}
/** Of an empty basket. */
const usualDigits = 2

/** A product of a basket. */
export interface BasketLine {
  readonly productId: number
  /** In the order in which they were put in, each once. */
  readonly divisions: readonly { readonly id: number; readonly quantity: number }[]
}
