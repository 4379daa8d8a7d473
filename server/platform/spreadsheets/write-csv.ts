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

const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** A row whose only cell is nothing. Readers leave out lines that are empty. */
const emptyRow = Buffer.from('""')

/**
 * Turns the line ends of csv from LF into CRLF, as RFC 4180 has them, and leaves those inside of quotes, which belong to a text.
 * A quote inside of quotes is doubled, so it closes and opens them at once and needs no care. Blocks are cut anywhere.
 */
export class CrlfLines {
  #rows = 0
  #isQuoted = false
  #isRowOpen = false
  #out = Buffer.alloc(0)

  get rows(): number {
    return this.#rows
  }

  /** @returns bytes that are good until the next call. */
  convert(block: Buffer): Buffer {
    if (block.length === 0) return block
    // Each byte may be an empty row.
    if (this.#out.length < 4 * block.length) this.#out = Buffer.allocUnsafeSlow(4 * block.length)
    let filled = 0
    let copied = 0
    for (const lineEnd of this.#lineEnds(block)) {
      if (lineEnd === copied && !this.#isRowOpen) filled += emptyRow.copy(this.#out, filled)
      this.#isRowOpen = false
      filled += block.copy(this.#out, filled, copied, lineEnd)
      this.#out[filled++] = carriageReturn
      this.#out[filled++] = lineFeed
      copied = lineEnd + 1
      this.#rows += 1
    }
    filled += block.copy(this.#out, filled, copied)
    this.#isRowOpen ||= copied < block.length
    return this.#out.subarray(0, filled)
  }

  /** @throws Error when the last row is not whole. */
  end(): void {
    if (this.#isRowOpen) throw new Error('The rows end inside of one.')
  }

  /** Where lines end outside of quotes. Searched for by the runtime, as a loop over all bytes takes several times as long. */
  *#lineEnds(block: Buffer): Generator<number> {
    let nextQuote = find(block, quote, 0)
    let nextLine = find(block, lineFeed, 0)
    for (;;) {
      if (this.#isQuoted) {
        if (nextQuote === block.length) return
        this.#isQuoted = false
        nextLine = nextLine < nextQuote ? find(block, lineFeed, nextQuote) : nextLine
        nextQuote = find(block, quote, nextQuote + 1)
      } else if (nextQuote < nextLine) {
        this.#isQuoted = true
        nextQuote = find(block, quote, nextQuote + 1)
      } else {
        if (nextLine === block.length) return
        yield nextLine
        nextLine = find(block, lineFeed, nextLine + 1)
      }
    }
  }
}

/** Where a byte stands next; after the end when there is none. */
const find = (block: Buffer, byte: number, from: number): number => {
  const at = block.indexOf(byte, from)
  return at < 0 ? block.length : at
}
