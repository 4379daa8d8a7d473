import { expect, test } from 'vitest'
import { attachment, readRange } from './download.ts'

test.each([
  ['quotations.csv', 'attachment; filename="quotations.csv"'],
  ['quotation 7 (2026).xls', 'attachment; filename="quotation 7 (2026).xls"'],
  ['ölçü.xlsx', `attachment; filename="_l__.xlsx"; filename*=UTF-8''%C3%B6l%C3%A7%C3%BC.xlsx`],
  ['📦.csv', `attachment; filename="_.csv"; filename*=UTF-8''%F0%9F%93%A6.csv`],
  ['a"b\\c.csv', `attachment; filename="a_b_c.csv"; filename*=UTF-8''a%22b%5Cc.csv`],
  ["it's (é)*.csv", `attachment; filename="it's (_)*.csv"; filename*=UTF-8''it%27s%20%28%C3%A9%29%2A.csv`],
  ['a\r\nSet-Cookie: x', `attachment; filename="a__Set-Cookie: x"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x`],
  ['half \ud800.csv', `attachment; filename="half _.csv"; filename*=UTF-8''half%20%EF%BF%BD.csv`],
])('a file named %j', (name, header) => expect(attachment(name)).toBe(header))

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
