import { parentPort, workerData } from 'node:worker_threads'
import { streamXlsxRows } from 'hucre/xlsx'
import { checkSheets } from './check-sheets.ts'
import { lowerPriority } from './lower-priority.ts'
import { unfoldParts } from './unfold-parts.ts'
import { SheetTooLarge, UnreadableSheet } from './unfolded-size.ts'

/** Reads one file that a stranger sent, in a thread of its own: whatever it does there ends with the thread. */

/** A row of a sheet that has something in it. */
export interface SheetRow {
  /** As a spreadsheet counts, from 1. */
  readonly number: number
  /** Cells up to the last one with something in it; there may be more of them than `cells`. */
  readonly width: number
  /** As texts: what csv would have. Those behind the most columns are left out. */
  readonly cells: readonly string[]
}

export interface XlsxReading {
  /** Its directory was looked at. */
  readonly bytes: Uint8Array
  readonly maxRows: number
  readonly maxColumns: number
}

export type FromReadingThread =
  | { readonly kind: 'read'; readonly rows: readonly SheetRow[] }
  | { readonly kind: 'unreadable' | 'too large'; readonly message: string }

/** Texts of all cells. One text can stand in many cells, and goes to the other thread once for each. */
const maxCharacters = 8 * 1024 ** 2

/** Cells, also those with nothing in them: one far to the right brings 16,000 of them. */
const maxCells = 4_000_000

const read = async ({ bytes, maxRows, maxColumns }: XlsxReading): Promise<SheetRow[]> => {
  const rows: SheetRow[] = []
  let [cellsRead, characters] = [0, 0]
  checkSheets([...unfoldParts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))])
  for await (const { index, values } of streamXlsxRows(bytes)) {
    cellsRead += values.length
    if (cellsRead > maxCells) throw new SheetTooLarge(`It has more than ${maxCells} cells.`)
    const width = values.findLastIndex((value) => value !== null && value !== '') + 1
    if (width === 0) continue
    if (!Number.isSafeInteger(index) || index < 0) throw new UnreadableSheet('A row has an odd number.')
    const cells = values.slice(0, Math.min(width, maxColumns)).map(textOf)
    characters += cells.reduce((sum, cell) => sum + cell.length, 0)
    if (characters > maxCharacters) throw new SheetTooLarge(`Its cells have more than ${maxCharacters} characters.`)
    rows.push({ number: index + 1, width, cells })
    if (rows.length === maxRows) break
  }
  return rows
}

type Value = string | number | boolean | Date | null

/** What csv has in the place of a value. */
const textOf = (value: Value): string => {
  if (value === null) return ''
  if (!(value instanceof Date)) return String(value)
  return Number.isNaN(value.getTime()) ? '' : value.toISOString()
}

const answer = async (reading: XlsxReading): Promise<FromReadingThread> => {
  try {
    return { kind: 'read', rows: await read(reading) }
  } catch (error) {
    if (error instanceof SheetTooLarge) return { kind: 'too large', message: error.message }
    // Whatever the library says of the file: it is made for files that are right.
    return { kind: 'unreadable', message: error instanceof Error ? error.message : String(error) }
  }
}

if (parentPort === null) throw new Error('This module runs in a thread.')
const port = parentPort
await lowerPriority()
port.postMessage(await answer(workerData as XlsxReading))
port.close()
