import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '#testing/is-everything-wanted.ts'
import { digitsOf, divideRounded, formatMoney, maxMinor, parseMoney, spread } from './money.ts'

const cases = tries(1_000, 10_000)
const amount = fc.bigInt({ min: 0n, max: maxMinor })

describe('a currency', () => {
  test.each([
    ['EUR', 2],
    ['TRY', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['HUF', 2],
    ['IQD', 3],
    ['XYZ', undefined],
    ['eur', undefined],
    ['', undefined],
  ])('%s has %s digits', (currency, digits) => {
    expect(digitsOf(currency)).toBe(digits)
  })
})

describe('a text', () => {
  test.each([
    ['1234.50', 2, 123_450n],
    ['1234.5', 2, 123_450n],
    ['0', 2, 0n],
    ['007', 0, 7n],
    ['0.001', 3, 1n],
    ['90071992547409.91', 2, maxMinor],
  ])('%s of %s digits is an amount', (text, digits, minor) => {
    expect(parseMoney(text, digits)).toBe(minor)
  })

  test.each([
    ['1.234', 2, 'has too many digits'],
    ['1.230', 2, 'has too many digits, whatever they are'],
    ['1.0', 0, 'has too many digits'],
    ['90071992547409.92', 2, 'is too large'],
    ['9'.repeat(400), 2, 'is too large'],
    ['-1', 2, 'is negative'],
    ['1e3', 2, 'is in another form'],
    ['1,5', 2, 'is in another form'],
    ['.5', 2, 'is in another form'],
    ['5.', 2, 'is in another form'],
    [' 5', 2, 'is in another form'],
    ['', 2, 'is empty'],
  ])('%s of %s digits %s', (text, digits) => {
    expect(parseMoney(text, digits)).toBeUndefined()
  })

  test('of any amount is read as that amount', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 4 }), (minor, digits) => {
        expect(parseMoney(formatMoney(minor, digits), digits)).toBe(minor)
      }),
      cases,
    )
  })

  test.each([
    [5n, 2, '0.05'],
    [-5n, 2, '-0.05'],
    [-123_450n, 2, '-1234.50'],
    [7n, 0, '7'],
  ])('of %s with %s digits is %s', (minor, digits, text) => {
    expect(formatMoney(minor, digits)).toBe(text)
  })
})

test.each([
  [5n, 2n, 3n],
  [-5n, 2n, -3n],
  [5n, -2n, -3n],
  [4n, 3n, 1n],
  [-4n, 3n, -1n],
  [0n, 3n, 0n],
])('%s / %s is rounded to %s, halves away from zero', (dividend, divisor, quotient) => {
  expect(divideRounded(dividend, divisor)).toBe(quotient)
})

describe('an amount that is spread', () => {
  test.each([
    [100n, [1n, 1n, 1n], [34n, 33n, 33n]],
    [5n, [1n, 3n], [1n, 4n]],
    [1n, [0n, 1n, 1n], [0n, 1n, 0n]],
    [10n, [0n, 0n], [0n, 0n]],
    [10n, [], []],
  ])('%s over %s is %s', (whole, weights, parts) => {
    expect(spread(whole, weights)).toEqual(parts)
  })

  test('is in the parts to the last unit, and none of them is a unit away from its share', () => {
    const weights = fc.array(fc.bigInt({ min: 0n, max: maxMinor }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(amount, weights, (whole, given) => {
        const sum = given.reduce((total, weight) => total + weight, 0n)
        fc.pre(sum > 0n)
        const parts = spread(whole, given)
        expect(parts.reduce((total, part) => total + part, 0n)).toBe(whole)
        for (const [index, part] of parts.entries()) {
          const distance = part * sum - whole * (given[index] ?? 0n)
          expect(distance > -sum && distance < sum).toBe(true)
        }
      }),
      cases,
    )
  })
})
