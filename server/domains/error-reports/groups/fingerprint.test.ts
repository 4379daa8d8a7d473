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
    ['order-1001-failed', 'order-1002-failed'],
    ['order-7-failed', 'order-1000002-failed'],
    ['ORD-1001', 'ORD-1002'],
    ['ORD-1001-NotFound', 'ORD-7-NotFound'],
    ['Order #17 failed', 'Order #18 failed'],
    ['4711-UpdatePrices-12.5', '4711-UpdatePrices-7'],
    ['4711-Channel-GetOrders-2m30s', '4712-Channel-GetOrders-10m05s'],
    ['4711-Ping-2001:db8::1', '4711-Ping-2001:db8:0:1::2'],
    ['shop12.example.com-Timeout', 'shop7.example.com-Timeout'],
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
    ['10060', '10061'],
    ['E1001', 'E1002'],
    ['EC-17', 'EC-18'],
    ['ORA-00942', 'ORA-01017'],
    ['SQLSTATE 23505', 'SQLSTATE 40001'],
    ['http_500', 'http_503'],
    ['order_1001', 'order_1002'],
    ['HTTP 404', 'HTTP 500'],
    ['4711-Channel-HTTP-404', '4711-Channel-HTTP-500'],
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
    ['order #123 bad', 'order #7 bad'],
    ['order #123 bad', 'order #1234567 bad'],
    ['ORD-1001 is late', 'ORD-1002 is late'],
    ['ORD-9 is late', 'ORD-100017 is late'],
    ['no SKU-123', 'no SKU-456'],
    ['no ABC123 here', 'no ABC124 here'],
    ['no ABC9 here', 'no ABC1000009 here'],
    ['order-1001-failed', 'order-1002-failed'],
    ['order 1001 Failed to be sent', 'order 123 Failed to be sent'],
    ['Error: 3 products failed', 'Error: 17 products failed'],
    ['Error: order 404 Rejected', 'Error: order 405 Rejected'],
    ['postal code 34710 is unknown', 'postal code 6 is unknown'],
    ['product code: 17', 'product code: 18'],
    ['{"product_code": 17}', '{"product_code": 4711}'],
    ['total 12.50 TL', 'total 7 TL'],
    ['total 1,234.56TL', 'total 1.234.567,89TL'],
    ['price -3.5 is negative', 'price -12 is negative'],
    ['weight 0.75kg', 'weight 12kg'],
    ['no account ayse.k+7@example.com', 'no account bob@mail.example.co.uk'],
    ['ids 1, 2 and 3', 'ids 17, 18 and 12345'],
    ['failed: [1, 2]', 'failed: [17, 18, 19, 20]'],
    ['refused by 10.0.0.1:80', 'refused by 192.168.100.200:8080'],
    ['at 12:34', 'at 12:345'],
    ['at 2026-11-21', 'at Sat, 21 Nov 2026 09:30:00 GMT'],
    ['order_1001 failed', 'order_1002 failed'],
    ['order_1 failed', 'order_12345678 failed'],
    ['order_1001_2 failed', 'order_7_12345 failed'],
    ['order_1001_failed', 'order_2_failed'],
    ['job_7 of user_id_12', 'job_1234 of user_id_3'],
    ['product_code_17 is unknown', 'product_code_404 is unknown'],
    ['c56a4180-65aa-42ec-a945-5fd21dec0538_17 is late', '0b9e9f0c-6a55-4b8b-a6c9-4c7a6c2d9b11_4711 is late'],
    ['no backup_2026_11_21.zip', 'no backup_2025_01_02.zip'],
    ['no route to 2001:db8::1', 'no route to 2001:db8:0:1::2'],
    ['no route to 2001:db8::1', 'no route to 10.0.0.1'],
    ['connect [::1]:443 refused', 'connect [fe80::a:1%eth0]:8443 refused'],
    ['connect 2001:DB8:0:0:0:0:0:1 refused', 'connect ::ffff:10.0.0.1 refused'],
    ['addr:2001:db8::1: refused', 'addr:fd00:12:3::: refused'],
    ['device 00:1A:2B:3C:4D:5E is unknown', 'device 12-34-56-78-90-12 is unknown'],
    ['device 00:11:22:33:44:55 is unknown', 'device 001a.2b3c.4d5e is unknown'],
    ['no route to aa:bb:cc:dd:ee:ff:11:0a0', 'no route to aa:bb:cc:dd:ee:f1::0a0'],
    ['certificate AA:BB:CC:DD:EE:FF:00:11:22:33 is bad', 'certificate 12:34:56:78:90:AB:CD:EF:01:23 is bad'],
    ['shop12.example.com is away', 'shop7.example.com is away'],
    ['SHOP12.EXAMPLE.COM is away', 'SHOP7.EXAMPLE.COM is away'],
    ['db2a.eu-west-1.rds.amazonaws.com:5432 is away', 'db17a.eu-west-12.rds.amazonaws.com:5433 is away'],
    ['shop_12.magaza1.com.tr is away', 'shop_7.magaza22.com.tr is away'],
    ['GET http://web01:8080/x failed', 'GET http://web12:8080/x failed'],
    ['node3.local is away', 'node14.local is away'],
    ['timed out after 2m30s', 'timed out after 10m05s'],
    ['timed out after 2m30s', 'timed out after 1h0m3.5s'],
    ['timed out after 45s', 'timed out after 2m30s'],
    ['timed out after 1d2h', 'timed out after 17h'],
    ['timed out after PT2M30S', 'timed out after PT1H0.5S'],
    ['timed out after 5min', 'timed out after 12min'],
    ['3dk sonra', '14dk sonra'],
    ['until 21 Kasım 2026', 'until 3 Aralık 2025'],
    ['until 21 KASIM 2026', 'until 3 ŞUBAT 2025'],
    ['until 21 Kas 2026 09:30', 'until 3 Agustos 2025 23:59:59'],
    ['21 Kasım 2026 Cumartesi günü', '3 Ağustos 2025 Pazar günü'],
    ['until 21 Kasım', 'until 3 Mayıs'],
    ['until 21. November 2026', 'until 3. März 2025'],
    ['until Samstag, 21. November 2026', 'until Mi., 3. Dez. 2025'],
    ['until 21 November 2026', 'until 3rd of May 2025'],
    ['until November 21, 2026', 'until Feb 3rd, 2025'],
    ['until Nov 2026', 'until Aralık 2025'],
    ['[21/Nov/2026:10:00:00 +0000] failed', '[03/Dec/2025:23:59:59 +0300] failed'],
  ])('%s and %s', (one, other) => {
    expect(keyOf({ rawResponse: one })).toBe(keyOf({ rawResponse: other }))
  })
})

