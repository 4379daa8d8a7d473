import { CsvError, parse } from 'csv-parse/sync'
import { AppError, invalidFields } from '#platform/errors.ts'

/** What a table of some kind may have in its columns. */
export interface Columns {
  readonly required: readonly string[]
  readonly optional: readonly string[]
}

/** One row under the header; it has a cell for each column that the header names. */
export interface CsvRow {
  /** As a spreadsheet counts: the header is row 1. */
  readonly number: number
  readonly cells: Readonly<Record<string, string>>
}

/** A row that could not be taken, and why. `column` is null when it is about the row as a whole. */
export interface RowError {
  readonly row: number
  readonly column: string | null
  readonly message: string
}

export interface CsvTable {
  readonly rows: readonly CsvRow[]
  /** Of rows that have more or fewer cells than the header. */
  readonly errors: readonly RowError[]
}

/** Rows of one table, without empty lines. They are checked and compared at one go, and everybody else waits meanwhile. */
export const maxRows = 20_000

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a table (RFC 4180) whose first row names its columns, in any order. Line ends of any kind, a byte order mark, and
 * `;` or tab in the place of commas, as spreadsheets write them in some countries, are fine; rows without content are left out.
 * @throws AppError 400 when it is no such table, or when its columns are not these; 413 when it has more than `maxRows` rows.
 */
export const readCsv = (bytes: Buffer, columns: Columns): CsvTable => {
  const [header, ...records] = recordsIn(textOf(bytes))
  const names = (header?.cells ?? []).map((name) => name.trim().toLowerCase())
  checkHeader(names, columns)
  if (records.length > maxRows)
    throw new AppError('too_large', 413, `The table has more than ${maxRows} rows. Send it in parts.`)
  const numbered = records.filter(({ cells }) => cells.some(Boolean))
  return {
    rows: numbered.flatMap(({ number, cells }) =>
      cells.length === names.length
        ? [{ number, cells: Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])) }]
        : [],
    ),
    errors: numbered.flatMap(({ number, cells }) =>
      cells.length === names.length ? [] : [wrongWidth(number, cells.length, names.length)],
    ),
  }
}

const textOf = (bytes: Buffer): string => {
  try {
    return decoder.decode(bytes)
  } catch {
    throw unreadable('The table is not text in UTF-8.')
  }
}

const unreadable = (message: string): AppError => new AppError('csv_unreadable', 400, message)

/** The header and the rows, one more than there may be at most. */
const recordsIn = (text: string) => {
  const found: { readonly number: number; readonly cells: readonly string[] }[] = []
  try {
    parse(text, {
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      // The parser makes an error with its stack for every record of another width than the first, also where it lets that pass:
      // a megabyte of them, or of empty lines, would take a minute.
      relax_column_count: true,
      skip_empty_lines: true,
      to: 1 + maxRows + 1,
      on_record: (cells, { records, empty_lines: empty }) => void found.push({ number: records + empty, cells }),
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

const checkHeader = (names: readonly string[], { required, optional }: Columns): void => {
  const known = [...required, ...optional]
  const list = known.join(', ')
  // What follows compares each with each: a megabyte of names would take a minute.
  if (names.length > 2 * known.length)
    throw invalidFields({ header: [`It has ${names.length} columns. There are: ${list}.`] })
  const problems = [
    ...names
      .filter((name) => !known.includes(name))
      .map((name) => [name, `There is no such column. There are: ${list}.`]),
    ...names
      .filter((name, index) => names.indexOf(name) !== index)
      .map((name) => [name, 'This column is there twice.']),
    ...required.filter((name) => !names.includes(name)).map((name) => [name, 'This column is required.']),
  ] as const
  if (problems.length === 0) return
  throw invalidFields(Object.fromEntries(problems.map(([name = '', message = '']) => [name, [message]])))
}

const wrongWidth = (row: number, has: number, wanted: number): RowError => ({
  row,
  column: null,
  message: `The row has ${has} cells, and the header has ${wanted}.`,
})
