import { divideRounded, type Minor } from '#platform/money.ts'

/** What a discount takes off (quotations, "Money", rule 3). */
export type Discount =
  | {
      readonly type: 'percentage'
      /** In ten-thousandths of a percent: 12.5 % is 125000. More than 0, at most 1000000. */
      readonly value: bigint
    }
  | { readonly type: 'fixed'; readonly value: Minor }

const wholePercents = 1_000_000n

/** What a discount takes off an amount: never more than it. A percentage is rounded half away from zero. */
export const discountOn = (amount: Minor, { type, value }: Discount): Minor => {
  const off = type === 'percentage' ? divideRounded(amount * value, wholePercents) : value
  return off > amount ? amount : off
}

/** Discounts one after the other, each on what the ones before it leave. */
export const discountAll = (
  amount: Minor,
  discounts: readonly Discount[],
): { readonly left: Minor; readonly off: readonly Minor[] } => {
  let left = amount
  const off = discounts.map((discount) => {
    const taken = discountOn(left, discount)
    left -= taken
    return taken
  })
  return { left, off }
}
