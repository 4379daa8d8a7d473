export { makeCheckRow } from './import-result.ts'
export { importRoutes } from './import-routes.ts'
export { readRecords, type Outcome } from './import-result.ts'
export type { CsvRow, CsvTable, RowError } from './read-csv.ts'
