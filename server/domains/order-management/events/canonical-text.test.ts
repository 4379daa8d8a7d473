import { expect, test } from 'vitest'
import { canonicalText } from './read-events.ts'

test.each<[string, unknown, unknown]>([
  [
    'fields in another order',
    { b: 1, a: { d: [1, { f: 2, e: 3 }], c: null } },
    { a: { c: null, d: [1, { e: 3, f: 2 }] }, b: 1 },
  ],
  ['numbers written in another way', JSON.parse('[1.0, 1e2, -0]'), [1, 100, 0]],
])('%s are the same content', (_, one, other) => {
  expect(canonicalText(one)).toBe(canonicalText(other))
})

test.each<[string, unknown, unknown]>([
  ['lists in another order', [1, 2], [2, 1]],
  ['a number and its text', { a: 1 }, { a: '1' }],
  ['null and nothing', { a: null }, {}],
  ['nesting', { a: { b: 1 } }, { 'a.b': 1 }],
  ['a text with quotes', { a: '","b":"' }, { a: '', b: '' }],
  ['letters that look alike', '\u00e9', 'e\u0301'],
])('%s are not', (_, one, other) => {
  expect(canonicalText(one)).not.toBe(canonicalText(other))
})

test('it is JSON of the same value', () => {
  const value = { z: ['ü', '\n', '🎁', 5e-324, true, null, {}], a: { ä: [], '': 'x', '10': 1, '9': 2 } }
  expect(JSON.parse(canonicalText(value))).toEqual(value)
})
