import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copied } from '#testing/data/copied-rows.ts'
import { CopiedRows, type CopiedRow } from './copied-rows.ts'

const read = (text: string, columns: number, cutEvery = 3): CopiedRow[] => {
  const bytes = Buffer.from(text)
  const reader = new CopiedRows(columns)
  const rows: CopiedRow[] = []
  for (let at = 0; at < bytes.length; at += cutEvery) rows.push(...reader.read(bytes.subarray(at, at + cutEvery)))
  reader.end()
  return rows
}

test('nothing is null, quotes around nothing are an empty text', () => {
  expect(read(',"",a\n"",,\n', 3)).toEqual([
    [null, '', 'a'],
    ['', null, null],
  ])
  expect(read('\n""\n', 1)).toEqual([[null], ['']])
})

test('any row comes back, wherever the blocks are cut', () => {
  const field = fc.option(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', 'ü', '漢', '👩') }))
  const rows = fc.array(fc.tuple(field, field), { maxLength: 20 })
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 30 }), (table, cutEvery) => {
      expect(read(copied(table), 2, cutEvery)).toEqual(table)
    }),
  )
})

test.each(['a,b', 'a,b\nc', '"a\n', '"a","b"'])('%j ends inside of a row', (text) => {
  expect(() => read(text, 2)).toThrow('inside of one')
})

test('a row of another table is refused', () => {
  expect(() => read('a,b,c\n', 2)).toThrow('3 cells, not 2')
})
