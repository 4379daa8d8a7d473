import type { TableFile, Written } from '#platform/spreadsheets/table-file.ts'

/** Makes files of tables and keeps them until they are fetched. */
export interface ExportFiles {
  /** Writes a table, and keeps it under a key once it is whole. @throws TooManyRows; whatever reading the rows throws. */
  write(key: string, table: Omit<TableFile, 'path'>): Promise<Written>
  remove(key: string): Promise<void>
}
