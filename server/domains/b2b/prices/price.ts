import { dayMs } from '#platform/clock.ts'
import { invalidField } from '#platform/errors.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { readTimeRange } from '#platform/lists/time-range.ts'
import { digitsOf, formatMoney, type Minor } from '#platform/money.ts'
import { remoteIdToWire } from '../products/index.ts'
import { Price as PriceRecord, type Coverage } from './schemas.ts'

/** What somebody can set of a price that there is: its product stays. */
export interface PriceTerms {
  readonly divisionId: number
  readonly covers: Coverage
  readonly name: string
  readonly price: Minor
  /** That of the product when the price was set. While the product has another one, the price does not hold. */
  readonly currency: string
  readonly validFrom: Date
  /** The first moment when it does not hold any more; null: it has no end. */
  readonly validTo: Date | null
}
export interface PriceFields extends PriceTerms {
  readonly productId: number
}

/** What a division pays for a product, for some time. */
export interface Price extends PriceFields {
  readonly id: number
  readonly divisionName: string
  readonly productRemoteId: string
  readonly productName: string
  /** What the product costs where no division has a price. */
  readonly listPrice: Minor
  readonly listCurrency: string
  readonly createdAt: Date
  readonly modifiedAt: Date
}

/** The list that a price is of, as people call it. */
export interface PriceList {
  /** Of the price in it. */
  readonly id: number
  readonly name: string
}

/** Whose prices, and when. */
export interface PricedFor {
  /** The division of the buyer; null: list prices. */
  readonly divisionId: number | null
  readonly at: Date
}

/** What a buyer pays for a product. */
export interface DivisionPrice {
  /** What it costs by a list; null: its list price. */
  readonly divisionPrice: Minor | null
  readonly priceList: PriceList | null
}

/** A date is a day in UTC: a price holds from its beginning, and to its end. */
const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)

/** Since when a price holds. @throws AppError 400. */
export const readFrom = (text: string): Date => {
  const { from = new Date(Number.NaN) } = readTimeRange(text, 'valid_from', 'is', 'days')
  return from
}

/** Many programs write "for ever" as the last day that there is; the day after it cannot be stored or shown. */
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Until when it holds. @throws AppError 400. */
export const readTo = (text: string): Date => {
  const { from = new Date(Number.NaN) } = readTimeRange(text, 'valid_to', 'is', 'days')
  return isDate(text) ? new Date(Math.min(from.getTime() + dayMs, lastMs)) : from
}

/** What is wrong with the time of a price, if anything is. */
export const periodProblem = ({ validFrom, validTo }: Pick<PriceTerms, 'validFrom' | 'validTo'>): string | undefined =>
  validTo === null || validTo > validFrom ? undefined : 'It has to end after it begins.'

/** @throws AppError 400. */
export const requirePeriod = (period: Pick<PriceTerms, 'validFrom' | 'validTo'>): void => {
  const problem = periodProblem(period)
  if (problem !== undefined) throw invalidField('valid_to', problem)
}

export const toWire = makeToWire<Price, typeof PriceRecord>(PriceRecord, {
  division: 'divisionId',
  product: 'productId',
  product_remote_id: ({ productRemoteId }) => remoteIdToWire(productRemoteId),
  price: ({ price, currency }) => formatMoney(price, digitsOf(currency) ?? 0),
  list_price: ({ listPrice, listCurrency }) => formatMoney(listPrice, digitsOf(listCurrency) ?? 0),
})
