import { compare } from '../parts/money.ts'
import type { Difference } from './queries.ts'

type Item = NonNullable<Difference['items'][number]['after']>

/** What became of a line between two revisions. */
export type Change =
  | { readonly kind: 'new' | 'gone'; readonly id: number; readonly item: Item }
  | {
      readonly kind: 'changed'
      readonly id: number
      readonly item: Item
      readonly before: Item
      /** Of one piece. */
      readonly price: 'lower' | 'higher' | 'same'
      readonly isQuantityOther: boolean
    }

/** What a buyer has to know of two revisions: other prices and quantities, new lines, and lines that are gone. */
export const changesOf = ({ items }: Pick<Difference, 'items'>): readonly Change[] =>
  items.flatMap(({ id, before, after }): readonly Change[] => {
    if (before === null) return after === null ? [] : [{ kind: 'new', id, item: after }]
    if (after === null) return [{ kind: 'gone', id, item: before }]
    const price = priceOf(compare(after.price, before.price))
    const isQuantityOther = after.quantity !== before.quantity || places(after) !== places(before)
    // Its share of a discount on everything is told with the total.
    if (price === 'same' && !isQuantityOther) return []
    return [{ kind: 'changed', id, item: after, before, price, isQuantityOther }]
  })

const priceOf = (sign: number): 'lower' | 'higher' | 'same' => {
  if (sign === 0) return 'same'
  return sign < 0 ? 'lower' : 'higher'
}

/** Who gets how many of it. */
const places = ({ divisions }: Item): string => divisions.map(({ id, quantity }) => `${id}:${quantity}`).join()

type Discount = NonNullable<Difference['discounts'][number]['after']>

interface DiscountChange {
  readonly kind: 'new' | 'gone'
  readonly discount: Discount
}

/** Discounts that came or went between two revisions; one whose amount alone is another, as the prices are, is none. */
export const discountChangesOf = ({ discounts }: Pick<Difference, 'discounts'>): readonly DiscountChange[] =>
  discounts.flatMap(({ before, after }): readonly DiscountChange[] => {
    if (before === null) return after === null ? [] : [{ kind: 'new', discount: after }]
    return after === null ? [{ kind: 'gone', discount: before }] : []
  })
