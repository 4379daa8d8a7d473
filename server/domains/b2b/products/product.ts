import { isDeepStrictEqual } from 'node:util'
import { makeToWire } from '#platform/http/record-shape.ts'
import { digitsOf, formatMoney, parseMoney, type Minor } from '#platform/money.ts'
import { remoteIdToWire } from './remote-id.ts'
import { Product as ProductRecord } from './schemas.ts'

/** What people see of a product besides its name and price. Nothing is decided by it. */
export interface Looks {
  readonly baseCode: string
  readonly category: string
  /** '': there is none. */
  readonly image: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Looks of which nobody has said anything. */
export const noLooks: Looks = { baseCode: '', category: '', image: '', attributes: {} }

/** What somebody can set. */
export interface ProductFields extends Looks {
  /** What the commerce platform calls it. */
  readonly remoteId: string
  /** What the warehouse calls it. */
  readonly sku: string
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

/** What a new product has where nobody said anything. Its sku is the remote id then. */
export const unsaid = { ...noLooks, isActive: true }

/** What of a product can be set, as it is. */
export const fieldsOf = ({
  id: _id,
  createdAt: _createdAt,
  modifiedAt: _modifiedAt,
  ...fields
}: Product): ProductFields => fields

/** Whether setting these fields would change anything. */
export const differs = (product: Product, fields: ProductFields): boolean =>
  (Object.keys(fields) as (keyof ProductFields)[]).some((name) => !isDeepStrictEqual(product[name], fields[name]))

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

/** Most bytes of attributes, as JSON. */
const maxAttributes = 16_384

/** What is wrong with attributes; undefined when nothing is. */
export const attributesProblem = (attributes: Looks['attributes']): string | undefined =>
  Buffer.byteLength(JSON.stringify(attributes)) > maxAttributes
    ? `Expected an object of at most ${maxAttributes.toLocaleString('en')} bytes as JSON.`
    : undefined

/** The looks as everything shows them. */
export const looksToWire = ({ baseCode, category, image, attributes }: Looks) => ({
  base_code: baseCode,
  category,
  image,
  attributes: { ...attributes },
})

export const toWire = makeToWire<Product, typeof ProductRecord>(ProductRecord, {
  remote_id: ({ remoteId }) => remoteIdToWire(remoteId),
  attributes: ({ attributes }) => ({ ...attributes }),
  price: ({ price, currency }) => formatMoney(price, digitsOf(currency) ?? 0),
})
