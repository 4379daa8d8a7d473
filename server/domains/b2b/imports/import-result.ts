import type { TSchema } from 'typebox'
import { compileFieldCheck } from '#platform/http/errors/field-errors.ts'
import { parseJsonBody, textProblem } from '#platform/http/json-body.ts'
import type { CsvRow, CsvTable, RowError } from './table.ts'

/** What became of the rows of a table. */
export interface Outcome {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly errors: readonly RowError[]
}

/** Errors that are told of one table. Whoever has more has one cause for most of them. */
export const maxErrors = 1_000

/** The answer of an import: the errors in the order of rows. */
export const toResult = ({ created, updated, unchanged, errors }: Outcome, isDryRun: boolean) => ({
  dry_run: isDryRun,
  created,
  updated,
  unchanged,
  failed: new Set(errors.map(({ row }) => row)).size,
  errors: errors.toSorted((one, other) => one.row - other.row).slice(0, maxErrors),
})

/** Reads the rows of a table; of rows with the same key the first counts. @param key its column, and how records have it. */
export const readRecords = <T extends { readonly row: number }>(
  { rows, errors }: CsvTable,
  readRow: (row: CsvRow) => T | RowError[],
  key: { readonly column: string; readonly of: (record: T) => string },
): { readonly records: readonly T[]; readonly errors: readonly RowError[] } => {
  const rowOf = new Map<string, number>()
  const records: T[] = []
  const wrong: RowError[] = []
  for (const row of rows) {
    const read = readRow(row)
    const first = Array.isArray(read) ? undefined : rowOf.get(key.of(read))
    if (Array.isArray(read)) wrong.push(...read)
    else if (first !== undefined)
      wrong.push({ row: read.row, column: key.column, message: `Row ${first} has this already.` })
    else {
      rowOf.set(key.of(read), read.row)
      records.push(read)
    }
  }
  return { records, errors: [...errors, ...wrong] }
}

/** A row as the fields of a record, or why it is none. */
type CheckedRow<T> = { readonly fields: T } | { readonly errors: readonly RowError[] }

/** What is written in cells for true and false. */
const booleans = new Map<string, boolean>(Object.entries({ true: true, false: false, 1: true, 0: false }))

/** The object that a cell has as JSON, an empty one for nothing; the text itself when it is none. */
const objectIn = (cell: string): unknown => {
  if (cell.trim() === '') return {}
  try {
    return parseJsonBody(Buffer.from(cell))
  } catch {
    return cell
  }
}

/**
 * Makes the check of rows by the schema of the record as a body.
 * @param booleanColumns columns of true and false. @param objectColumns columns of objects, as JSON.
 */
export const makeCheckRow = <T>(
  schema: TSchema,
  booleanColumns: readonly string[],
  objectColumns: readonly string[] = [],
) => {
  const check = compileFieldCheck(schema)
  const valueOf = (column: string, cell: string): unknown => {
    if (booleanColumns.includes(column)) return booleans.get(cell.toLowerCase()) ?? cell
    return objectColumns.includes(column) ? objectIn(cell) : cell
  }
  return ({ number, cells }: CsvRow): CheckedRow<T> => {
    const fields = Object.fromEntries(Object.entries(cells).map(([column, cell]) => [column, valueOf(column, cell)]))
    const problems = [...storable(cells), ...Object.entries(check(fields) ?? {})]
    if (problems.length === 0) return { fields: fields as T }
    // One problem of a cell is enough: the others follow from it, or come next time.
    return { errors: problems.map(([column, [message = '']]) => ({ row: number, column, message })) }
  }
}

const storable = (cells: CsvRow['cells']) =>
  Object.entries(cells).flatMap(([column, cell]) => {
    const problem = textProblem(cell)
    return problem === undefined ? [] : [[column, [problem]] as const]
  })
