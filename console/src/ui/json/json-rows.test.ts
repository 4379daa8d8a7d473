import { expect, test } from 'vitest'
import { firstOpen, isFoldable, longText, rowsOf } from './json-rows.ts'

const paths = (value: unknown, open: readonly string[]): readonly string[] =>
  rowsOf(value, new Set(open)).map(({ path }) => path)

test('only what is unfolded has rows', () => {
  const value = { a: { b: 1 }, 'c/d': [1, 2] }
  expect(paths(value, [])).toEqual([''])
  expect(paths(value, [''])).toEqual(['', '/a', '/c~1d'])
  expect(paths(value, ['', '/c~1d'])).toEqual(['', '/a', '/c~1d', '/c~1d/0', '/c~1d/1'])
})

test('at first short objects are unfolded and long ones are not', () => {
  const value = { short: { a: 1 }, long: Array.from({ length: 21 }, () => 0), empty: {} }
  expect([...firstOpen(value)]).toEqual(['', '/short'])
})

test('texts can be unfolded when they are cut, and empty objects never', () => {
  const [, text, empty] = rowsOf({ text: 'x'.repeat(longText + 1), empty: {} }, new Set(['']))
  expect(text !== undefined && isFoldable(text)).toBe(true)
  expect(empty !== undefined && isFoldable(empty)).toBe(false)
})
