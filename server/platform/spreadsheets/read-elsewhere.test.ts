import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { copied } from '#testing/data/copied-rows.ts'
import { readWithPython, type ReadCell } from '#testing/processes/python.ts'
import { tries } from '#testing/is-everything-wanted.ts'
import type { TableColumn, TableFormat } from './table-file.ts'
import { writeTableFile } from './write-table-file.ts'

// Files are read by programs that others wrote: Python's csv module, xlrd and openpyxl.

const directory = mkdtempSync(join(tmpdir(), 'waybill-tables-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

type Row = readonly (string | null)[]

/** The blocks are cut in odd places, also within a character. */
const writeAndRead = async (
  format: TableFormat,
  columns: readonly TableColumn[],
  rows: readonly Row[],
  cutEvery = 7,
): Promise<ReadCell[][]> => {
  const bytes = Buffer.from(copied(rows))
  async function* blocks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += cutEvery) yield bytes.subarray(at, at + cutEvery)
  }
  const path = join(directory, `table.${format}`)
  const signal = new AbortController().signal
  const written = await writeTableFile({ format, columns, rows: blocks(), path, signal, onProgress: () => undefined })
  expect(written.rows).toBe(rows.length)
  return readWithPython(format, path)
}

const columns: readonly TableColumn[] = [
  { name: 'name', type: 'text' },
  { name: 'total_amount', type: 'number' },
  { name: 'created_at', type: 'time' },
]
const header = columns.map(({ name }) => name)

const oddTexts = [
  'plain',
  '',
  ' ',
  ' spaces around ',
  'two  spaces',
  '=1+1',
  '+90 555',
  '-1',
  '@name',
  '00123',
  '1e5',
  '1.50',
  'true',
  '2026-11-21',
  'a "quoted" word',
  '"',
  '""',
  'comma, comma',
  'line\nline',
  'line\r\nline',
  '\rreturn',
  '\ttab',
  'ü é ğ ş 漢字',
  '👩‍👩‍👧 𝒳',
  '<a href="x">&amp;</a>',
  '_x0041_',
  '_x005F_x0041_',
  '\\.',
  'x'.repeat(256),
  `${'漢'.repeat(4111)}.`,
  'y'.repeat(8221),
  'z'.repeat(32_767),
]
const controls = ['bell\u0007', 'tab\u000Bof lines', '\u001F', 'no character \uFFFF', '\uFFFE']

const numbers: readonly (readonly [string, string | number])[] = [
  ['0', 0],
  ['-12.50', -12.5],
  ['0.1', 0.1],
  ['99999999999999.9', 99_999_999_999_999.9],
  ['123456789012345', 123_456_789_012_345],
  ['1234567890123456', '1234567890123456'],
  ['1234567890123.4567', '1234567890123.4567'],
  ['0.000000000000000123', 0.000000000000000123],
  ['10000000000000000', 1e16],
  ['NaN', 'NaN'],
]

const times: readonly (readonly [string, ReadCell])[] = [
  ['2026-11-21T22:15:30.123Z', { time: '2026-11-21T22:15:30.123Z' }],
  ['2026-07-01T00:00:00.000Z', { time: '2026-07-01T00:00:00.000Z' }],
  ['2026-03-29T01:30:00.000Z', { time: '2026-03-29T01:30:00.000Z' }],
  ['1900-03-01T00:00:00.000Z', { time: '1900-03-01T00:00:00.000Z' }],
  ['1899-12-31T23:00:00.000Z', '1899-12-31T23:00:00.000Z'],
  ['9999-12-31T23:59:59.000Z', { time: '9999-12-31T23:59:59.000Z' }],
]

