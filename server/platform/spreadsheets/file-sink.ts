import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

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

  /** Returns once everything written is on the disk. */
  flush(): void {
    fsyncSync(this.#file)
  }

  close(): void {
    closeSync(this.#file)
  }
}
