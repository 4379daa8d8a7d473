import { expect, test } from 'vitest'
import { readRange } from './byte-range.ts'

const huge = '9'.repeat(400)

test.each([
  [undefined, 'whole'],
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  ['Bytes= 10-19 ', { start: 10, end: 19 }],
  ['bytes=90-1000', { start: 90, end: 99 }],
  [`bytes=90-${huge}`, { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  // The last 1,000 of 100 bytes are all of them.
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=99-', { start: 99, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=100-200', 'unsatisfiable'],
  [`bytes=${huge}-`, 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  // Not valid, or not one range of bytes.
  ['bytes=19-10', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=', 'whole'],
  ['bytes', 'whole'],
  ['', 'whole'],
  ['bytes=a-b', 'whole'],
  ['bytes=1e1-', 'whole'],
  ['bytes=+1-', 'whole'],
  ['bytes=0-1,5-6', 'whole'],
  ['rows=0-9', 'whole'],
])('of 100 bytes, %s is %j', (header, range) => expect(readRange(header, 100)).toEqual(range))

test('nothing of an empty file can be asked for', () => {
  expect(readRange('bytes=0-', 0)).toBe('unsatisfiable')
  expect(readRange('bytes=-5', 0)).toBe('unsatisfiable')
  expect(readRange(undefined, 0)).toBe('whole')
})
