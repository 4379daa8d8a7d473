import { expect, test } from 'vitest'
import { headerLines, headersOf } from './headers.ts'

test('headers are the same after they have been written and read', () => {
  const headers = { 'X-Shop': 'north', Authorization: 'Basic a:b' }
  expect(headersOf(headerLines(headers))).toEqual(headers)
  expect(headersOf('')).toEqual({})
})

test('a line without a name or a colon is no header', () => {
  expect(headersOf('X-Shop: north\nsouth')).toBeUndefined()
  expect(headersOf(': north')).toBeUndefined()
})
