import { CsvError, parse } from 'csv-parse/sync'
import { AppError } from '#platform/errors.ts'
import { maxRows, tableOf, type Columns, type CsvTable, type TableRecord } from './table.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a table (RFC 4180) whose first row names its columns, in any order. Line ends of any kind, a byte order mark, and
 * `;` or tab in the place of commas, as spreadsheets write them in some countries, are fine; rows without content are left out.
 * @throws AppError 400 when it is no such table, or when its columns are not these; 413 when it has more than `maxRows` rows.
 */
export const readCsv = (bytes: Buffer, columns: Columns): CsvTable => tableOf(recordsIn(textOf(bytes)), columns)

const textOf = (bytes: Buffer): string => {
  try {
    return decoder.decode(bytes)
  } catch {
    throw unreadable('The table is not text in UTF-8.')
  }
}

const unreadable = (message: string): AppError => new AppError('csv_unreadable', 400, message)

/** The header and the rows, one more than there may be at most. */
const recordsIn = (text: string): TableRecord[] => {
  const found: TableRecord[] = []
  try {
    parse(text, {
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      // The parser makes an error with its stack for every record of another width than the first, also where it lets that pass:
      // a megabyte of them, or of empty lines, would take a minute.
      relax_column_count: true,
      skip_empty_lines: true,
      to: 1 + maxRows + 1,
      on_record: (cells, { records, empty_lines: empty }) =>
        void found.push({ number: records + empty, width: cells.length, cells }),
    })
    return found
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const { lines } = error as { readonly lines?: number }
    const where = lines === undefined ? '' : `Line ${lines}: `
    throw unreadable(`${where}${sayings[error.code] ?? 'this is not CSV.'}`)
  }
}

const sayings: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed.',
  INVALID_OPENING_QUOTE: 'a quote stands inside of a cell that does not begin with one; double it, and quote the cell.',
  CSV_INVALID_CLOSING_QUOTE: 'after a closing quote the cell goes on; a quote inside of a cell is doubled.',
}

/** What separates the names of the columns, none of which has it inside. */
const delimiterOf = (text: string): string => {
  const header = /[^\r\n]+/.exec(text)?.[0] ?? ''
  return [',', ';', '\t'].find((delimiter) => header.includes(delimiter)) ?? ','
}
