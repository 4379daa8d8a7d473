import {
  CellRecords,
  endOfRecords,
  plainFormat,
  recordHeaderBytes,
  sheetEnd,
  sheetRecords,
  timeFormatIndex,
  workbookRecords,
} from './biff8.ts'
import { readCells, timeFormat, widthOf, type Cell } from './cells.ts'
import { compoundFile, maxStreamBytes, sectorBytes } from './compound-file.ts'
import { SharedStrings } from './shared-strings.ts'
import type { TableWriting } from './table-writing.ts'

const sheetName = 'Sheet1'

/**
 * BIFF8. The table of texts has to stand in front of the sheet, so texts are written while rows come, and their cells when all have
 * come. What depends on their number is left out in the beginning, and filled in at the end.
 */
export const writeXls = async (writing: TableWriting): Promise<void> => {
  const { columns, sink } = writing
  const strings = new SharedStrings((bytes) => sink.write(bytes))
  const cells = new CellRecords()
  const stringsAt = sectorBytes + workbookRecords(sheetName, timeFormat, 0).length
  sink.write(Buffer.alloc(stringsAt))

  let rows = 0
  const add = (row: readonly Cell[]): void => {
    for (const [column, value] of row.entries()) {
      if (typeof value === 'string') cells.addText(rows, column, strings.indexOf(value))
      else if (value !== null)
        cells.addNumber(rows, column, value, columns[column]?.type === 'time' ? timeFormatIndex : plainFormat)
    }
    rows += 1
    if (sink.bytes > maxTextBytes) throw new Error('An xls holds 2 GB, these texts are more.')
  }
  add(columns.map(({ name }) => name))
  for await (const row of readCells(writing)) add(row)

  const counts = strings.end()
  sink.write(endOfRecords)
  const sheetAt = sink.bytes - sectorBytes
  const widths = columns.map(({ type }) => widthOf[type])
  for (const bytes of [sheetRecords(widths, rows), ...cells.blocks, sheetEnd]) sink.write(bytes)
  const { header, trailer } = compoundFile(sink.bytes - sectorBytes)
  sink.write(trailer)
  sink.overwrite(header, 0)
  sink.overwrite(workbookRecords(sheetName, timeFormat, sheetAt), sectorBytes)
  sink.overwrite(counts, stringsAt + recordHeaderBytes)
}

/** Leaves room for the cells. */
const maxTextBytes = maxStreamBytes - 256 * 2 ** 20
