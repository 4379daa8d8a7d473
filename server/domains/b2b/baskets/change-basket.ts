import type { Tx } from '#platform/db/database.ts'
import { invalidField, invalidFields, ruleBroken, type AppError } from '#platform/errors.ts'
import { orderableDivisions } from '../divisions/index.ts'
import { productsByRemoteIds } from '../products/index.ts'
import { byProduct, maxBasketQuantities, type Basket } from './basket.ts'
import type { Buyer } from './buyer.ts'
import { maxPieces, quantityProblem, type WantedQuantity } from './basket-fields.ts'
import { holdBasket } from './whole-basket.ts'
import { addPieces, readBasket, removeProduct, setPieces, type QuantityKey } from './store.ts'

/** Adds pieces of a product for a division. @throws AppError 400 naming each wrong field, `mixed_currencies` or `basket_full`. */
export const addToBasket = async (tx: Tx, buyer: Buyer, wanted: WantedQuantity): Promise<Basket> => {
  const basketId = await holdBasket(tx, buyer.userId)
  const { quantity, ...key } = await orderable(tx, buyer, wanted, 1)
  if (!(await addPieces(tx, { basketId, ...key }, quantity))) {
    const max = maxPieces.toLocaleString('en')
    throw invalidField('quantity', `With what is in the basket that would be more than ${max}.`)
  }
  return fitting(await readBasket(tx, basketId, buyer), key.productId)
}

/** Sets the pieces of a product for a division; 0 removes them, also of an inactive product. @throws AppError as `addToBasket`. */
export const setInBasket = async (tx: Tx, buyer: Buyer, wanted: WantedQuantity): Promise<Basket> => {
  const basketId = await holdBasket(tx, buyer.userId)
  const { productRemoteId, division, quantity } = wanted
  if (quantity === 0) {
    const wasThere = division !== undefined && (await removeProduct(tx, basketId, productRemoteId, division))
    if (!wasThere) await orderable(tx, buyer, wanted, 0)
    return readBasket(tx, basketId, buyer)
  }
  const { quantity: pieces, ...key } = await orderable(tx, buyer, wanted, 0)
  await setPieces(tx, { basketId, ...key }, pieces)
  return fitting(await readBasket(tx, basketId, buyer), key.productId)
}

/** Removes a product for all divisions. @throws AppError 400 when there is no such product. */
export const removeFromBasket = async (tx: Tx, buyer: Buyer, productRemoteId: string): Promise<Basket> => {
  const basketId = await holdBasket(tx, buyer.userId)
  if (!(await removeProduct(tx, basketId, productRemoteId))) {
    const products = await productsByRemoteIds(tx, [productRemoteId])
    if (!products.has(productRemoteId)) throw invalidField('product_remote_id', 'There is no such product.')
  }
  return readBasket(tx, basketId, buyer)
}

type Orderable = Omit<QuantityKey, 'basketId'> & { readonly quantity: number }

/** A quantity that may be filled. @throws AppError 400 naming each field that keeps it from that. */
const orderable = async (
  tx: Tx,
  { divisionId }: Buyer,
  { productRemoteId, division, quantity }: WantedQuantity,
  least: 0 | 1,
): Promise<Orderable> => {
  const product = (await productsByRemoteIds(tx, [productRemoteId])).get(productRemoteId)
  const divisions = await orderableDivisions(tx, divisionId)
  const found = divisions.find(({ id }) => id === division)
  const problem = quantityProblem(quantity, least)
  if (product?.isActive === true && found !== undefined && problem === undefined && quantity !== undefined) {
    return { productId: product.id, divisionId: found.id, quantity }
  }
  throw invalidFields({
    ...(product?.isActive === true ? {} : { product_remote_id: ['There is no such product that can be ordered.'] }),
    // A division that the caller may not order for is as if it were not there.
    ...(found === undefined ? { division: ['There is no such division that you can order for.'] } : {}),
    ...(problem === undefined ? {} : { quantity: [problem] }),
  })
}

/** @throws AppError 400 when what was put in is too much, or of another currency than the rest. The transaction is rolled back. */
const fitting = (basket: Basket, productId: number): Basket => {
  if (basket.quantities.length > maxBasketQuantities) throw basketFull()
  const products = byProduct(basket.quantities).map(([{ product }]) => product)
  const added = products.find(({ id }) => id === productId)
  const other = products.find(({ currency }) => currency !== added?.currency)
  if (added === undefined || other === undefined) return basket
  throw mixedCurrencies(other.currency, added.currency)
}

/** @param where what the error is about, if it is not all of the request. */
export const basketFull = (where = ''): AppError => {
  const max = maxBasketQuantities.toLocaleString('en')
  const message = `A basket holds ${max} products for a division. Save this one, or ask for a quotation.`
  return ruleBroken('basket_full', where + message)
}

/** @param where as in `basketFull`. */
export const mixedCurrencies = (rest: string, added: string, where = ''): AppError =>
  ruleBroken('mixed_currencies', `${where}The basket holds products in ${rest}, and this one is sold in ${added}.`)
