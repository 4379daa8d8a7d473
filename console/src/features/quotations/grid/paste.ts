/** The cells of a range that was copied in a spreadsheet: rows of tabs, with quotes around what has tabs or ends of lines. */
export const parseCells = (text: string): readonly (readonly string[])[] => {
  const rows: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/gy
  for (let found = cell.exec(text); found !== null; found = cell.exec(text)) {
    const [, quoted, plain = '', end] = found
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '') break
    if (end !== '\t') rows.push([])
  }
  // Spreadsheets end the last row too.
  return rows.length > 1 && rows.at(-1)?.join('') === '' ? rows.slice(0, -1) : rows
}

const needsQuotes = /["\t\r\n]/

/** Cells as spreadsheets take them. */
export const writeCells = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((row) => row.map((text) => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join('\t'))
    .join('\n')

/** A row of a sheet that says how many of a product. */
export interface SheetRow {
  /** Where it stands, from 1. */
  readonly row: number
  readonly sku: string
  /** As it was given. */
  readonly text: string
  /** By the divisions of the grid in their order; undefined: no whole number. */
  readonly quantities: readonly (number | undefined)[]
}

const whole = /^\d{1,3}(?:[.,\s\u00A0]?\d{3})*$/

/** A count of pieces; an empty cell is none. undefined: no whole number. */
export const parseQuantity = (text: string): number | undefined => {
  const given = text.trim()
  if (given === '') return 0
  if (!whole.test(given)) return undefined
  return Number(given.replaceAll(/\D/g, ''))
}

/** Reads rows of sku and quantities, parted by tabs or semicolons; a first row of words is a heading. */
export const parseSheet = (text: string): readonly SheetRow[] => {
  const rows = parseCells(text.includes('\t') ? text : text.replaceAll(';', '\t'))
  return rows.flatMap(([sku = '', ...cells], index) => {
    const quantities = cells.map(parseQuantity)
    const isHeading = index === 0 && quantities.every((one) => one === undefined)
    if (sku.trim() === '' || isHeading) return []
    return [{ row: index + 1, sku: sku.trim(), text: [sku, ...cells].join('\t'), quantities }]
  })
}
