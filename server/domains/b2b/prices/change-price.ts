import type { Tx } from '#platform/db/database.ts'
import { invalidField, invalidFields, notFound, orNotFound } from '#platform/errors.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { Minor } from '#platform/money.ts'
import { divisionExists } from '../divisions/index.ts'
import { productsByIds, productsByRemoteIds, readPrice } from '../products/index.ts'
import { readFrom, readTo, requirePeriod, type Price, type PriceTerms } from './price.ts'
import type { SentPrice, SentPriceChanges } from './schemas.ts'
import { deletePrice, insertPrice, lockPrice, updatePrice } from './store.ts'

/** What a price can go through. Quotations that were made with it keep it whatever becomes of it. */
export const makePriceChanges = ({ clock }: Pick<SliceDeps, 'clock'>) => ({
  /** @throws AppError 400 naming each field that is wrong. */
  async create(tx: Tx, sent: SentPrice): Promise<Price> {
    const remoteId = String(sent.product_remote_id)
    const product = (await productsByRemoteIds(tx, [remoteId])).get(remoteId)
    const isDivision = await divisionExists(tx, sent.division)
    if (product === undefined || !isDivision) {
      throw invalidFields({
        ...(product === undefined ? { product_remote_id: ['There is no such product.'] } : {}),
        ...(isDivision ? {} : { division: [noDivision] }),
      })
    }
    const { division, covers = 'division', name, valid_from: from, valid_to: to = null } = sent
    const { currency } = product
    const now = clock.now()
    const terms: PriceTerms = {
      divisionId: division,
      covers,
      name,
      price: priceOf(sent.price, currency),
      currency,
      validFrom: from === undefined ? now : readFrom(from),
      validTo: to === null ? null : readTo(to),
    }
    requirePeriod(terms)
    return (await insertPrice(tx, { ...terms, productId: product.id }, now)) ?? refuseTwice()
  },

  /** Sets fields. A price that is sent is in the currency that the product has now. @throws AppError 404; 400 as `create`. */
  async update(tx: Tx, id: number, sent: SentPriceChanges): Promise<Price> {
    const price = orNotFound(await lockPrice(tx, id))
    const { division = price.divisionId, covers = price.covers, name = price.name } = sent
    if (division !== price.divisionId && !(await divisionExists(tx, division)))
      throw invalidField('division', noDivision)
    const terms: PriceTerms = {
      divisionId: division,
      covers,
      name,
      ...(sent.price === undefined ? amountOf(price) : await pricedNow(tx, price.productId, sent.price)),
      validFrom: sent.valid_from === undefined ? price.validFrom : readFrom(sent.valid_from),
      validTo: toOf(sent.valid_to, price),
    }
    requirePeriod(terms)
    if (!differs(price, terms)) return price
    return (await updatePrice(tx, id, terms, clock.now())) ?? refuseTwice()
  },

  /** @throws AppError 404. */
  async remove(tx: Tx, id: number): Promise<void> {
    if (!(await deletePrice(tx, id))) throw notFound()
  },
})

const noDivision = 'There is no such division.'

const refuseTwice = (): never => {
  throw invalidField('valid_from', 'This list has a price of the product for the division from this time on already.')
}

const amountOf = ({ price, currency }: Price) => ({ price, currency })
const toOf = (sent: string | null | undefined, { validTo }: Price): Date | null => {
  if (sent === undefined) return validTo
  return sent === null ? null : readTo(sent)
}

const pricedNow = async (tx: Tx, productId: number, sent: string | number) => {
  const { currency } = orNotFound((await productsByIds(tx, [productId])).get(productId))
  return { price: priceOf(sent, currency), currency }
}

const priceOf = (sent: string | number, currency: string): Minor => {
  const reading = readPrice(sent, currency)
  if (!reading.ok) throw invalidField(reading.field, reading.message)
  return reading.price
}

const differs = (price: Price, terms: PriceTerms): boolean =>
  (Object.keys(terms) as (keyof PriceTerms)[]).some((field) => comparable(price[field]) !== comparable(terms[field]))
const comparable = (value: PriceTerms[keyof PriceTerms]) => (value instanceof Date ? value.getTime() : value)
