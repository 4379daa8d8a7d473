import { TooManyRows, mostRowsOf, type TableFormat } from './table-file.ts'

const tellEveryMs = 300

/** Counts rows, and tells now and then how many there are. */
export class Progress {
  readonly #format: TableFormat
  readonly #tell: (rows: number) => void
  #rows = 0
  #toldAt = performance.now()

  constructor(format: TableFormat, tell: (rows: number) => void) {
    this.#format = format
    this.#tell = tell
  }

  get rows(): number {
    return this.#rows
  }

  /** @throws TooManyRows when the format does not hold so many. */
  add(rows: number): void {
    this.#rows += rows
    if (this.#rows > mostRowsOf[this.#format]) throw new TooManyRows(this.#format, this.#rows)
    const now = performance.now()
    if (now - this.#toldAt < tellEveryMs) return
    this.#toldAt = now
    this.#tell(this.#rows)
  }
}
