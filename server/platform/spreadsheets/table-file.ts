/** What can be written. */
export const tableFormats = ['xls', 'csv', 'xlsx'] as const
export type TableFormat = (typeof tableFormats)[number]

/** How the cells of a column are kept in xls and xlsx. In csv all are texts. */
export type CellType = 'text' | 'number' | 'time'

export interface TableColumn {
  readonly name: string
  readonly type: CellType
}

/** Rows below the header that a sheet of BIFF8 (xls) holds. */
export const maxRowsOfXls = 65_535

/** Rows below the header that a file of a format holds. */
export const maxRowsOf: Readonly<Record<TableFormat, number>> = {
  xls: maxRowsOfXls,
  csv: Number.POSITIVE_INFINITY,
  xlsx: 1_048_575,
}

/** More rows than a file of the format holds. */
export class TooManyRows extends Error {
  override readonly name = 'TooManyRows'
  readonly format: TableFormat
  /** How many there are; of a file that was begun, how many had come when it was given up. */
  readonly rows: number

  constructor(format: TableFormat, rows: number) {
    super(`A file of the format ${format} holds ${maxRowsOf[format]} rows, these are ${rows} or more.`)
    this.format = format
    this.rows = rows
  }
}

/**
 * Spreadsheet programs take a csv cell that begins so for a formula, which may read other cells and send them away (OWASP,
 * "CSV Injection"). Some take the full-width forms for the same. A leading `'` makes it a text. In xls and xlsx a text is a text.
 */
export const formulaStarts = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n'] as const

/**
 * Where a spreadsheet that takes another character than the comma to part cells begins a new one, in the middle of a text: for it a
 * quote that is not first in a cell is a character like others, so being in quotes does not protect the text. Quotes may follow.
 */
export const cellStarts = [';', '\t', '\r', '\n'] as const

export interface TableFile {
  readonly format: TableFormat
  readonly columns: readonly TableColumn[]
  /**
   * The rows as `COPY … TO STDOUT (FORMAT csv)` writes them in UTF-8, without a header, cut anywhere: numbers as decimals,
   * times as `YYYY-MM-DDTHH:MM:SS.mmmZ`, null as nothing, an empty text as `""`. For csv the texts are already safe for
   * spreadsheets (`formulaStarts`). Nothing is read ahead of what can be written; they should end when `signal` does.
   */
  readonly rows: AsyncIterable<Buffer>
  /** Where the file is written; what is there is replaced. What is there after a failure is for the caller to remove. */
  readonly path: string
  readonly signal: AbortSignal
  /** Called a few times a second with the number of rows that were taken. */
  readonly onProgress: (rows: number) => void
}

/** What was written. */
export interface Written {
  readonly rows: number
  readonly bytes: number
}

export const contentTypeOf: Readonly<Record<TableFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}
