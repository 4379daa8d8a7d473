import { CrlfLines } from './crlf-lines.ts'
import type { TableWriting } from './table-writing.ts'

/** Excel takes a file without it for one in the code page of the machine. */
const byteOrderMark = '\uFEFF'

/** RFC 4180: rows come as they are to be, but for the ends of their lines, and lines that would be empty. */
export const writeCsv = async ({ columns, blocks, sink, progress }: TableWriting): Promise<void> => {
  sink.write(Buffer.from(`${byteOrderMark}${columns.map(({ name }) => headerField(name)).join(',')}\r\n`))
  const lines = new CrlfLines()
  for await (const block of blocks) {
    const rowsBefore = lines.rows
    sink.write(lines.convert(block))
    progress.add(lines.rows - rowsBefore)
  }
  lines.end()
}

const headerField = (name: string): string => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)
