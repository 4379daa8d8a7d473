import { limitConcurrency } from '../limit-concurrency.ts'
import { escapeFormulas } from './formulas.ts'
import type { TableColumn, TableFormat } from './table-file.ts'
import { TableThread } from './table-thread-handle.ts'
import { memoryMbOf } from './write-table-file.ts'

/** A table that is small enough to be in memory, all of it at once. */
export interface SmallTable {
  readonly format: TableFormat
  readonly columns: readonly TableColumn[]
  /** Decimals in columns of numbers, of any length; texts are made safe for spreadsheets here. */
  readonly rows: readonly (readonly string[])[]
}

const limited = limitConcurrency(2)

/** A small table as the bytes of a file, made by a thread as larger ones are, so that nobody waits for it but whoever wants it. */
export const writeTableBytes = (table: SmallTable): Promise<Buffer> => limited(() => writeInThread(table))

const writeInThread = async ({ format, columns, rows }: SmallTable): Promise<Buffer> => {
  const thread = new TableThread({ format, columns }, { memoryMb: memoryMbOf[format], onProgress: () => undefined })
  const feeding = thread.feed(copied(rows, format))
  try {
    const [{ content = Buffer.alloc(0) }] = await Promise.all([thread.written, feeding])
    return Buffer.from(content.buffer, content.byteOffset, content.length)
  } catch (error) {
    thread.fail(error)
    throw error
  } finally {
    await Promise.allSettled([feeding, thread.ended])
  }
}

/** Rows that stand in one block: whoever waits for the processor gets it in between. */
const rowsAtOnce = 500

/** As the database would copy them out. */
async function* copied(rows: SmallTable['rows'], format: TableFormat): AsyncGenerator<Buffer> {
  const safe = format === 'csv' ? escapeFormulas : (text: string) => text
  const cell = (text: string): string => `"${safe(text).replaceAll('"', '""')}"`
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const lines = rows.slice(at, at + rowsAtOnce).map((row) => `${row.map(cell).join(',')}\n`)
    yield Buffer.from(lines.join(''))
    await new Promise(setImmediate)
  }
}
