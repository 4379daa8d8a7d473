import type { Minor } from '#platform/money.ts'
import { divisionsIn, type Discount, type Line, type Terms } from './terms.ts'

/** One thing that differs between two terms. */
export type Difference =
  | { readonly what: 'added' | 'removed'; readonly line: Line }
  | { readonly what: 'price'; readonly line: Line; readonly before: Minor; readonly after: Minor }
  | {
      readonly what: 'quantity'
      readonly line: Line
      readonly division: number
      readonly before: number
      readonly after: number
    }
  | {
      readonly what: 'discount_given' | 'discount_taken'
      readonly discount: Discount
      /** undefined: of the whole quotation. */
      readonly line: Line | undefined
    }

/** What differs between two terms, line by line and then the discounts. Lines that are the same object are not looked at. */
export const differencesBetween = (before: Terms, after: Terms): readonly Difference[] => {
  const [was, is] = [byKey(before.lines), byKey(after.lines)]
  const removed = before.lines.filter(({ key }) => !is.has(key))
  return [
    ...after.lines.flatMap((line) => lineDifferences(was.get(line.key), line)),
    ...removed.map((line) => ({ what: 'removed', line }) as const),
    ...discountDifferences(before, after, (key) => is.get(key ?? '') ?? was.get(key ?? '')),
  ]
}

const byLines = new WeakMap<readonly Line[], ReadonlyMap<string, Line>>()

/** Lines by their keys; terms that are compared again and again are put in order once. */
const byKey = (lines: readonly Line[]): ReadonlyMap<string, Line> => {
  const found = byLines.get(lines) ?? new Map(lines.map((line) => [line.key, line]))
  byLines.set(lines, found)
  return found
}

const isSame = (one: Line, other: Line): boolean =>
  one === other ||
  (one.price === other.price &&
    one.shares.length === other.shares.length &&
    one.shares.every(({ id, quantity }, index) => {
      const share = other.shares[index]
      return share?.id === id && share.quantity === quantity
    }))

const lineDifferences = (was: Line | undefined, line: Line): readonly Difference[] => {
  if (was === undefined) return [{ what: 'added', line }]
  if (isSame(was, line)) return []
  const quantityOf = ({ shares }: Line, division: number): number =>
    shares.find(({ id }) => id === division)?.quantity ?? 0
  const quantities = divisionsIn([was, line]).map((division) => ({
    what: 'quantity' as const,
    line,
    division,
    before: quantityOf(was, division),
    after: quantityOf(line, division),
  }))
  const price = { what: 'price' as const, line, before: was.price, after: line.price }
  return [price, ...quantities].filter((one) => one.before !== one.after)
}

const discountDifferences = (
  before: Terms,
  after: Terms,
  lineOf: (key: string | null) => Line | undefined,
): readonly Difference[] => {
  const others = (some: Terms, rest: Terms): readonly Discount[] => {
    const known = new Set(rest.discounts.map(({ key }) => key))
    return some.discounts.filter(({ key }) => !known.has(key))
  }
  const told = (what: 'discount_given' | 'discount_taken') => (discount: Discount) => ({
    what,
    discount,
    line: lineOf(discount.line),
  })
  return [...others(before, after).map(told('discount_taken')), ...others(after, before).map(told('discount_given'))]
}

/** How many differences of each kind there are. */
export interface Tally {
  readonly lower: number
  readonly higher: number
  readonly quantities: number
  readonly added: number
  readonly removed: number
  readonly discounts: number
}

export const tallyOf = (differences: readonly Difference[]): Tally => {
  const count = (matches: (one: Difference) => boolean): number => differences.filter(matches).length
  return {
    lower: count((one) => one.what === 'price' && one.after < one.before),
    higher: count((one) => one.what === 'price' && one.after > one.before),
    quantities: count(({ what }) => what === 'quantity'),
    added: count(({ what }) => what === 'added'),
    removed: count(({ what }) => what === 'removed'),
    discounts: count(({ what }) => what === 'discount_given' || what === 'discount_taken'),
  }
}
