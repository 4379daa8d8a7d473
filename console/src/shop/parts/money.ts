import { formatMoney as toDecimal, type Minor } from '#platform/money.ts'

/** More digits than any currency has, so that amounts of all of them, and limits, are exact numbers of the same kind. */
const digits = 4

const decimal = /^(-?)(\d+)(?:\.(\d{1,4}))?$/

/** A decimal text of the API, which may be below zero and as large as it likes. @throws RangeError when it is none */
const parse = (amount: string): Minor => {
  const [, sign, whole, fraction = ''] = decimal.exec(amount) ?? []
  if (whole === undefined) throw new RangeError(`${amount} is no amount.`)
  const size = BigInt(whole + fraction.padEnd(digits, '0'))
  return sign === '-' ? -size : size
}

/** Price times pieces, as a decimal text. */
export const times = (price: string, quantity: number): string => toDecimal(parse(price) * BigInt(quantity), digits)

export const sum = (amounts: readonly string[]): string =>
  toDecimal(
    amounts.reduce((total, amount) => total + parse(amount), 0n),
    digits,
  )

export const minus = (amount: string, other: string): string => toDecimal(parse(amount) - parse(other), digits)

/** How far an amount is from another one, without a sign. */
export const distance = (amount: string, other: string): string => minus(amount, other).replace(/^-/, '')

/** Below 0: the first is less. */
export const compare = (amount: string, other: string): number => {
  const difference = parse(amount) - parse(other)
  return Number(difference > 0n) - Number(difference < 0n)
}

/** What part an amount is of a whole, from 0 to 1. */
export const shareOf = (part: string, whole: string): number => {
  const [above, below] = [parse(part), parse(whole)]
  return below <= 0n ? 0 : Math.min(1, Math.max(0, Number((above * 10_000n) / below) / 10_000))
}
