import { spawnSync } from 'node:child_process'
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { copied } from '#testing/data/copied-rows.ts'
import { readWithPython, type ReadCell } from '#testing/processes/python.ts'
import { CopiedRows } from './copied-rows.ts'
import { maxRowsOf, type TableColumn } from './table-file.ts'
import { writeTableFile } from './write-table-file.ts'

// The largest files, whole, by other programs: before a release (TEST_EVERYTHING=1), because they take minutes.

const directory = mkdtempSync(join(tmpdir(), 'waybill-everything-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const hasLibreOffice = spawnSync('soffice', ['--version']).status === 0

const columns: readonly TableColumn[] = [
  { name: 'text', type: 'text' },
  { name: 'total_amount', type: 'number' },
  { name: 'created_at', type: 'time' },
]
const files = [
  { format: 'xls', rows: maxRowsOf.xls },
  { format: 'xlsx', rows: 1_000_000 },
] as const

const alphabets = ['plain, "quoted"', 'ünder', '漢字', '👩‍👩‍👧 𝒳']
const textOf = (row: number): string => {
  const text = `${alphabets[row % alphabets.length]} ${row} `
  if (row % 10_000 === 1) return text.repeat(1000)
  return row % 100 === 0 ? text.repeat(60) : text
}
const timeOf = (row: number): string => new Date(Date.UTC(2020, 0, 1) + row * 61_000).toISOString()
const numberOf = (row: number): string => ((row - 1000) * 1.37).toFixed(2)

const write = async (format: 'xls' | 'xlsx', count: number): Promise<string> => {
  const path = join(directory, `table.${format}`)
  async function* rows(): AsyncGenerator<Buffer> {
    for (let row = 0; row < count; row += 1) yield Buffer.from(copied([[textOf(row), numberOf(row), timeOf(row)]]))
  }
  await writeTableFile({
    format,
    columns,
    rows: rows(),
    path,
    signal: AbortSignal.timeout(600_000),
    onProgress: () => undefined,
  })
  return path
}

/** The rows of the sheet below its header, as LibreOffice writes them to csv: times without fractions. */
async function* readWithLibreOffice(path: string): AsyncGenerator<readonly (string | null)[]> {
  const profile = pathToFileURL(join(directory, 'profile')).href
  const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false'
  const args = [`-env:UserInstallation=${profile}`, '--headless', '--convert-to', filter, '--outdir', directory, path]
  const { status, stderr } = spawnSync('soffice', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`LibreOffice could not read the file: ${stderr}`)
  const lines = new CopiedRows(columns.length)
  const csv = join(directory, basename(path).replace(/\.\w+$/, '.csv'))
  let isHeader = true
  for await (const block of createReadStream(csv))
    for (const row of lines.read(block as Buffer)) {
      if (!isHeader) yield row
      isHeader = false
    }
  lines.end()
}

describe.runIf(process.env['TEST_EVERYTHING'] !== undefined).each(files)(
  '$rows rows as $format',
  ({ format, rows }) => {
    test('are all read by Python as they were written', { timeout: 1_800_000 }, async () => {
      const [, ...read] = readWithPython(format, await write(format, rows))
      expect(read).toHaveLength(rows)
      const isWrong = (cells: readonly ReadCell[], row: number): boolean =>
        JSON.stringify(cells) !==
        JSON.stringify([textOf(row), { number: Number(numberOf(row)) }, { time: timeOf(row) }])
      expect(read.filter(isWrong).slice(0, 3)).toEqual([])
    })

    test.runIf(hasLibreOffice)(
      'are all read by LibreOffice (Debian: libreoffice-calc-nogui) as they were written',
      { timeout: 1_800_000 },
      async () => {
        const wrong: unknown[] = []
        let row = 0
        for await (const [text, number, time] of readWithLibreOffice(await write(format, rows))) {
          const written = `${timeOf(row).slice(0, 10)} ${timeOf(row).slice(11, 19)}`
          if (text !== textOf(row) || Number(number) !== Number(numberOf(row)) || time !== written)
            wrong.push([row, time])
          row += 1
        }
        expect(wrong.slice(0, 3)).toEqual([])
        expect(row).toBe(rows)
      },
    )
  },
)
