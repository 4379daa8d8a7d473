/** What stands in the rows of a table (RFC 4180, with commas, semicolons or tabs), to show what a row is that is wrong. */
export const readCsv = (text: string): readonly (readonly string[])[] => {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain = '', end = ''] of text.matchAll(cellOf(text))) {
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end.length === 1 && end !== '\n') continue
    rows.push(row)
    row = []
  }
  // Behind the last line break there is no row; empty lines before it count, as they do for the server.
  return rows.at(-1)?.join() === '' ? rows.slice(0, -1) : rows
}

/** A cell with what follows it: the separator that the first line has, or the end of its row. What is no table is told by the server. */
const cellOf = (text: string): RegExp => {
  const [first = ''] = text.split('\n', 1)
  const separator = [';', '\t'].find((one) => first.includes(one)) ?? ','
  return new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`, 'gy')
}
