import { AppError, invalidFields } from '#platform/errors.ts'

/** What a table of some kind may have in its columns. */
export interface Columns {
  readonly required: readonly string[]
  readonly optional: readonly string[]
  /** A table has at least one of these. */
  readonly oneOf?: readonly string[]
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

/** What a file has in one row, its header too. */
export interface TableRecord {
  /** As a spreadsheet counts. */
  readonly number: number
  readonly width: number
  /** All of them, or more than there are columns that a table may have. */
  readonly cells: readonly string[]
}

/** All columns that a table may have. */
export const knownColumns = ({ required, optional, oneOf = [] }: Columns): readonly string[] => [
  ...required,
  ...oneOf,
  ...optional,
]

/**
 * The table whose first record names its columns, in any order. Rows without content are left out.
 * @param records the header and the rows, at most one more than there may be.
 * @throws AppError 400 when its columns are not these; 413 when it has more than `maxRows` rows.
 */
export const tableOf = ([header, ...records]: readonly TableRecord[], columns: Columns): CsvTable => {
  const names = (header?.cells ?? []).map((name) => name.trim().toLowerCase())
  checkHeader(names, columns)
  if (records.length > maxRows)
    throw new AppError('too_large', 413, `The table has more than ${maxRows} rows. Send it in parts.`)
  const numbered = records.filter(({ cells }) => cells.some(Boolean))
  return {
    rows: numbered.flatMap(({ number, width, cells }) =>
      width === names.length
        ? [{ number, cells: Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])) }]
        : [],
    ),
    errors: numbered.flatMap(({ number, width }) =>
      width === names.length ? [] : [wrongWidth(number, width, names.length)],
    ),
  }
}

const checkHeader = (names: readonly string[], columns: Columns): void => {
  const { required, oneOf = [] } = columns
  const known = knownColumns(columns)
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
    ...(oneOf.length === 0 || oneOf.some((name) => names.includes(name))
      ? []
      : [[oneOf[0], `One of these columns is required: ${oneOf.join(', ')}.`]]),
  ] as const
  if (problems.length === 0) return
  throw invalidFields(Object.fromEntries(problems.map(([name = '', message = '']) => [name, [message]])))
}

const wrongWidth = (row: number, has: number, wanted: number): RowError => ({
  row,
  column: null,
  message: `The row has ${has} cells, and the header has ${wanted}.`,
})
