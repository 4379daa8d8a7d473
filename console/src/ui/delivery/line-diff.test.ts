import { expect, test } from 'vitest'
import { lineDiff } from './line-diff.ts'

const shown = (before: string, after: string): string =>
  lineDiff(before.split(''), after.split(''))
    .map(({ side, text }) => `${{ both: '', before: '-', after: '+' }[side]}${text}`)
    .join(' ')

test.each([
  ['abc', 'abc', 'a b c'],
  ['abc', 'axc', 'a -b +x c'],
  ['abcd', 'acd', 'a -b c d'],
  ['acd', 'abcd', 'a +b c d'],
  ['aa', 'a', 'a -a'],
  ['a', 'aa', 'a +a'],
  ['abcabba', 'cbabac', '-a -b c -a b +a b a +c'],
])('%s against %s', (before, after, expected) => {
  expect(shown(before, after)).toBe(expected)
})

test('what is too long for a table is shown as taken out and put in', () => {
  const before = Array.from({ length: 3_000 }, (_, index) => `old ${index}`)
  const lines = lineDiff(before, ['new'])
  expect(lines).toHaveLength(3_001)
  expect(lines.at(-1)).toEqual({ side: 'after', text: 'new' })
})
