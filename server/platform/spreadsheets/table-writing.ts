import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { TooManyRows, maxRowsOf, type TableColumn, type TableFormat } from './table-file.ts'

/** What the writer of a format is given, in the thread. */
export interface TableWriting {
  readonly columns: readonly TableColumn[]
  /** Good until the next one is asked for. */
  readonly blocks: AsyncIterable<Buffer>
  readonly sink: FileSink
  readonly progress: Progress
}

/** A file that is written from its beginning. It waits for the disk, so it is for threads that may wait. */
export class FileSink {
  readonly #file: number
  #bytes = 0

  constructor(path: string) {
    this.#file = openSync(path, 'w', 0o600)
  }

  get bytes(): number {
    return this.#bytes
  }

  write(bytes: Uint8Array): void {
    // A disk that is nearly full takes a part, and the next call says that it is full.
    for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at)
    this.#bytes += bytes.length
  }

  /** Replaces what was written at a position. */
  overwrite(bytes: Uint8Array, position: number): void {
    for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at, bytes.length - at, position + at)
  }

  /** Returns once everything written is on the disk. */
  flush(): void {
    fsyncSync(this.#file)
  }

  close(): void {
    closeSync(this.#file)
  }
}

const reportEveryMs = 300

/** Counts rows, and reports now and then how many there are. */
export class Progress {
  readonly #format: TableFormat
  readonly #report: (rows: number) => void
  #rows = 0
  #reportedAt = performance.now()

  constructor(format: TableFormat, report: (rows: number) => void) {
    this.#format = format
    this.#report = report
  }

  get rows(): number {
    return this.#rows
  }

  /** @throws TooManyRows when the format does not hold so many. */
  add(rows: number): void {
    this.#rows += rows
    if (this.#rows > maxRowsOf[this.#format]) throw new TooManyRows(this.#format, this.#rows)
    const now = performance.now()
    if (now - this.#reportedAt < reportEveryMs) return
    this.#reportedAt = now
    this.#report(this.#rows)
  }
}
