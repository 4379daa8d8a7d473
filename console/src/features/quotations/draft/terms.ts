import { digitsOf, parseMoney, type Minor } from '#platform/money.ts'
import type { Schema } from '#api/types.ts'

/** What a quotation offers, as its detail and its revisions have it. */
export type WireTerms = Pick<Schema<'QuotationTerms'>, 'currency' | 'items' | 'discounts'>

export interface Share {
  /** Id of the division. */
  readonly id: number
  readonly quantity: number
}

/** A product of a quotation as it is edited: amounts in minor units of the currency. */
export interface Line {
  /** The id of the item; of a product that is not saved yet `new:` and what the platform calls it. */
  readonly key: string
  readonly product: string
  readonly sku: string
  readonly remoteId: string | number
  readonly listPrice: Minor
  readonly price: Minor
  /** In sequence; quantities of at least 1. */
  readonly shares: readonly Share[]
  readonly isRemoved: boolean
}

/** A discount as it is edited. */
export interface Discount {
  /** Its id; of one that is not saved yet a text that is no number. */
  readonly key: string
  /** The key of its line; null: of the whole quotation. */
  readonly line: string | null
  readonly type: 'percentage' | 'fixed'
  /** Ten-thousandths of a percent, or minor units. */
  readonly value: bigint
}

/** Terms as they were read. Lines and discounts are in the order of their creation. */
export interface Terms {
  readonly currency: string
  readonly digits: number
  readonly lines: readonly Line[]
  readonly discounts: readonly Discount[]
}

/** Digits of a percentage behind the point. */
export const percentDigits = 4

export const readTerms = ({ currency, items, discounts }: WireTerms): Terms => {
  const digits = digitsOf(currency) ?? 2
  const amount = (text: string): Minor => parseMoney(text, digits) ?? 0n
  return {
    currency,
    digits,
    lines: items.map((item) => ({
      key: String(item.id),
      product: item.product,
      sku: item.sku,
      remoteId: item.product_remote_id,
      listPrice: amount(item.list_price),
      price: amount(item.price),
      shares: item.divisions,
      isRemoved: false,
    })),
    discounts: discounts.map((one) => ({
      key: String(one.id),
      line: one.item === null ? null : String(one.item),
      type: one.discount_type,
      value: one.discount_type === 'fixed' ? amount(one.value) : (parseMoney(one.value, percentDigits) ?? 0n),
    })),
  }
}

export const unitsOf = (shares: readonly Share[]): number => shares.reduce((sum, { quantity }) => sum + quantity, 0)

/** Divisions that any line is for, in the order in which they appear. */
export const divisionsIn = (lines: readonly Line[]): readonly number[] => [
  ...new Set(lines.flatMap(({ shares }) => shares.map(({ id }) => id))),
]

export const isNew = (key: string): boolean => key.startsWith('new:')
