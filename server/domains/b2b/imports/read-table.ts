import { AppError } from '#platform/errors.ts'
import type { ReadFormat } from '#platform/http/table-body.ts'
import { readXlsx, SheetTooLarge, UnreadableSheet } from '#platform/spreadsheets/read-xlsx.ts'
import { unescapeFormulas } from '#platform/spreadsheets/formulas.ts'
import { readCsv } from './read-csv.ts'
import { knownColumns, maxRows, tableOf, type Columns, type CsvTable, type TableRecord } from './table.ts'

/**
 * Reads a table of either format: that of the first sheet, as csv would have it. What exports made safe for spreadsheets is as it
 * was. @throws AppError 400 when it is none, or when its columns are not these; 413 when it is too large.
 */
export const readTable = async (format: ReadFormat, bytes: Buffer, columns: Columns): Promise<CsvTable> =>
  format === 'xlsx' ? tableOf(await recordsIn(bytes, columns), columns) : withoutEscapes(readCsv(bytes, columns))

const withoutEscapes = (table: CsvTable): CsvTable => ({
  ...table,
  rows: table.rows.map(({ number, cells }) => ({
    number,
    cells: Object.fromEntries(Object.entries(cells).map(([column, cell]) => [column, unescapeFormulas(cell)])),
  })),
})

/** A sheet does not say how wide it is: a row has at least the cells of the header. */
const recordsIn = async (bytes: Buffer, columns: Columns): Promise<TableRecord[]> => {
  // As many names as a header is looked at with.
  const maxColumns = 2 * knownColumns(columns).length + 1
  const rows = await sheetOf(bytes, { maxRows: 1 + maxRows + 1, maxColumns })
  const [header] = rows
  return rows.map(({ number, width, cells }) => ({ number, cells, width: Math.max(width, header?.width ?? 0) }))
}

const sheetOf: typeof readXlsx = async (bytes, limits) => {
  try {
    return await readXlsx(bytes, limits)
  } catch (error) {
    if (error instanceof UnreadableSheet)
      throw new AppError('xlsx_unreadable', 400, 'The file is not an xlsx that can be read.', { cause: error })
    if (error instanceof SheetTooLarge)
      throw new AppError(
        'too_large',
        413,
        'Reading the file takes more memory or time than it may. Send it in parts.',
        { cause: error },
      )
    throw error
  }
}
