import { describe, expect, test, vi } from 'vitest'
import type { AppError } from '#platform/errors.ts'
import { readCsv } from './read-csv.ts'
import { maxRows } from './table.ts'

const columns = { required: ['code', 'name'], optional: ['note'] }
const read = (text: string | Buffer) => readCsv(Buffer.from(text), columns)
const cells = (text: string) => read(text).rows.map((row) => [row.number, ...Object.values(row.cells)])

describe('a table is read', () => {
  const odd: [string, string, (string | number)[][]][] = [
    [
      'as the standard says',
      'code,name\r\nA,One\r\nB,Two\r\n',
      [
        [2, 'A', 'One'],
        [3, 'B', 'Two'],
      ],
    ],
    ['without a last line end', 'code,name\nA,One', [[2, 'A', 'One']]],
    ['with the line ends of an old Macintosh', 'code,name\rA,One\r', [[2, 'A', 'One']]],
    [
      'with line ends of several kinds',
      'code,name\r\nA,One\nB,Two\r\n',
      [
        [2, 'A', 'One'],
        [3, 'B', 'Two'],
      ],
    ],
    ['with a byte order mark', '\uFEFFcode,name\nA,One', [[2, 'A', 'One']]],
    ['with a byte order mark before a quote', '\uFEFF"code","name"\nA,One', [[2, 'A', 'One']]],
    [
      'with quotes, delimiters and line ends in cells',
      'code,name\nA,"a ""b"", c\r\nd"\nB,Two',
      [
        [2, 'A', 'a "b", c\r\nd'],
        [3, 'B', 'Two'],
      ],
    ],
    ['with semicolons', 'code;name\nA;One, two', [[2, 'A', 'One, two']]],
    ['with tabs', 'code\tname\nA\tOne; two', [[2, 'A', 'One; two']]],
    ['with columns in another order and in capitals', 'Name, CODE \nOne,A', [[2, 'One', 'A']]],
    ['without rows that have no content', 'code,name\n\n,\nA,One\n,,\n', [[4, 'A', 'One']]],
    ['with spaces in cells as they are', 'code,name\n A ,  ', [[2, ' A ', '  ']]],
    ['with letters of any kind', 'code,name\nÅ,Ağaç 🪑', [[2, 'Å', 'Ağaç 🪑']]],
    ['with an empty cell', 'code,name,note\nA,One,', [[2, 'A', 'One', '']]],
    ['without rows', 'code,name', []],
  ]
  test.each(odd)('%s', (_, text, expected) => {
    expect(cells(text)).toEqual(expected)
    expect(read(text).errors).toEqual([])
  })
})

test('a row that is not as wide as the header is told, and the others are read', () => {
  const { rows, errors } = read('code,name\nA\nB,Two\nC,Three,more\n')
  expect(rows).toEqual([{ number: 3, cells: { code: 'B', name: 'Two' } }])
  expect(errors).toEqual([
    { row: 2, column: null, message: 'The row has 1 cells, and the header has 2.' },
    { row: 4, column: null, message: 'The row has 3 cells, and the header has 2.' },
  ])
})

const refusal = (text: string | Buffer): AppError => {
  try {
    read(text)
  } catch (error) {
    return error as AppError
  }
  throw new Error('It was read.')
}

test('a table has no more rows than can be worked on at one go', () => {
  const rows = 'A,x\n'.repeat(maxRows)
  expect(read(`code,name\n${rows}`).rows).toHaveLength(maxRows)
  expect(refusal(`code,name\n${rows}B,x`)).toMatchObject({ status: 413 })
})

describe('a megabyte', () => {
  test('of empty lines is a table without rows', () => {
    expect(read(`code,name\n${'\n'.repeat(1_000_000)}A,One`).rows).toEqual([
      { number: 1_000_002, cells: { code: 'A', name: 'One' } },
    ])
  })

  test('of rows that are too narrow is read no further than a table may go', () => {
    // What reads the table makes an error for each of them, and its stack takes longer than the row.
    const stacks = vi.spyOn(Error, 'captureStackTrace')
    expect(refusal(`code,name\n${'A\n'.repeat(500_000)}`)).toMatchObject({ status: 413 })
    expect(stacks.mock.calls.length).toBeLessThan(maxRows + 10)
    stacks.mockRestore()
  })
})

describe('no table is', () => {
  test.each([
    ['a quote that is never closed', 'code,name\nA,"One\nB,Two', /^Line 3: a quote is opened/],
    ['a quote inside of a cell', 'code,name\nA,O"ne', /^Line 2: a quote stands inside/],
    ['a cell that goes on after its quote', 'code,name\nA,"One"x', /^Line 2: after a closing quote/],
    ['text in another encoding', Buffer.from('code,name\nA,\xc7ay', 'latin1'), /UTF-8/],
  ])('%s', (_, text, message) => {
    const { status, code, message: said } = refusal(text)
    expect([status, code]).toEqual([400, 'csv_unreadable'])
    expect(said).toMatch(message)
  })

  test.each([
    ['nothing', '', ['code', 'name']],
    ['one without a required column', 'code,note\nA,x', ['name']],
    ['one with a column that nobody knows', 'code,name,colour,__proto__\n', ['__proto__', 'colour']],
    ['one with a column twice', 'code,name,NAME\n', ['name']],
    ['one with a column without a name', 'code,name,\n', ['']],
  ])('%s', (_, text, fields) => {
    const { status, details } = refusal(text)
    expect([status, Object.keys(details.fields ?? {}).toSorted()]).toEqual([400, fields])
  })
})
