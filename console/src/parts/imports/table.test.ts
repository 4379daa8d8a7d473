import { expect, test } from 'vitest'
import { readTable, withCell, writeTable } from './table.ts'

const oakAndElm = [
  { number: 2, cells: ['A', 'Oak'] },
  { number: 3, cells: ['B', 'Elm'] },
]

/** Numbers as the server tells errors by: a spreadsheet counts lines without content too. */
test.each([
  ['commas', 'code,name\r\nA,Oak\r\nB,Elm\r\n', oakAndElm],
  ['semicolons and a byte order mark', '\uFEFFcode;name\nA;Oak\nB;Elm', oakAndElm],
  ['tabs', 'code\tname\rA\tOak\rB\tElm', oakAndElm],
  [
    'empty lines, and rows without content',
    'code,name\n\nA,Oak\n\n\n,\nB,Elm\n',
    [
      { number: 3, cells: ['A', 'Oak'] },
      { number: 7, cells: ['B', 'Elm'] },
    ],
  ],
  [
    'cells with quotes, separators and lines',
    'code,name\nA,"Oak, ""old"""\n\nB,"one\ntwo"\n',
    [
      { number: 2, cells: ['A', 'Oak, "old"'] },
      { number: 4, cells: ['B', 'one\ntwo'] },
    ],
  ],
])('reads and writes %s', async (_what, text, rows) => {
  const table = await readTable(text)
  expect(table.header).toEqual(['code', 'name'])
  expect(table.rows).toEqual(rows)
  expect(await readTable(writeTable(table))).toEqual(table)
})

test('another text in a cell changes nothing else', async () => {
  const table = await readTable('code,name\n\nA,Oak\nB,Elm\n')
  const mended = await readTable(writeTable(withCell(table, 4, 1, 'Elm, "new"')))
  expect(mended.rows).toEqual([
    { number: 3, cells: ['A', 'Oak'] },
    { number: 4, cells: ['B', 'Elm, "new"'] },
  ])
})

test('what is no csv is told', async () => {
  await expect(readTable('code,name\n"A,Oak\n')).rejects.toThrow(/quot/i)
})
