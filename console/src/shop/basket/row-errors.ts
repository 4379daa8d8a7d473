/** What is wrong with a row of a table, counted as a spreadsheet does. */
export interface RowError {
  readonly row: number
  readonly column: string
  readonly message: string
}

interface TableErrors {
  readonly rows: readonly RowError[]
  /** What is wrong with the table itself. */
  readonly others: readonly string[]
}

/** The errors of a table by the names that the API gives them, as in `rows.2.quantity`; rows in their order. */
export const tableErrors = (fields: Readonly<Record<string, string>>): TableErrors => {
  const rows: RowError[] = []
  const others: string[] = []
  for (const [name, message] of Object.entries(fields)) {
    const [, row, column] = /^rows\.(\d+)\.(.+)$/.exec(name) ?? []
    if (row === undefined || column === undefined) others.push(message)
    else rows.push({ row: Number(row), column, message })
  }
  return { rows: rows.toSorted((one, other) => one.row - other.row), others }
}
