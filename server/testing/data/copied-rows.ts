/** Rows as `COPY … TO STDOUT (FORMAT csv)` writes them. */
export const copied = (rows: readonly (readonly (string | null)[])[]): string =>
  rows.map((row) => `${row.map(copiedField).join(',')}\n`).join('')

const copiedField = (text: string | null): string => {
  if (text === null) return ''
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
