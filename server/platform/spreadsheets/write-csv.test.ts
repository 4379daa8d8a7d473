import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copied } from '#testing/data/copied-rows.ts'
import { CrlfLines } from './write-csv.ts'

const convert = (text: string, cutEvery: number): { text: string; rows: number } => {
  const bytes = Buffer.from(text)
  const lines = new CrlfLines()
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += cutEvery)
    parts.push(Buffer.from(lines.convert(bytes.subarray(at, at + cutEvery))))
  lines.end()
  return { text: Buffer.concat(parts).toString(), rows: lines.rows }
}

test.each([
  ['a,b\nc,d\n', 'a,b\r\nc,d\r\n', 2],
  ['"a\nb",1\n', '"a\nb",1\r\n', 1],
  ['"a\r\nb",1\n', '"a\r\nb",1\r\n', 1],
  ['"say ""hi""\n",1\n\n', '"say ""hi""\n",1\r\n""\r\n', 2],
  ['"""\n"""\n', '"""\n"""\r\n', 1],
  ['a\n\nb\n\n', 'a\r\n""\r\nb\r\n""\r\n', 4],
  ['\n\n\n', '""\r\n""\r\n""\r\n', 3],
  ['', '', 0],
])('%j becomes %j', (from, to, rows) => {
  for (const cutEvery of [1, 2, 3, 100]) expect(convert(from, cutEvery)).toEqual({ text: to, rows })
})

test('only ends of rows change, wherever the blocks are cut', () => {
  const field = fc.option(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', 'ü') }))
  const rows = fc.array(fc.array(field, { minLength: 2, maxLength: 3 }), { maxLength: 20 })
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 30 }), (table, cutEvery) => {
      const expected = table.map((row) => copied([row]).replace(/\n$/, '\r\n')).join('')
      expect(convert(copied(table), cutEvery)).toEqual({ text: expected, rows: table.length })
    }),
  )
})

test.each(['a,b', 'a,b\nc', '"a\n', '"a\n"'])('%j ends inside of a row', (text) => {
  expect(() => convert(text, 3)).toThrow('inside of one')
})
