/** An amount in minor units of its currency, such as cents. Never a float. */
export type Minor = bigint

/** Amounts beyond it could not be read from the database as exact numbers. */
export const maxMinor: Minor = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * Currencies that have not two digits (ISO 4217, list one, column "minor unit"). What formatters of numbers know are the digits
 * that are usual in writing, which are others: none of HUF, say.
 */
const unusualDigits: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}
const minorUnits = new Map(
  Object.entries(unusualDigits).flatMap(([count, codes]) =>
    codes.split(' ').map((code) => [code, Number(count)] as const),
  ),
)
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Decimal digits of a currency by ISO 4217: 2 of EUR, 0 of JPY, 3 of KWD; undefined for what is no currency. */
export const digitsOf = (currency: string): number | undefined =>
  currencies.has(currency) ? (minorUnits.get(currency) ?? 2) : undefined

const decimal = /^(\d+)(?:\.(\d+))?$/

/**
 * Reads an amount that is not negative from a decimal text such as `1234.5`.
 * @param digits of the currency.
 * @returns undefined when it is no such text, has more digits than the currency, or is too large to be kept.
 */
export const parseMoney = (text: string, digits: number): Minor | undefined => {
  const [, whole, fraction = ''] = decimal.exec(text) ?? []
  if (whole === undefined || whole.length > 16 || fraction.length > digits) return undefined
  const minor = BigInt(whole + fraction.padEnd(digits, '0'))
  return minor > maxMinor ? undefined : minor
}

/** An amount as a decimal text with all digits of its currency (contract, section 1): 123450 is `1234.50`. */
export const formatMoney = (amount: Minor, digits: number): string => {
  const sign = amount < 0n ? '-' : ''
  const text = (amount < 0n ? -amount : amount).toString().padStart(digits + 1, '0')
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** A quotient rounded to an integer, halves away from zero. @throws RangeError when the divisor is 0. */
export const divideRounded = (dividend: bigint, divisor: bigint): bigint => {
  const isNegative = dividend < 0n !== divisor < 0n
  const [above, below] = [magnitude(dividend), magnitude(divisor)]
  const rounded = (2n * above + below) / (2n * below)
  return isNegative ? -rounded : rounded
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

/**
 * Splits an amount in proportion to weights, none of which is negative, so that the parts add up to it exactly: each is
 * rounded down, and what is left goes to the parts with the largest remainders, the first of equal ones first.
 * @returns one part for each weight; all 0 when the weights are.
 */
export const spread = (amount: Minor, weights: readonly bigint[]): Minor[] => {
  const sum = weights.reduce((total, weight) => total + weight, 0n)
  if (sum === 0n) return weights.map(() => 0n)
  const parts = weights.map((weight) => (amount * weight) / sum)
  const left = Number(parts.reduce((rest, part) => rest - part, amount))
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (amount * weight) % sum }))
    .toSorted((one, other) => Number(other.remainder > one.remainder) - Number(other.remainder < one.remainder))
  const raised = new Set(byRemainder.slice(0, left).map(({ index }) => index))
  return parts.map((part, index) => (raised.has(index) ? part + 1n : part))
}
