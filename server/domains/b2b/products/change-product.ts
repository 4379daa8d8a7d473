import type { Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound } from '#platform/errors.ts'
import type { Minor } from '#platform/money.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import {
  attributesProblem,
  differs,
  fieldsOf,
  readPrice,
  shortPrice,
  type Product,
  type ProductFields,
} from './product.ts'
import { insertProduct, lockProduct, updateProduct, type Taken } from './store.ts'

const takenError = (taken: Taken) =>
  taken === 'sku taken'
    ? invalidField('sku', skuTaken)
    : invalidField('remote_id', 'Another product has this remote id.')
export const skuTaken = 'Another product has this sku.'

/** Fields as they were sent: the price is not read yet, because that takes the currency. */
export type SentFields = Omit<ProductFields, 'price'> & { readonly price: string | number }

/** The two changes a product can go through. */
export const makeProductChanges = ({ clock }: Pick<SliceDeps, 'clock'>) => ({
  /** @throws AppError 400 when the remote id or the sku is taken, or the price is none in its currency. */
  async create(tx: Tx, sent: SentFields): Promise<Product> {
    checkAttributes(sent)
    const product = await insertProduct(tx, { ...sent, price: priceOf(sent) }, clock.now())
    if (typeof product === 'string') throw takenError(product)
    return product
  },

  /** Sets fields. In another currency the price stays the same number, unless it is set too. @throws AppError 404; 400 as `create`. */
  async update(tx: Tx, id: number, sent: Partial<SentFields>): Promise<Product> {
    checkAttributes(sent)
    const product = orNotFound(await lockProduct(tx, id))
    const currency = sent.currency ?? product.currency
    const wanted = {
      ...fieldsOf(product),
      ...sent,
      price: priceOf({ price: sent.price ?? shortPrice(product), currency }),
    }
    if (!differs(product, wanted)) return product
    const updated = await updateProduct(tx, id, wanted, clock.now())
    if (typeof updated === 'string') throw takenError(updated)
    return updated
  },
})

const checkAttributes = ({ attributes = {} }: Partial<SentFields>): void => {
  const problem = attributesProblem(attributes)
  if (problem !== undefined) throw invalidField('attributes', problem)
}

const priceOf = ({ price, currency }: Pick<SentFields, 'price' | 'currency'>): Minor => {
  const reading = readPrice(price, currency)
  if (!reading.ok) throw invalidField(reading.field, reading.message)
  return reading.price
}
