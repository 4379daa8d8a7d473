import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currentAlgorithm, type NewFailure } from './fingerprint.ts'

const failure = (fields: Partial<NewFailure> = {}): NewFailure => ({
  channelId: 1,
  actionContentType: 15,
  errorCode: 'custom',
  errorDesc: 'GetProducts',
  rawResponse: null,
  objModifiedDate: new Date(0),
  isOk: false,
  createdAt: new Date(0),
  ...fields,
})
const keyOf = (fields: Partial<NewFailure>): string => currentAlgorithm.partsOf(failure(fields)).key
const pattern = (errorCode: string): string => currentAlgorithm.partsOf(failure({ errorCode })).codePattern

test('the code of a group is the code without what changes', () => {
  expect(pattern('4711-Channel-GetOrders-1763714400')).toBe('#-Channel-GetOrders-#')
  expect(pattern('integrations_200_10_1')).toBe('integrations_200_10_1')
})

describe('codes of one cause fall together', () => {
  test.each([
    ['4711-Channel-GetOrders-1763714400', '5-Channel-GetOrders-1763714400.25'],
    ['4711-Channel-GetOrders-2026-11-21 09:30:00.123456', '4712-Channel-GetOrders-2026-11-22 10:00:00'],
    [
      '0b9e9f0c-6a55-4b8b-a6c9-4c7a6c2d9b11-SendProducts-1763714400',
      'c56a4180-65aa-42ec-a945-5fd21dec0538-SendProducts-1763714401',
    ],
    ['q1w2-Omnitron-UpdateStocks', '5-Omnitron-UpdateStocks'],
    ['deadbeefcafe1234-Fail', '0123456789abcdef-Fail'],
    ['OrderError:100234', 'OrderError:98765432'],
    ['Order #17 failed', 'Order #18 failed'],
  ])('%s and %s', (one, other) => {
    expect(pattern(one)).toBe(pattern(other))
  })
})

describe('codes of different causes do not', () => {
  test.each([
    ['4711-Channel-GetOrders-1763714400', '4711-Channel-GetProducts-1763714400'],
    ['4711-Channel-GetOrders-1763714400', '4711-Omnitron-GetOrders'],
    ['integrations_200_10_1', 'integrations_200_10_2'],
    ['HTTP-404', 'HTTP-500'],
    ['http_500', 'http_503'],
    ['10060', '10061'],
    ['ORA-00942', 'ORA-01017'],
    ['SQLSTATE 23505', 'SQLSTATE 40001'],
    ['custom', 'timeout'],
  ])('%s and %s', (one, other) => {
    expect(pattern(one)).not.toBe(pattern(other))
  })
})

describe('texts of one cause fall together', () => {
  test.each([
    ['{"id": 17, "error": "no stock"}', '{"id": 8, "error": "no stock"}'],
    ['order_id=17 is gone', 'order_id=123456 is gone'],
    ['Order c56a4180-65aa-42ec-a945-5fd21dec0538 is late', 'Order 0b9e9f0c-6a55-4b8b-a6c9-4c7a6c2d9b11 is late'],
    ['Date: Sat, 21 Nov 2026 09:30:00 GMT', 'Date: Sun, 2 May 2026 10:31:01 GMT'],
    ['at 2026-11-21T09:30:00.123Z', 'at 2026-12-01 10:00:00+03:00'],
    ['until 21.11.2026', 'until 1/12/2026'],
    ['at 09:30:00', 'at 9:31'],
    ['<Order object at 0x7f3a2c10>', '<Order object at 0x7f3a2c999>'],
    ['customer cusA1b2C3d4E5f6G7 unknown', 'customer cusZ9y8X7w6V5u4T3 unknown'],
    ['commit 1a2b3c4d5e6f', 'commit deadbeefcafe'],
    ['order 1000123 bad', 'order 99887766 bad'],
    ['no  stock\n', 'no stock'],
  ])('%j and %j', (one, other) => {
    expect(keyOf({ rawResponse: one })).toBe(keyOf({ rawResponse: other }))
    expect(keyOf({ errorDesc: one })).toBe(keyOf({ errorDesc: other }))
  })
})

describe('texts of different causes do not', () => {
  test.each([
    ['HTTP 404 Not Found', 'HTTP 500 Internal Server Error'],
    ['error 1205', 'error 1213'],
    ['answered 503', 'answered 404'],
    ['address_1 is missing', 'address_2 is missing'],
    ['The price is missing', 'The stock is missing'],
  ])('%j and %j', (one, other) => {
    expect(keyOf({ rawResponse: one })).not.toBe(keyOf({ rawResponse: other }))
    expect(keyOf({ errorDesc: one })).not.toBe(keyOf({ errorDesc: other }))
  })

  test('channel and kind of action make groups of their own', () => {
    const keys = [{}, { channelId: 2 }, { channelId: null }, { actionContentType: 16 }].map(keyOf)
    expect(new Set(keys).size).toBe(4)
  })
})

test('of a long text only the beginning counts, whatever ids stand there', () => {
  const ids = (start: number): string => Array.from({ length: 400 }, (_, n) => `${start + n}`).join(', ')
  expect(keyOf({ rawResponse: ids(100_000) })).toBe(keyOf({ rawResponse: ids(20_000_000) }))
  const stack = 'at line of a file, '.repeat(20)
  expect(keyOf({ rawResponse: `${stack}one` })).toBe(keyOf({ rawResponse: `${stack}other` }))
})

const changing = fc.oneof(
  fc.uuid(),
  fc.integer({ min: 100_000 }).map(String),
  fc.date({ min: new Date(0), max: new Date('2099-01-01'), noInvalidDate: true }).map((date) => date.toISOString()),
)
test('what changes never changes the fingerprint', () => {
  fc.assert(
    fc.property(changing, changing, (one, other) => {
      expect(keyOf({ errorDesc: `product ${one} failed`, rawResponse: `{"ref": "${one}"}` })).toBe(
        keyOf({ errorDesc: `product ${other} failed`, rawResponse: `{"ref": "${other}"}` }),
      )
    }),
    { numRuns: 200 },
  )
})

test.each(['1-', 'a1', '#', '1.', 'f0', '0x', 'id', '00:', '1/', '21 Nov ', 'a', '-1234', `${'1a'.repeat(30)}.`])(
  'no more than 500 characters count of a text that is made to be slow: %j',
  { timeout: 20_000 },
  (piece) => {
    const text = piece.repeat(Math.ceil(65_536 / piece.length))
    const [, , description = ''] = JSON.parse(keyOf({ rawResponse: text, errorDesc: text })) as readonly string[]
    expect(description.length).toBeLessThanOrEqual(500)
  },
)
