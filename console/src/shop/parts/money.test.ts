import { describe, expect, test } from 'vitest'
import { compare, distance, minus, shareOf, sum, times } from './money.ts'

describe('amounts', () => {
  test('are exact, also where floats are not', () => {
    expect([times('0.10', 3), sum(['0.1', '0.2']), minus('90071992547409.91', '0.01')]).toEqual([
      '0.3000',
      '0.3000',
      '90071992547409.9000',
    ])
  })

  test.each([
    ['10.00', '10', 0],
    ['9.99', '10.00', -1],
    ['0', '-0.01', 1],
  ])('%s and %s compare as %i', (one, other, expected) => {
    expect(compare(one, other)).toBe(expected)
  })

  test('below zero are told without a sign where the words say it', () => {
    expect([minus('5', '7.50'), distance('5', '7.50')]).toEqual(['-2.5000', '2.5000'])
  })

  test.each([
    ['25', '100', 0.25],
    ['150', '100', 1],
    ['-5', '100', 0],
    ['5', '0.00', 0],
  ])('%s of %s is the part %f', (part, whole, expected) => {
    expect(shareOf(part, whole)).toBe(expected)
  })

  test('that are none are refused', () => {
    expect(() => sum(['ten'])).toThrow(RangeError)
  })
})
