import { describe, expect, test } from 'vitest'
import { isMediaType } from './message.ts'

describe('a media type', () => {
  test.each([
    'text/csv',
    'text/csv; charset=latin1',
    'TEXT/CSV;charset=utf-8',
    'application/vnd.waybill.stock+json; version=2 ; q="a \\"b\\"; c"',
    'application/octet-stream;',
    'multipart/form-data; boundary="----x y"',
  ])('may be %s', (text) => expect(isMediaType(text)).toBe(true))

  test.each([
    '',
    'text',
    'text/',
    '/csv',
    'text/csv charset=latin1',
    'text/csv; charset',
    'text/csv; charset="latin1',
    'text/csv\r\nx-evil: 1',
    'text/csv; name="a\r\nb"',
    'text/csv; name=çay',
    'text/csv, text/html',
    ' text/csv',
    `text/csv; name=${'x'.repeat(255)}`,
  ])('may not be %j', (text) => expect(isMediaType(text)).toBe(false))

  test('is refused as fast as it is accepted, however odd it is', () => {
    expect(isMediaType(`a/b${' ;'.repeat(120)}"`)).toBe(false)
    expect(isMediaType(`a/b;${' \t'.repeat(120)}"`)).toBe(false)
  })
})
