import { writeXlsxStream } from 'hucre/xlsx'
import { readCells, timeFormat, widthOf, type Cell } from './cells.ts'
import type { CellType } from './table-file.ts'
import type { TableWriting } from './table-writing.ts'

/** Office Open XML, written while rows come. */
export const writeXlsx = async (writing: TableWriting): Promise<void> => {
  const file = writeXlsxStream(xlsxRows(writing), {
    name: 'Sheet1',
    columns: writing.columns.map(({ type }) => columnOf[type]),
    freezePane: { rows: 1 },
  })
  for await (const bytes of file) writing.sink.write(bytes)
}

const columnOf = {
  text: { width: widthOf.text },
  number: { width: widthOf.number },
  time: { width: widthOf.time, style: { numFmt: timeFormat } },
} as const satisfies Record<CellType, object>

async function* xlsxRows(writing: TableWriting): AsyncGenerator<Cell[]> {
  yield writing.columns.map(({ name }) => escaped(name))
  for await (const row of readCells(writing)) yield row.map((cell) => (typeof cell === 'string' ? escaped(cell) : cell))
}

/**
 * The library writes control characters as the standard has it, `_x000B_`, but not what looks like that and is none
 * (ECMA-376 part 1, 22.9.2.19), nor the two other characters that XML has no place for.
 */
const escaped = (text: string): string =>
  text
    .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[\uFFFE\uFFFF]/g, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase()}_`)
