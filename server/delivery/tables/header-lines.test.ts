import fc from 'fast-check'
import { expect, test } from 'vitest'
import { headerLines, readHeaderLines } from './header-lines.ts'

const name = fc.stringMatching(/^[a-z0-9-]{1,20}$/).filter((text) => text !== '__proto__')
const value = fc.stringMatching(/^[\x20-\x7e]{0,40}$/)

test('headers are read back as they were written', () => {
  const anyHeaders = fc.property(fc.dictionary(name, value, { noNullPrototype: true }), (headers) => {
    expect(readHeaderLines(headerLines(headers))).toEqual(headers)
  })
  expect(() => fc.assert(anyHeaders)).not.toThrow()
})

test('no headers and no attempt are different things', () => {
  expect([headerLines({}), headerLines(null)]).toEqual(['', null])
  expect([readHeaderLines(''), readHeaderLines(null)]).toEqual([{}, null])
})
