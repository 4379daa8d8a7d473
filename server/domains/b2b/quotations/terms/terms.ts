import type { Static } from 'typebox'
import { ruleBroken } from '#platform/errors.ts'
import { digitsOf, maxMinor, parseMoney, type Minor } from '#platform/money.ts'
import { priceQuotation } from '../../money/index.ts'
import type { PricedProduct, PriceList } from '../../prices/index.ts'
import { remoteIdToWire } from '../../products/index.ts'
import { money } from '../quotation.ts'
import type { TermsShape } from './terms-schemas.ts'

/** So many units for a division. */
export interface Share {
  readonly id: number
  readonly quantity: number
}

/** A product of a quotation, as it was when it was added. */
export interface Item {
  readonly id: number
  readonly productId: number
  readonly productRemoteId: string
  /** What packages are packed by; null: the remote id, in items of before products had one. */
  readonly sku: string | null
  readonly productName: string
  readonly listPrice: Minor
  /** The price of the division of its owner at that moment, and what it is of; null: the list price. */
  readonly divisionPrice: Minor | null
  readonly priceList: PriceList | null
  /** What was agreed on instead. */
  readonly priceOverride: Minor | null
  readonly quantity: number
  readonly totalAmount: Minor
  readonly netAmount: Minor
  /** In sequence; they add up to the quantity. */
  readonly divisions: readonly Share[]
}

export type DiscountType = 'percentage' | 'fixed'

export interface AppliedDiscount {
  readonly id: number
  /** null: of the whole quotation. */
  readonly itemId: number | null
  readonly type: DiscountType
  /** Ten-thousandths of a percent, or an amount. */
  readonly value: bigint
  /** What it takes off. */
  readonly amount: Minor
  readonly createdAt: Date
}

/** What a quotation offers, at which prices. Items and discounts are in the order of their creation. */
export interface Terms {
  readonly currency: string
  readonly totalAmount: Minor
  readonly netAmount: Minor
  readonly items: readonly Item[]
  readonly discounts: readonly AppliedDiscount[]
}

/** Most units of an item: what the database counts them with, and no order needs more. */
export const maxUnits = 1_000_000_000

export const unitPriceOf = ({
  priceOverride,
  divisionPrice,
  listPrice,
}: Pick<Item, 'priceOverride' | 'divisionPrice' | 'listPrice'>): Minor => priceOverride ?? divisionPrice ?? listPrice

/** The list that its price is of; null: the list price, or what was agreed on. */
const priceListOf = ({ priceOverride, priceList }: Item): PriceList | null =>
  priceOverride === null && priceList !== null ? { id: priceList.id, name: priceList.name } : null

export const unitsOf = (divisions: readonly Share[]): number =>
  divisions.reduce((sum, { quantity }) => sum + quantity, 0)

/** An item of a product at the price of a buyer, which is not priced yet. */
export const newItem = (product: PricedProduct, divisions: readonly Share[]): Item => ({
  id: 0,
  productId: product.id,
  productRemoteId: product.remoteId,
  sku: product.sku,
  productName: product.name,
  listPrice: product.price,
  divisionPrice: product.divisionPrice,
  priceList: product.priceList,
  priceOverride: null,
  quantity: unitsOf(divisions),
  totalAmount: 0n,
  netAmount: 0n,
  divisions,
})

/** Prices everything again. @throws AppError 400 `quotation_too_large`, with what may be done instead. */
export const priced = (
  terms: Pick<Terms, 'currency' | 'items' | 'discounts'>,
  allowedActions: readonly string[] = [],
): Terms => {
  const { currency, items, discounts } = terms
  if (items.some(({ quantity }) => quantity > maxUnits)) throw tooLarge(allowedActions)
  const byItem = Map.groupBy(discounts, ({ itemId }) => itemId)
  const result = priceQuotation(
    items.map((item) => ({
      unitPrice: unitPriceOf(item),
      quantity: item.quantity,
      discounts: byItem.get(item.id) ?? [],
    })),
    byItem.get(null) ?? [],
  )
  if (result.totalAmount > maxMinor) throw tooLarge(allowedActions)
  const off = new Map<number, Minor>()
  const note = (given: readonly AppliedDiscount[], amounts: readonly Minor[]): void =>
    given.forEach(({ id }, index) => off.set(id, amounts[index] ?? 0n))
  note(byItem.get(null) ?? [], result.off)
  items.forEach(({ id }, index) => note(byItem.get(id) ?? [], result.lines[index]?.off ?? []))
  return {
    currency,
    totalAmount: result.totalAmount,
    netAmount: result.netAmount,
    items: items.map((item, index) => ({
      ...item,
      totalAmount: result.lines[index]?.total ?? 0n,
      netAmount: result.lines[index]?.net ?? 0n,
    })),
    discounts: discounts.map((discount) => ({ ...discount, amount: off.get(discount.id) ?? 0n })),
  }
}

