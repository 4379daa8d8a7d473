import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { TooManyRows, maxRowsOf, type TableColumn, type TableFormat } from './table-file.ts'

/** What the writer of a format is given, in the thread. */
export interface TableWriting {
  readonly columns: readonly TableColumn[]
  /** Good until the next one is asked for. */
  readonly blocks: AsyncIterable<Buffer>
  readonly sink: TableSink
  readonly progress: Progress
}

/** What is written from its beginning. */
export interface TableSink {
  readonly bytes: number
  /** @param bytes are good until it returns. */
  write(bytes: Uint8Array): void
  /** Replaces what was written at a position. */
  overwrite(bytes: Uint8Array, position: number): void
}

/** A file. It waits for the disk, so it is for threads that may wait. */
export class FileSink implements TableSink {
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

/** A file that is small enough to be in memory. */
export class MemorySink implements TableSink {
  #content = Buffer.alloc(64 * 1024)
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  get content(): Uint8Array {
    return this.#content.subarray(0, this.#bytes)
  }

  write(bytes: Uint8Array): void {
    const needed = this.#bytes + bytes.length
    if (needed > this.#content.length) this.#content = Buffer.concat([this.#content], 2 * needed)
    this.#content.set(bytes, this.#bytes)
    this.#bytes = needed
  }

  overwrite(bytes: Uint8Array, position: number): void {
    this.#content.set(bytes, position)
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
