import type { TSchema } from 'typebox'
import { compileFieldCheck } from '#platform/http/errors/field-errors.ts'
import { textProblem } from '#platform/http/json-body.ts'
import type { CsvRow, RowError } from './read-csv.ts'

/** A row as the fields of a record, or why it is none. */
export type CheckedRow<T> = { readonly fields: T } | { readonly errors: readonly RowError[] }

/** What is written in cells for true and false. */
const booleans = new Map<string, boolean>(Object.entries({ true: true, false: false, 1: true, 0: false }))

/** Makes the check of rows by the schema of the record as a body. @param booleanColumns columns of true and false. */
export const makeCheckRow = <T>(schema: TSchema, booleanColumns: readonly string[]) => {
  const check = compileFieldCheck(schema)
  return ({ number, cells }: CsvRow): CheckedRow<T> => {
    const fields = Object.fromEntries(
      Object.entries(cells).map(([column, cell]) => [
        column,
        booleanColumns.includes(column) ? (booleans.get(cell.toLowerCase()) ?? cell) : cell,
      ]),
    )
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