test.each([
  ['1234567890', '7'],
  ['12345678-1234-1234-1234-123456789012', 'a2345678-1234-1234-1234-123456789012'],
  ['12345678-1234-1234-1234-123456789012', '17'],
  ['f'.repeat(64), '0123456789abcdef'],
])('however many ids such as %s and %s come before', (one, other) => {
  for (const errorDesc of ['', 'x', 'x '.repeat(100)]) {
    const textOf = (id: string) => `${errorDesc}${`id ${id} `.repeat(1_000)}`
    expect(keyOf({ errorDesc: `${textOf(one)} one` })).toBe(keyOf({ errorDesc: `${textOf(other)} other` }))
    expect(keyOf({ rawResponse: `${textOf(one)} one` })).toBe(keyOf({ rawResponse: `${textOf(other)} other` }))
  }
})

describe('failures of different causes do not', () => {
  test.each<[Partial<NewFailure>, Partial<NewFailure>]>([
    [{ rawResponse: '{"status": 404}' }, { rawResponse: '{"status": 500}' }],
    [{ rawResponse: '400 Client Error: Bad Request' }, { rawResponse: '500 Server Error: Internal' }],
    [{ rawResponse: 'HTTP/1.1 502' }, { rawResponse: 'HTTP/1.1 503' }],
    [{ rawResponse: 'ORA-942: missing' }, { rawResponse: 'ORA-1017: missing' }],
    [{ rawResponse: 'ORA-00942: missing' }, { rawResponse: 'ORA-01017: missing' }],
    [{ rawResponse: 'SQLSTATE 23505' }, { rawResponse: 'SQLSTATE 40001' }],
    [{ rawResponse: 'SQLSTATE[42P01]: x' }, { rawResponse: 'SQLSTATE[42P02]: x' }],
    [{ rawResponse: 'HTTP 404' }, { rawResponse: 'HTTP 500' }],
    [{ rawResponse: 'HTTP-404' }, { rawResponse: 'HTTP-500' }],
    [{ rawResponse: '404 Not Found' }, { rawResponse: '409 Conflict' }],
    [{ rawResponse: '401 Client Error' }, { rawResponse: '403 Client Error' }],
    [{ rawResponse: 'error E1001 came' }, { rawResponse: 'error E1002 came' }],
    [{ rawResponse: 'code: "E1001"' }, { rawResponse: 'code: "E1002"' }],
    [{ rawResponse: '{"errorCode": 1001}' }, { rawResponse: '{"errorCode": 1002}' }],
    [{ rawResponse: 'status_code=404' }, { rawResponse: 'status_code=503' }],
    [{ rawResponse: 'error #1064' }, { rawResponse: 'error #1065' }],
    [{ rawResponse: 'MySQL error 1205 came' }, { rawResponse: 'MySQL error 1213 came' }],
    [{ rawResponse: '[Errno 111] refused' }, { rawResponse: '[Errno 110] refused' }],
    [{ rawResponse: 'error 0x80070005' }, { rawResponse: 'error 0x80004005' }],
    [{ rawResponse: 'exit code 1' }, { rawResponse: 'exit code 137' }],
    [{ rawResponse: 'not UTF-8' }, { rawResponse: 'not UTF-16' }],
    [{ rawResponse: 'address1 is missing' }, { rawResponse: 'address2 is missing' }],
    [{ rawResponse: 'address_1 is missing' }, { rawResponse: 'address_2 is missing' }],
    [{ rawResponse: 'address1.city is missing' }, { rawResponse: 'address2.city is missing' }],
    [{ rawResponse: '{"resultCode":1002}' }, { rawResponse: '{"resultCode":1003}' }],
    [{ rawResponse: 'responseCode=05' }, { rawResponse: 'responseCode=51' }],
    [{ rawResponse: 'reasonCode: 17' }, { rawResponse: 'reasonCode: 42' }],
    [{ rawResponse: 'httpCode 404' }, { rawResponse: 'httpCode 500' }],
    [{ rawResponse: 'ReturnCode=8' }, { rawResponse: 'ReturnCode=12' }],
    [{ rawResponse: '<errorCode>17</errorCode>' }, { rawResponse: '<errorCode>18</errorCode>' }],
    [{ errorDesc: '<Response [404]>' }, { errorDesc: '<Response [500]>' }],
    [{ errorDesc: 'Server answered 401' }, { errorDesc: 'Server answered 503' }],
    [{ errorDesc: "(1205, 'Lock wait')" }, { errorDesc: "(1213, 'Lock wait')" }],
    [{ errorDesc: 'Hata kodu: 1001' }, { errorDesc: 'Hata kodu: 2002' }],
    [{ errorDesc: 'SMTP 550 refused' }, { errorDesc: 'SMTP 421 refused' }],
    [{ errorDesc: 'Msg 208, Level 16' }, { errorDesc: 'Msg 515, Level 16' }],
    [{ errorDesc: 'E1001 happened' }, { errorDesc: 'E1002 happened' }],
    [{ errorDesc: 'error.404' }, { errorDesc: 'error.500' }],
    [{ errorDesc: 'attribute_338 missing' }, { errorDesc: 'attribute_347 missing' }],
    [{ rawResponse: 'http_404 came' }, { rawResponse: 'http_500 came' }],
    [{ rawResponse: 'HTTP_404_X' }, { rawResponse: 'HTTP_409_X' }],
    [{ rawResponse: 'db_error_1205' }, { rawResponse: 'db_error_1213' }],
    [{ rawResponse: 'last_status_code_404_x' }, { rawResponse: 'last_status_code_503_x' }],
    [{ rawResponse: 'ERR_104' }, { rawResponse: 'ERR_110' }],
    [{ rawResponse: 'E_1001 came' }, { rawResponse: 'E_1002 came' }],
    [{ rawResponse: 'integrations_200_10_1' }, { rawResponse: 'integrations_200_10_2' }],
    [{ rawResponse: 'not utf_8' }, { rawResponse: 'not utf_16' }],
    [{ rawResponse: 'std::a1::Missing' }, { rawResponse: 'std::a2::Missing' }],
    [{ rawResponse: 'Face::Add' }, { rawResponse: 'Face::Dec' }],
    [{ rawResponse: 'auth.example.com is away' }, { rawResponse: 'shop.example.com is away' }],
    [{ rawResponse: '3D Secure failed' }, { rawResponse: '2D Secure failed' }],
    [{ rawResponse: 'Marketplace 12 failed' }, { rawResponse: 'Decision 12 failed' }],
    [{ rawResponse: '3 mayors' }, { rawResponse: '3 markets' }],
    [{ errorDesc: 'ORA-00942' }, { errorDesc: 'ORA-01017' }],
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

const digits = (most: number) => fc.integer({ min: 0, max: most }).map(String)
const dates = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
const macOf = (bytes: readonly string[]): string => bytes.map((byte) => byte.padStart(2, '0')).join(':')
/** What changes from failure to failure, by what it is. */
const changing = fc.record({
  uuid: fc.uuid(),
  time: fc.oneof(
    dates.map((date) => date.toISOString()),
    dates.map((date) => date.toUTCString()),
    dates.map((date) => date.toISOString().slice(0, 19).replace('T', ' ')),
    dates.map((date) => date.toISOString().slice(0, 10)),
  ),
  id: digits(2 ** 40),
  counter: digits(9_999),
  amount: fc
    .tuple(digits(10 ** 7), digits(99))
    .chain(([whole, part]) => fc.constantFrom(whole, `${whole}.${part}`, `${whole},${part}`, `-${whole}.${part}`)),
  clock: dates.map((date) => date.toISOString().slice(11, 16)),
  hex: fc
    .array(fc.constantFrom(...'0 1 2 3 4 5 6 7 8 9 a b c d e f'.split(' ')), { minLength: 12, maxLength: 64 })
    .map((letters) => letters.join('')),
  batch: fc.oneof(fc.uuid(), digits(2 ** 31)),
  email: fc.emailAddress(),
  address: fc.oneof(
    fc.ipV4(),
    // Without any digit it might be a name: `Face::Add`.
    fc.ipV6().filter((address) => /\d/.test(address)),
    fc.array(fc.constantFrom('0', '7', '12', 'a0', 'FF'), { minLength: 6, maxLength: 6 }).map(macOf),
  ),
  duration: fc
    .tuple(digits(99), digits(59), digits(59))
    .chain(([hours, minutes, seconds]) =>
      fc.constantFrom(`${seconds}s`, `${minutes}m${seconds}s`, `${hours}h${minutes}m${seconds}.5s`),
    ),
  day: fc
    .tuple(dates, fc.constantFrom('en', 'de', 'tr'), fc.constantFrom('short', 'long'))
    .map(([date, language, month]) =>
      date.toLocaleDateString(language, { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' }),
    ),
})

type Changing = Readonly<
  Record<
    | 'uuid'
    | 'time'
    | 'id'
    | 'counter'
    | 'amount'
    | 'clock'
    | 'hex'
    | 'batch'
    | 'email'
    | 'address'
    | 'duration'
    | 'day',
    string
  >
>

/** How they stand in the texts of clients. */
const texts: readonly ((of: Changing) => Partial<NewFailure>)[] = [
  ({ batch, counter }) => ({ errorCode: `${batch}-Channel-SendProducts-${counter}` }),
  ({ batch, id }) => ({ errorCode: `${batch}-Omnitron-${id}-SendProducts` }),
  ({ id }) => ({ errorCode: `order-${id}-failed` }),
  ({ id }) => ({ errorCode: `ORD-${id}-failed` }),
  ({ id, time }) => ({ errorDesc: `SendProducts failed for product ${id} at ${time}` }),
  ({ id }) => ({ errorDesc: `order #${id} bad` }),
  ({ id, counter }) => ({ errorDesc: `ORD-${id}/${counter} is not SKU${id}, (no. ${counter})` }),
  ({ hex, uuid }) => ({ errorDesc: `object ${hex} of '${uuid}' is gone` }),
  ({ email, amount }) => ({
    errorDesc: `<a@b.example> owes ${amount} TL; ask ${email.replaceAll(/[^\w.@-]/g, 'x')} now`,
  }),
  ({ amount, counter }) => ({
    errorDesc: `got ${amount}, expected ${amount}EUR after ${counter}ms (${counter} of ${counter})`,
  }),
  ({ id, uuid, time, counter, clock }) => ({
    rawResponse: `{"id": ${id}, "ref": "${uuid}", "at": "${time}", "day": "${clock}", "attempt": ${counter}, "error": "no stock"} ${'tail '.repeat(80)}`,
  }),
  ({ id, counter, address, duration }) => ({
    rawResponse: `order_${id} of user_${counter}: [${address}] of host${counter}.example.com is away for ${duration}`,
  }),
  ({ address, day, clock }) => ({ errorDesc: `${address}: closed until ${day}, ${clock} (${address})` }),
  ({ id, amount, hex }) => ({ rawResponse: `<o id="${id}" total='${amount}' ref="${hex}"/> ${'tail '.repeat(80)}` }),
  ({ id, counter }) => ({
    rawResponse: `https://shop.example/orders/${id}?page=${counter}&x=[${counter},${id}] failed`,
  }),
]

test('ids, dates, counters, amounts and addresses never change the fingerprint', () => {
  fc.assert(
    fc.property(fc.constantFrom(...texts), changing, changing, (text, one, other) => {
      expect(keyOf(text(one))).toBe(keyOf(text(other)))
    }),
    { numRuns: 2_000 },
  )
})

test('a text that is made to be slow is not', () => {
  const pieces = ['1-', 'a1', '#', '1.', 'error ', 'A1@', 'f0', '0x', '<', 'code:', '-', 'Mon, ']
    .concat([
      '00:',
      '0:',
      '::',
      'a::1',
      'order_1',
      '_1',
      'x1.',
      '1a.com',
      'a1a',
      'http://1',
      '1.a-1.tr',
      '1m',
      'P1DT1H',
    ])
    .concat([
      '21 Kas',
      'Nov 1',
      'Kasım ',
      '1. ',
      'Samstag, ',
      '#_1',
      'error_1_',
      '4e',
      '1_',
      'ab_1_',
      `${'1'.repeat(60)}.`,
      `${'1a'.repeat(30)}.`,
      '://1',
    ])
  // With a bit of everything before, so that nothing is passed over.
  const textOf = (piece: string) =>
    `x.com 1 Kas :: http://a 1_1 1m1 P1T1 a_1 a:b:c:d:e:f: @ ${piece.repeat(Math.ceil(65_536 / piece.length))}`
  // Time of the processor, and of several the shortest: this machine may do something else beside it.
  const longest = Math.max(
    ...pieces.map((piece) => {
      const text = textOf(piece)
      const times = Array.from({ length: 3 }, () => {
        const before = process.cpuUsage()
        keyOf({ rawResponse: text, errorDesc: text })
        return process.cpuUsage(before).user / 1_000
      })
      return Math.min(...times)
    }),
  )
  expect(longest).toBeLessThan(200)
})
