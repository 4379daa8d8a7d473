import type { RowError } from './read-csv.ts'

/** What became of the rows of a table. */
export interface Outcome {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly errors: readonly RowError[]
}

/** Errors that are told of one table. Whoever has more has one cause for most of them. */
const maxErrors = 1_000

/** The answer of an import: the errors in the order of rows. */
export const toResult = ({ created, updated, unchanged, errors }: Outcome, isDryRun: boolean) => ({
  dry_run: isDryRun,
  created,
  updated,
  unchanged,
  failed: new Set(errors.map(({ row }) => row)).size,
  errors: errors.toSorted((one, other) => one.row - other.row).slice(0, maxErrors),
})

/** Splits rows into the first of each key, and errors of the others. `keyOf` is what may not come twice, in `column`. */
export const refuseRepeated = <T extends { readonly row: number }>(
  rows: readonly T[],
  column: string,
  keyOf: (row: T) => string,
): { readonly first: readonly T[]; readonly errors: readonly RowError[] } => {
  const rowOf = new Map<string, number>()
  for (const one of rows) if (!rowOf.has(keyOf(one))) rowOf.set(keyOf(one), one.row)
  const isFirst = (one: T): boolean => rowOf.get(keyOf(one)) === one.row
  return {
    first: rows.filter(isFirst),
    errors: rows
      .filter((one) => !isFirst(one))
      .map((one) => ({ row: one.row, column, message: `Row ${rowOf.get(keyOf(one))} has this already.` })),
  }
}
