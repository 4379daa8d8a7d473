import { describe, expect, test } from 'vitest'
import { parseCells, parseQuantity, parseSheet, writeCells } from './paste.ts'

describe('cells of a spreadsheet', () => {
  test('are rows of tabs, whatever ends a row', () => {
    const cells = [
      ['1', '2'],
      ['3', ''],
    ]
    expect(parseCells('1\t2\r\n3\t\r\n')).toEqual(cells)
    expect(parseCells('1\t2\n3\t')).toEqual(cells)
    expect(parseCells('1\t2\r3\t')).toEqual(cells)
  })

  test('have quotes around what has tabs, ends of lines or quotes, both ways', () => {
    const rows = [
      ['two\nlines', 'a "word"'],
      ['tab\there', 'plain'],
    ]
    expect(parseCells(writeCells(rows))).toEqual(rows)
    expect(parseCells('"a ""b"""\tc')).toEqual([['a "b"', 'c']])
  })

  test('keep empty cells and rows where they are', () => {
    expect(parseCells('\t2\n\n5')).toEqual([['', '2'], [''], ['5']])
    expect(parseCells('')).toEqual([['']])
  })
})

describe('a count of pieces', () => {
  test.each([
    ['12', 12],
    [' 1.200 ', 1_200],
    ['1,200', 1_200],
    ['', 0],
  ])('%s is %i', (text, count) => {
    expect(parseQuantity(text)).toBe(count)
  })

  test.each(['1.5', '-3', 'x', '1.2.3'])('%s is none', (text) => {
    expect(parseQuantity(text)).toBeUndefined()
  })
})

describe('rows of a sheet', () => {
  test('say how many of a sku for each division; the heading says nothing', () => {
    expect(parseSheet('SKU\tAnkara\tIzmir\nA-1\t10\t5\nB-2\t7\n')).toEqual([
      { row: 2, sku: 'A-1', text: 'A-1\t10\t5', quantities: [10, 5] },
      { row: 3, sku: 'B-2', text: 'B-2\t7', quantities: [7] },
    ])
  })

  test('may be parted by semicolons, and tell a number that is none', () => {
    expect(parseSheet('A-1;10\nB-2;ten')).toMatchObject([
      { row: 1, sku: 'A-1', quantities: [10] },
      { row: 2, sku: 'B-2', quantities: [undefined] },
    ])
  })
})
