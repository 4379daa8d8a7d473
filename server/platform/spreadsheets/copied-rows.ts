import { StringDecoder } from 'node:string_decoder'

/** null is nothing between commas, an empty text is `""`. */
export type CopiedRow = (string | null)[]

/**
 * Reads rows from blocks of csv that are cut anywhere. Only what `COPY` writes is read: commas, LF, quotes around what needs them.
 * For that this takes a tenth of the time of a reader of any csv, which would be half of the time of a file (500,000 instead of
 * 50,000 rows of 11 cells a second).
 */
export class CopiedRows {
  readonly #decoder = new StringDecoder('utf8')
  readonly #columns: number
  #rest = ''

  constructor(columns: number) {
    this.#columns = columns
  }

  /** The rows that are whole by now. */
  read(block: Buffer): CopiedRow[] {
    const text = this.#rest + this.#decoder.write(block)
    const rows: CopiedRow[] = []
    let from = 0
    for (;;) {
      const row: CopiedRow = []
      const end = readRow(text, from, row)
      if (end === undefined) break
      if (row.length !== this.#columns) throw new Error(`A row has ${row.length} cells, not ${this.#columns}.`)
      rows.push(row)
      from = end
    }
    this.#rest = text.slice(from)
    return rows
  }

  /** @throws Error when the last row is not whole. */
  end(): void {
    if (this.#rest !== '') throw new Error('The rows end inside of one.')
  }
}

const comma = 0x2c
const lineFeed = 0x0a
const quote = 0x22

/** Adds the fields of a row. @returns where the next one begins; undefined when the text ends before. */
const readRow = (text: string, from: number, row: CopiedRow): number | undefined => {
  for (let at = from; at < text.length;) {
    const isQuoted = text.charCodeAt(at) === quote
    const end = isQuoted ? endOfQuoted(text, at) : endOfPlain(text, at)
    if (end >= text.length) return undefined
    row.push(isQuoted ? unquoted(text, at, end) : plain(text, at, end))
    at = end + 1
    if (text.charCodeAt(end) === lineFeed) return at
  }
  return undefined
}

const endOfPlain = (text: string, from: number): number => {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === comma || code === lineFeed) return at
  }
  return text.length
}

/** Behind the quote that no other one follows. */
const endOfQuoted = (text: string, from: number): number => {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 2))
    if (text.charCodeAt(at + 1) !== quote) return at + 1
  return text.length
}

const plain = (text: string, from: number, end: number): string | null => (from === end ? null : text.slice(from, end))

const unquoted = (text: string, from: number, end: number): string => {
  const inner = text.slice(from + 1, end - 1)
  return inner.includes('"') ? inner.replaceAll('""', '"') : inner
}
