/** A row of a file, with the number that a spreadsheet and the server give it. */
export interface TableRow {
  readonly number: number
  readonly cells: readonly string[]
}

/** A file as its rows, to show it and to mend it. */
export interface Table {
  /** As the file has them. */
  readonly header: readonly string[]
  readonly rows: readonly TableRow[]
}

/** What separates the cells, as the server decides it too. */
const delimiterOf = (text: string): string => {
  const header = /[^\r\n]+/.exec(text)?.[0] ?? ''
  return [',', ';', '\t'].find((delimiter) => header.includes(delimiter)) ?? ','
}

/** Reads a csv with the parser that the server has too, so that rows have the same numbers. @throws what is wrong with it as csv */
export const readTable = async (text: string): Promise<Table> => {
  const { parse } = await import('csv-parse/browser/esm/sync')
  const found: TableRow[] = []
  parse(text, {
    bom: true,
    delimiter: delimiterOf(text),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    on_record: (cells: string[], { records, empty_lines: empty }) =>
      void found.push({ number: records + empty, cells }),
  })
  const [header, ...rows] = found
  return {
    header: header?.cells ?? [],
    rows: rows.filter(({ cells }) => cells.some((cell) => cell !== '')),
  }
}

const quoted = (cell: string): string => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A table as csv, each row where it was: what stood empty between them is a line without cells. */
export const writeTable = ({ header, rows }: Table): string => {
  let at = 0
  const lines = [{ number: 1, cells: header }, ...rows].map(({ number, cells }) => {
    const gap = '\r\n'.repeat(Math.max(0, number - at - 1))
    at = number
    return `${gap}${cells.map(quoted).join(',')}\r\n`
  })
  return lines.join('')
}

/** A table with another text in one of its cells. */
export const withCell = (table: Table, number: number, column: number, text: string): Table => ({
  ...table,
  rows: table.rows.map((row) => (row.number === number ? { ...row, cells: row.cells.with(column, text) } : row)),
})

/** Names of columns as the server compares them. */
export const nameOf = (column: string): string => column.trim().toLowerCase()
