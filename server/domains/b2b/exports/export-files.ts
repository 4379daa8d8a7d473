import type { TableFile, TableFormat, Written } from '#platform/spreadsheets/table-file.ts'

/** Makes files of tables and keeps them until they are fetched. */
export interface ExportFiles {
  /** Writes a table on this machine. @throws TooManyRows; whatever reading the rows throws. */
  write(key: string, table: Omit<TableFile, 'path'>): Promise<Written>
  /** Puts what was written under its key where everybody finds it, whole or not at all. */
  keep(key: string, options: { readonly format: TableFormat; readonly signal: AbortSignal }): Promise<void>
  /** Removes what there is of it, written or kept. */
  remove(key: string): Promise<void>
}
