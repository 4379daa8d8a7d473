import { makeToWire } from '#platform/http/record-shape.ts'
import { digitsOf, formatMoney, parseMoney, type Minor } from '#platform/money.ts'
import { Product as ProductRecord } from './schemas.ts'

/** What somebody can set. */
export interface ProductFields {
  /** What the commerce platform calls it. */
  readonly remoteId: string
  readonly name: string
  readonly price: Minor
  /** ISO 4217. */
  readonly currency: string
  /** Inactive: it cannot be put into a basket, nor into a quotation. */
  readonly isActive: boolean
}

/** Something that is sold. */
export interface Product extends ProductFields {
  readonly id: number
  readonly createdAt: Date
  readonly modifiedAt: Date
}

/** Whether setting these fields would change anything. */
export const differs = (product: Product, fields: ProductFields): boolean =>
  (Object.keys(fields) as (keyof ProductFields)[]).some((name) => product[name] !== fields[name])

export type PriceReading =
  | { readonly ok: true; readonly price: Minor }
  | { readonly ok: false; readonly field: 'price' | 'currency'; readonly message: string }

/** A JSON number has 15 decimal digits that can be relied on. */
const exactBelow: Minor = 10n ** 15n

/** Reads a price, as a decimal text or a number, exactly, or says what is wrong with it or its currency. */
export const readPrice = (given: string | number, currency: string): PriceReading => {
  const digits = digitsOf(currency)
  if (digits === undefined) {
    return { ok: false, field: 'currency', message: 'Expected a currency of ISO 4217, such as EUR.' }
  }
  const price = parseMoney(String(given), digits)
  if (price === undefined) {
    const message = `Expected an amount of 0 or more such as ${formatMoney(1250n, digits)}, with at most ${digits} decimals.`
    return { ok: false, field: 'price', message }
  }
  if (typeof given === 'number' && price >= exactBelow) {
    return { ok: false, field: 'price', message: 'A number as large as this is not exact. Send it as a string.' }
  }
  return { ok: true, price }
}

/** The price as a text without more decimals than it needs, so that it can be read in another currency. */
export const shortPrice = ({ price, currency }: Pick<Product, 'price' | 'currency'>): string =>
  formatMoney(price, digitsOf(currency) ?? 0)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')

export const toWire = makeToWire<Product, typeof ProductRecord>(ProductRecord, {
  price: ({ price, currency }) => formatMoney(price, digitsOf(currency) ?? 0),
})
