import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeFormulas, unescapeFormulas } from './formulas.ts'

test.each([
  ['1001', '1001'],
  ['=1+1', "'=1+1"],
  ["'=1", "''=1"],
  ["'a", "'a"],
  ['-5', "'-5"],
  ['\t=1', "'\t'=1"],
  ['a;=1', "a;'=1"],
  ['a\n"@b', 'a\n"\'@b'],
  ["a;'=1", "a;''=1"],
])('%j is written as %j', (text, escaped) => {
  expect(escapeFormulas(text)).toBe(escaped)
  expect(unescapeFormulas(escaped)).toBe(text)
})

const signs = fc.constantFrom('=', '+', '-', '@', '＝', "'", '"', ';', '\t', '\r', '\n', ' ', ',', 'a')
const texts = fc.oneof(fc.string({ unit: signs }), fc.string({ unit: 'grapheme' }))

test('any text comes back, and nothing that is written is a formula', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const escaped = escapeFormulas(text)
      expect(unescapeFormulas(escaped)).toBe(text)
      expect(escaped).not.toMatch(/(^|[;\t\r\n]"*)[=+@＝-]/)
    }),
    { numRuns: 2_000 },
  )
})
