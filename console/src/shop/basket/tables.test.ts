import { describe, expect, test } from 'vitest'
import { readCsv } from './read-csv.ts'
import { tableErrors } from './row-errors.ts'

describe('a table that is shown beside its errors', () => {
  test.each([
    [
      'commas',
      'sku,quantity\nA,1\n',
      [
        ['sku', 'quantity'],
        ['A', '1'],
      ],
    ],
    [
      'semicolons',
      'sku;quantity\r\nA;1',
      [
        ['sku', 'quantity'],
        ['A', '1'],
      ],
    ],
    [
      'tabs',
      'sku\tquantity\nA\t1',
      [
        ['sku', 'quantity'],
        ['A', '1'],
      ],
    ],
    [
      'quoted',
      'a,b\n"x, ""y""\nz",2\n',
      [
        ['a', 'b'],
        ['x, "y"\nz', '2'],
      ],
    ],
    [
      'empty cells',
      'a,b\n,\n',
      [
        ['a', 'b'],
        ['', ''],
      ],
    ],
    ['empty lines, which count', 'a,b\n\n1,2\n', [['a', 'b'], [''], ['1', '2']]],
  ])('is read with %s', (_, text, rows) => {
    expect(readCsv(text)).toEqual(rows)
  })

  test('that is broken is read as far as it goes', () => {
    expect(readCsv('a,b\n"open,2').slice(0, 1)).toEqual([['a', 'b']])
  })

  test('has its errors by row, and those of the whole table apart', () => {
    const fields = { 'rows.10.sku': 'Unknown.', 'rows.2.quantity': 'No number.', columns: 'There is no quantity.' }
    expect(tableErrors(fields)).toEqual({
      rows: [
        { row: 2, column: 'quantity', message: 'No number.' },
        { row: 10, column: 'sku', message: 'Unknown.' },
      ],
      others: ['There is no quantity.'],
    })
  })
})
