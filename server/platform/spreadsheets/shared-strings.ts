import { hash } from 'node:crypto'
import { maxRecordBytes, record, recordHeaderBytes } from './biff8.ts'

const sharedStrings = 0x00fc
const continued = 0x003c

/** How often texts are used, and how many there are; in front of the first one. */
const countsBytes = 8
/** Length and flags of a text, which one record has to hold, as have both halves of its first character. */
const startBytes = 3
const pairBytes = 4

/** Texts that are as short as this are their own key; of others a digest of 20 characters is. */
const maxKeyLength = 12

/**
 * The table of the texts of a workbook, [MS-XLS] 2.4.265: each text once, cut where a record is full. A record that goes on with a text
 * begins with the flags of that text. What is in memory is one record, and about 60 bytes for each text.
 */
export class SharedStrings {
  readonly #write: (bytes: Buffer) => void
  readonly #indexes = new Map<string, number>()
  readonly #record = Buffer.alloc(recordHeaderBytes + maxRecordBytes)
  #id = sharedStrings
  #end = recordHeaderBytes + countsBytes
  #uses = 0

  /** @param write is given bytes that are good until it returns. */
  constructor(write: (bytes: Buffer) => void) {
    this.#write = write
  }

  /** Which text of the table this is. */
  indexOf(text: string): number {
    this.#uses += 1
    const key = text.length <= maxKeyLength ? text : hash('sha1', text, 'binary')
    const known = this.#indexes.get(key)
    if (known !== undefined) return known
    this.#add(text)
    this.#indexes.set(key, this.#indexes.size)
    return this.#indexes.size - 1
  }

  /** Writes what is left. @returns the counts, which belong behind the header of the first record. */
  end(): Buffer {
    this.#flush()
    const counts = Buffer.alloc(countsBytes)
    counts.writeUInt32LE(this.#uses)
    counts.writeUInt32LE(this.#indexes.size, 4)
    return counts
  }

  #add(text: string): void {
    const isWide = /[^\0-\u00FF]/.test(text)
    if (this.#room < startBytes + pairBytes) this.#flush()
    this.#end = this.#record.writeUInt16LE(text.length, this.#end)
    this.#end = this.#record.writeUInt8(Number(isWide), this.#end)
    for (let at = 0; ;) {
      const end = partEnd(text, at, Math.floor(this.#room / (isWide ? 2 : 1)))
      this.#end += this.#record.write(text.slice(at, end), this.#end, isWide ? 'utf16le' : 'latin1')
      if (end === text.length) return
      at = end
      this.#flush()
      this.#end = this.#record.writeUInt8(Number(isWide), this.#end)
    }
  }

  get #room(): number {
    return this.#record.length - this.#end
  }

  #flush(): void {
    record(this.#id, this.#end - recordHeaderBytes).copy(this.#record)
    this.#write(this.#record.subarray(0, this.#end))
    this.#id = continued
    this.#end = recordHeaderBytes
  }
}

/** Where a part of a text ends, not between the halves of a character: some readers decode each part by itself. */
const partEnd = (text: string, from: number, max: number): number => {
  if (text.length - from <= max) return text.length
  const isPairSplit = (text.charCodeAt(from + max - 1) & 0xfc00) === 0xd800
  return from + max - (isPairSplit ? 1 : 0)
}
