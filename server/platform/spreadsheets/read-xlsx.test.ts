import { describe, expect, test } from 'vitest'
import { makeZip, sheetParts, type ZipPart } from '#testing/data/make-zip.ts'
import { readXlsx } from './read-xlsx.ts'
import type { SheetRow } from './xlsx-reading-thread.ts'

const limits = { maxRows: 100, maxColumns: 5 }
const read = (parts: readonly ZipPart[]): Promise<SheetRow[]> => readXlsx(makeZip(parts), limits)
const refusal = async (bytes: Buffer): Promise<string> => {
  const error = await readXlsx(bytes, limits).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return (error as Error | undefined)?.name ?? 'none'
}
const withSheet = (sheet: Partial<ZipPart>, texts = ''): ZipPart[] =>
  sheetParts({ texts }).map((part) => (part.name.includes('sheet1') ? { ...part, ...sheet } : part))
const sheetStart = '<worksheet><sheetData>'
const textCell = (text: number): string => `<row r="1"><c r="A1" t="s"><v>${text}</v></c></row>`
const isNoText = ({ name }: ZipPart): boolean => !name.includes('sharedStrings')
const times = (count: number, text: string): string => text.repeat(count)

describe('a sheet is read', () => {
  test('as texts, with the numbers that its rows have, and without those of nothing', async () => {
    const rows = [
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>quantity</t></is></c></row>',
      '<row r="3"><c r="A3"><v>1001</v></c><c r="B3"><f>1+2</f><v>3</v></c></row>',
      '<row r="4"><c r="A4" s="1"/></row>',
      '<row r="7"><c r="C7" t="b"><v>1</v></c></row>',
    ]
    expect(await read(sheetParts({ rows: rows.join(''), texts: '<si><t>sku &amp; _x000D_\n</t></si>' }))).toEqual([
      { number: 1, width: 2, cells: ['sku & \r\n', 'quantity'] },
      { number: 3, width: 2, cells: ['1001', '3'] },
      { number: 7, width: 3, cells: ['', '', 'true'] },
    ])
  })

  test('whatever its tags are called in front, and whatever else it says', async () => {
    const content = [
      '\uFEFF<?xml version="1.0"?>\n<!-- <row> --><x:worksheet xmlns:x="a" note="1 > 0">\n<x:sheetData>',
      '<x:row r="1"><x:c r="A1" t=\'s\'><x:v>1</x:v></x:c>',
      '<x:c r="B1" t="inlineStr"><x:is><x:t><![CDATA[é <b>]]></x:t></x:is></x:c></x:row>',
      '</x:sheetData ><x:pageMargins left="1"/></x:worksheet>\n<!-- made -->\n',
    ].join('')
    const texts = '<si/><si><r><t>a</t></r></si>'
    expect(await read(withSheet({ content, isStored: true }, texts))).toEqual([
      { number: 1, width: 2, cells: ['a', 'é <b>'] },
    ])
  })

  test('up to the most rows and columns', async () => {
    const rows = Array.from({ length: 200 }, (_, row) => `<row r="${row + 1}"><c r="J${row + 1}"><v>1</v></c></row>`)
    const found = await read(sheetParts({ rows: rows.join('') }))
    expect(found).toHaveLength(100)
    expect(found[0]).toEqual({ number: 1, width: 10, cells: ['', '', '', '', ''] })
  })
})

describe('of a file that is made to do harm', () => {
  const good = makeZip(sheetParts({ rows: '<row r="1"><c r="A1"><v>1</v></c></row>' }))
  const directoryAt = good.readUInt32LE(good.length - 6)
  const changed = (change: (bytes: Buffer) => void): Buffer => {
    const bytes = Buffer.from(good)
    change(bytes)
    return bytes
  }

  const storedWithOneByte = makeZip(
    sheetParts({ rows: '<row r="1"><c r="A1"><v>1001</v></c></row>' }).map((part) => ({ ...part, isStored: true })),
  )
  storedWithOneByte.write('2', storedWithOneByte.indexOf('1001'))

  test.each<[what: string, bytes: Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('product_remote_id,quantity\n'.repeat(10))],
    ['an old xls', Buffer.from('d0cf11e0a1b11ae1'.padEnd(1024, '0'), 'hex')],
    ['half of a file', good.subarray(0, good.length / 2)],
    ['a file with something behind', Buffer.concat([good, Buffer.from('more')])],
    ['a directory somewhere else', changed((bytes) => bytes.writeUInt32LE(3, bytes.length - 6))],
    ['a part that is broken', changed((bytes) => bytes.fill(0xff, 60, 120))],
    ['a part without a size', changed((bytes) => bytes.writeUInt32LE(0, directoryAt + 24))],
    ['no sheet', makeZip(sheetParts({}).slice(0, 5))],
    ['a zip of something else', makeZip([{ name: 'a.txt', content: 'a' }])],
    ['more than a part says that it has', makeZip(withSheet({ content: times(1_000_000, ' '), saidBytes: 100 }))],
    ['a million columns', makeZip(sheetParts({ rows: '<row r="1"><c r="BDWGN1"><v>1</v></c></row>' }))],
    [
      'more cells in a row than a sheet has columns',
      makeZip(sheetParts({ rows: `<row r="1">${times(20_000, '<c><v>1</v></c>')}</row>` })),
    ],
    [
      'half of a sheet',
      makeZip(withSheet({ content: `${sheetStart}<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c` })),
    ],
    ['a sheet that ends between two rows', makeZip(withSheet({ content: `${sheetStart}<row r="1"/>` }))],
    ['a row that does not end', makeZip(sheetParts({ rows: '<row r="1"><c r="A1"><v>1</v></c><row r="2"/>' }))],
    ['a byte of a part that is another one', storedWithOneByte],
    ['a cell of a text that is not there', makeZip(sheetParts({ rows: textCell(1), texts: '<si><t>a</t></si>' }))],
    ['a cell of a text, and no texts', makeZip(sheetParts({ rows: textCell(0) }).filter(isNoText))],
    ['a sheet of nothing but starts of tags', makeZip(sheetParts({ rows: times(2_000_000, '<') }))],
    ['a tag of a megabyte', makeZip(sheetParts({ rows: `<row ${times(300_000, 'a="1" ')}/>` }))],
    ['a row that has no number', makeZip(sheetParts({ rows: '<row r="first"><c><v>1</v></c></row>' }))],
  ])('%s is unreadable', async (_what, bytes) => expect(await refusal(bytes)).toBe('UnreadableSheet'))

  const text = 'x'.repeat(1_000_000)
  test.each<[what: string, parts: readonly ZipPart[]]>([
    ['a part of 2 GB', withSheet({ saidBytes: 2 ** 31 })],
    ['parts of 1 MB, 40 of them', Array.from({ length: 40 }, (_, part) => ({ name: `${part}`, content: text }))],
    [
      'one text in many cells',
      sheetParts({ rows: times(90, '<row><c t="s"><v>0</v></c></row>'), texts: `<si><t>${text}</t></si>` }),
    ],
    ['a column far to the right, in each of 300 rows', sheetParts({ rows: times(300, '<row><c r="XFD1"/></row>') })],
  ])('%s is too large', async (_what, parts) => expect(await refusal(makeZip(parts))).toBe('SheetTooLarge'))

  test('what would take longer than it may is too large', async () => {
    // A thread does not start in that time.
    await expect(readXlsx(good, limits, 1)).rejects.toThrow('It takes more than 1 ms.')
  })
})
