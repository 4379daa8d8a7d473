import { describe, expect, test } from 'vitest'
import { editDecimal, parseDecimal } from './decimal.ts'

describe('a decimal that somebody types', () => {
  test.each([
    ['12,50', 'tr', '12.50'],
    ['12.50', 'tr', '12.50'],
    ['1.234', 'tr', '1234'],
    ['1.234,5', 'tr', '1234.5'],
    ['1,234.5', 'tr', '1234.5'],
    ['12.50', 'en', '12.50'],
    ['12,50', 'en', '12.50'],
    ['1,234', 'en', '1234'],
    ['1,234,567.89', 'en', '1234567.89'],
    ['1 234,50', 'tr', '1234.50'],
    [' 7 ', 'en', '7'],
    [',5', 'tr', '0.5'],
    ['5,', 'tr', '5'],
  ])('%s in %s is %s', (text, language, decimal) => {
    expect(parseDecimal(text, language)).toBe(decimal)
  })

  test.each(['', '-1', '1.2.3', '12,34,5', 'a', '1e3', '.', ',', '1,23.4,5'])('%s is none', (text) => {
    expect([parseDecimal(text, 'en'), parseDecimal(text, 'tr')]).toEqual([undefined, undefined])
  })

  test('is edited with the sign of the language, and read back as it was', () => {
    expect([editDecimal('1234.50', 'tr'), editDecimal('1234.50', 'en')]).toEqual(['1234,50', '1234.50'])
    expect(parseDecimal(editDecimal('1234.50', 'tr'), 'tr')).toBe('1234.50')
  })
})