describe.skipIf(process.env['TEST_WITHOUT_PYTHON'] !== undefined)('read elsewhere', () => {
  test.each(['xls', 'xlsx'] as const)('every cell of an %s has the type of its column', async (format) => {
    const longest = Math.max(oddTexts.length, numbers.length, times.length)
    const rows = Array.from({ length: longest }, (_, row): Row => {
      return [oddTexts[row] ?? null, numbers[row]?.[0] ?? null, times[row]?.[0] ?? null]
    })
    const expected = Array.from({ length: longest }, (_, row): ReadCell[] => {
      const value = numbers[row]?.[1] ?? null
      return [oddTexts[row] ?? null, typeof value === 'number' ? { number: value } : value, times[row]?.[1] ?? null]
    })
    expect(await writeAndRead(format, columns, rows)).toEqual([header, ...expected])
  })

  test('times are in UTC, wherever the server is', async () => {
    const zone = process.env['TZ']
    process.env['TZ'] = 'America/St_Johns'
    try {
      for (const format of ['xls', 'xlsx'] as const) {
        const rows = times.map(([text]): Row => [null, null, text])
        const read = await writeAndRead(format, columns, rows)
        expect(read.slice(1).map((row) => row[2])).toEqual(times.map(([, cell]) => cell))
      }
    } finally {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
  })

  test('every text of a csv is as it was, null like an empty one', async () => {
    const rows = [...oddTexts, ...controls].map((text, row): Row => [text, row % 2 === 0 ? null : '', '1'])
    const read = await writeAndRead('csv', columns, rows)
    expect(read).toEqual([header, ...rows.map((row) => row.map((text) => text ?? ''))])
  })

  test.each(['xls', 'xlsx'] as const)('an %s keeps control characters', async (format) => {
    const read = await writeAndRead(
      format,
      [{ name: 'text', type: 'text' }],
      controls.map((text) => [text]),
    )
    expect(read.slice(1).flat()).toEqual(controls)
  })

  test.each(['xls', 'xlsx'] as const)('a text that no cell of an %s holds is cut, and says so', async (format) => {
    const rows = [['a'.repeat(32_768)], ['👩'.repeat(20_000)]]
    const [, ...read] = await writeAndRead(format, [{ name: 'text', type: 'text' }], rows)
    expect(read.map(([text]) => shortened(text))).toEqual([
      '32767 aaaaaaaaaa… [cut, 32768 characters]',
      '32767 👩👩👩👩👩… [cut, 40000 characters]',
    ])
  })

  test.each(['csv', 'xls', 'xlsx'] as const)(
    'a file of the format %s has a header, also without rows',
    async (format) => {
      expect(await writeAndRead(format, columns, [])).toEqual([header])
    },
  )

  test('an xls has texts of any length and alphabet, wherever one of its records of 8,224 bytes is full', async () => {
    const characters = ['a', 'ü', '漢', '👩', 'x👩']
    const lengths = [...Array(40).keys()].flatMap((more) => [4080 + more, 8190 + more, 12_320 + more, more])
    const rows = lengths.flatMap((length) => characters.map((one) => [one.repeat(length / one.length)]))
    const read = await writeAndRead('xls', [{ name: 'text', type: 'text' }], rows, 65_536)
    const wrong = rows.filter((row, index) => read[index + 1]?.[0] !== row[0])
    expect(wrong.map(([text]) => shortened(text))).toEqual([])
  })

  test('an xls holds 65,535 rows below the header', async () => {
    const rows = Array.from({ length: 65_535 }, (_, row): Row => [String(row)])
    const read = await writeAndRead('xls', [{ name: 'number', type: 'number' }], rows, 65_536)
    expect(read).toHaveLength(65_536)
    expect(read.at(-1)).toEqual([{ number: 65_534 }])
  })

  test.each(['csv', 'xls', 'xlsx'] as const)('any texts come back from a file of the format %s', async (format) => {
    // XML and Python's terminal have no halves of characters, and neither has the database.
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom(',', '"', '\n', '\r', '\t', '=', '-', '@', "'", '_', 'x', '0', ' '),
        fc.string({ unit: 'grapheme' }),
      ),
    })
    const row = fc.tuple(fc.option(text), fc.option(text))
    const property = fc.asyncProperty(
      fc.array(row, { minLength: 30, maxLength: 200 }),
      fc.integer({ min: 1, max: 200 }),
      async (rows, cut) => {
        const two = ['a', 'b'].map((name): TableColumn => ({ name, type: 'text' }))
        const read = await writeAndRead(format, two, rows, cut)
        const expected = rows.map((cells) => cells.map((cell) => (format === 'csv' ? (cell ?? '') : cell)))
        expect(read.slice(1)).toEqual(withoutEmptyEnd(expected, read.length - 1))
      },
    )
    await fc.assert(property, tries(1, 20))
  })
})

/** Empty cells below the last one that has something are not in a sheet. */
const withoutEmptyEnd = (rows: readonly Row[], length: number): readonly Row[] => {
  expect(rows.slice(length).flat()).toEqual(rows.slice(length).flatMap((row) => row.map(() => null)))
  return rows.slice(0, length)
}

/** Its length and its end. */
const shortened = (text: ReadCell | undefined): string =>
  typeof text === 'string' ? `${text.length} ${text.slice(-35)}` : JSON.stringify(text)
