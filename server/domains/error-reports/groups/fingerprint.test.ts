import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NewFailure } from './new-failure.ts'
import { currentAlgorithm } from './fingerprint.ts'

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

describe('codes of one cause fall together', () => {
  test.each([
    ['4711-Channel-GetUpdatedOrders-1763714400.123456', '12-Channel-GetUpdatedOrders-1763714999.9'],
    ['4711-Channel-GetOrders-2026-11-21 09:30:00.123456', '4712-Channel-GetOrders-2026-11-22 10:00:00'],
    [
      '0b9e9f0c-6a55-4b8b-a6c9-4c7a6c2d9b11-SendProducts-1763714400',
      'c56a4180-65aa-42ec-a945-5fd21dec0538-SendProducts-1763714401',
    ],
    ['4711-Omnitron-UpdateStocks', '5-Omnitron-UpdateStocks'],
    ['abcXYZ-Omnitron-UpdateStocks', 'q1w2-Omnitron-UpdateStocks'],
    ['4711-UpdatePrices-123456', '4712-UpdatePrices-7'],
    ['4711-Channel-UpdatePrices-20261121093000', '4711-Channel-UpdatePrices-20261121093001'],
    ['deadbeefcafe1234-Fail', '0123456789abcdef-Fail'],
    ['OrderError:100234', 'OrderError:987654'],
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
    ['1001', '1002'],
    ['custom', 'timeout'],
  ])('%s and %s', (one, other) => {
    expect(pattern(one)).not.toBe(pattern(other))
  })
})

describe('answers of one cause fall together', () => {
  test.each([
    ['{"detail": "Product 17 not found"}', '{"detail": "Product 18 not found"}'],
    ['Order c56a4180-65aa-42ec-a945-5fd21dec0538 is late', 'Order 0b9e9f0c-6a55-4b8b-a6c9-4c7a6c2d9b11 is late'],
    ['Date: Sat, 21 Nov 2026 09:30:00 GMT', 'Date: Sun, 22 Nov 2026 10:31:01 GMT'],
    ['at 2026-11-21T09:30:00.123Z', 'at 2026-12-01 10:00:00+03:00'],
    ['<Order object at 0x7f3a2c10>', '<Order object at 0x7f3a2c999>'],
    ['Read timed out after 3.2s', 'Read timed out after 14s'],
    ['page 3 of 17', 'page 12 of 20'],
    [`x-request-id: a8Kd93jfLs02mQpz71 ${'x '.repeat(300)}`, `x-request-id: Zq81kfLs93mdPw27Ab ${'x '.repeat(300)}`],
  ])('%s and %s', (one, other) => {
    expect(keyOf({ rawResponse: one })).toBe(keyOf({ rawResponse: other }))
  })
})

describe('failures of different causes do not', () => {
  test.each<[Partial<NewFailure>, Partial<NewFailure>]>([
    [{ rawResponse: '{"status": 404}' }, { rawResponse: '{"status": 500}' }],
    [{ rawResponse: '400 Client Error: Bad Request' }, { rawResponse: '500 Server Error: Internal' }],
    [{ rawResponse: 'HTTP/1.1 502' }, { rawResponse: 'HTTP/1.1 503' }],
    [{ rawResponse: 'ORA-942: missing' }, { rawResponse: 'ORA-1017: missing' }],
    [{ rawResponse: 'price missing' }, { rawResponse: 'barcode missing' }],
    [{ channelId: 1 }, { channelId: 2 }],
    [{ channelId: 1 }, { channelId: null }],
    [{ actionContentType: 12 }, { actionContentType: 13 }],
    [{ errorDesc: 'GetOrders' }, { errorDesc: 'GetProducts' }],
    [
      { errorDesc: 'a', errorCode: 'b' },
      { errorDesc: 'b', errorCode: 'a' },
    ],
  ])('%j and %j', (one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other))
  })
})

const changing = fc.record({
  uuid: fc.uuid(),
  time: fc
    .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  id: fc.integer({ min: 1, max: 2 ** 40 }).map(String),
  counter: fc.integer({ min: 0, max: 9_999 }).map(String),
  batch: fc.oneof(fc.uuid(), fc.integer({ min: 1, max: 2 ** 31 }).map(String)),
  micro: fc.integer({ min: 0, max: 999_999 }).map(String),
})

test('ids, dates, counters and UUIDs never change the fingerprint', () => {
  const keyWith = ({ uuid, time, id, counter, batch, micro }: Record<string, string>): string =>
    keyOf({
      errorCode: `${batch}-Channel-SendProducts-${micro}`,
      errorDesc: `SendProducts failed for product ${id} at ${time}`,
      rawResponse: `{"id": ${id}, "ref": "${uuid}", "at": "${time}", "attempt": ${counter}, "error": "no stock"} ${'tail '.repeat(80)}`,
    })
  fc.assert(
    fc.property(changing, changing, (one, other) => {
      expect(keyWith(one)).toBe(keyWith(other))
    }),
  )
})