const tooLarge = (allowedActions: readonly string[]) =>
  ruleBroken(
    'quotation_too_large',
    'That is more than a quotation can hold: its units or its amount are too large.',
    allowedActions,
  )

export const termsToWire = (terms: Terms): Static<typeof TermsShape> => {
  const { currency } = terms
  return {
    currency,
    total_amount: money(terms.totalAmount, currency),
    net_amount: money(terms.netAmount, currency),
    items: terms.items.map((item) => ({
      id: item.id,
      product_remote_id: remoteIdToWire(item.productRemoteId),
      sku: item.sku ?? item.productRemoteId,
      product: item.productName,
      quantity: item.quantity,
      list_price: money(item.listPrice, currency),
      price: money(unitPriceOf(item), currency),
      total_amount: money(item.totalAmount, currency),
      net_amount: money(item.netAmount, currency),
      divisions: item.divisions.map(({ id, quantity }) => ({ id, quantity })),
      // The last field: revisions of before have none.
      price_list: priceListOf(item),
    })),
    discounts: terms.discounts.map((discount) => ({
      id: discount.id,
      item: discount.itemId,
      discount_type: discount.type,
      value: valueToWire(discount, currency),
      amount: money(discount.amount, currency),
      created_at: discount.createdAt.toISOString(),
    })),
  }
}

/** Terms as a revision keeps them. */
export interface FrozenTerms {
  readonly content: Static<typeof TermsShape>
  /** The product of each item, which the platform may call something else by now. */
  readonly products: ReadonlyMap<number, number>
}

export const frozenTerms = (terms: Terms): FrozenTerms => ({
  content: termsToWire(terms),
  products: new Map(terms.items.map(({ id, productId }) => [id, productId])),
})

const percentDigits = 4

const valueToWire = ({ type, value }: Pick<AppliedDiscount, 'type' | 'value'>, currency: string): string => {
  if (type === 'fixed') return money(value, currency)
  const whole = value / 10_000n
  const fraction = (value % 10_000n).toString().padStart(percentDigits, '0').replace(/0+$/, '')
  return fraction === '' ? String(whole) : `${whole}.${fraction}`
}

/** Reads the value of a discount; the sentence says what is wrong with it. */
export const readDiscountValue = (
  type: DiscountType,
  given: string | number,
  currency: string,
): { readonly value: bigint } | { readonly problem: string } => {
  const value = readDecimal(given, type === 'fixed' ? (digitsOf(currency) ?? 2) : percentDigits)
  if (type === 'percentage') {
    return value !== undefined && value > 0n && value <= 1_000_000n
      ? { value }
      : { problem: 'Use a percentage of more than 0 and at most 100, with at most 4 decimals.' }
  }
  return value !== undefined && value > 0n
    ? { value }
    : { problem: `Use an amount of more than 0, with at most ${digitsOf(currency) ?? 2} decimals.` }
}

/** A decimal text, or a number that is exactly one, in units of its last digit; undefined when it is neither. */
export const readDecimal = (given: string | number, digits: number): bigint | undefined => {
  const value = parseMoney(String(given), digits)
  // A JSON number has 15 decimal digits that can be relied on.
  return typeof given === 'number' && value !== undefined && value >= 10n ** 15n ? undefined : value
}

/** Whether terms are no worse for the owner than others: the same units of the same products for the same divisions, for no more. */
export const isNoWorse = (terms: FrozenTerms, agreed: FrozenTerms): boolean => {
  const { currency } = terms.content
  const netOf = ({ content }: FrozenTerms): bigint => readDecimal(content.net_amount, digitsOf(currency) ?? 2) ?? 0n
  return unitsIn(terms) === unitsIn(agreed) && currency === agreed.content.currency && netOf(terms) <= netOf(agreed)
}

const unitsIn = ({ content, products }: FrozenTerms): string =>
  JSON.stringify(
    content.items
      .flatMap(({ id, divisions }) =>
        divisions.map((division) => `${products.get(id)} ${division.id} ${division.quantity}`),
      )
      .toSorted(),
  )
