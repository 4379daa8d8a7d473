import { utils, write, type CellObject } from '@e965/xlsx'
import { readCells, timeFormat, widthOf, type Cell } from './cells.ts'
import type { TableColumn } from './table-file.ts'
import type { TableWriting } from './table-writing.ts'

/**
 * BIFF8, made whole in memory by the one library that can, with what patches/ changes in it: as it is published it takes 16 KB for
 * each cell, cuts texts at 255 characters, or, asked for the table of texts that BIFF8 has, never ends with one of 4,111.
 */
export const writeXls = async (writing: TableWriting): Promise<void> => {
  const { columns, sink } = writing
  const data: CellObject[][] = [columns.map(({ name }) => ({ t: 's', v: name }))]
  for await (const row of readCells(writing)) data.push(xlsRow(row, columns))
  const sheet = {
    '!data': data,
    '!ref': utils.encode_range({ s: { r: 0, c: 0 }, e: { r: data.length - 1, c: columns.length - 1 } }),
    '!cols': columns.map(({ type }) => ({ wch: widthOf[type] })),
  }
  const book = { SheetNames: [sheetName], Sheets: { [sheetName]: sheet } }
  sink.write(write(book, { bookType: 'biff8', type: 'buffer', bookSST: true }) as Buffer)
}

const sheetName = 'Sheet1'

/** A cell that is not there is empty. */
const xlsRow = (row: readonly Cell[], columns: readonly TableColumn[]): CellObject[] => {
  const cells: CellObject[] = []
  for (const [column, value] of row.entries()) {
    if (typeof value === 'string') cells[column] = { t: 's', v: value }
    else if (value !== null)
      cells[column] = columns[column]?.type === 'time' ? { t: 'n', v: value, z: timeFormat } : { t: 'n', v: value }
  }
  return cells
}
