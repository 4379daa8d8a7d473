import { Worker } from 'node:worker_threads'
import { TooManyRows } from './table-file.ts'
import type { FromTableThread, TableStart, ThreadWritten } from './table-thread.ts'

/** What is on its way to the thread, or waits there, is never more than so many blocks. */
const blockBytes = 128 * 1024
const maxBlocks = 8

interface Options {
  readonly memoryMb: number
  readonly onProgress: (rows: number) => void
}

/**
 * The main thread's end of a thread that writes a file. Bytes go over in blocks, and the thread says when it has read one: who
 * has handed over enough waits, and so does the source of the rows.
 */
export class TableThread {
  /** Settles once: with what was written, or why it was not. */
  readonly written: Promise<ThreadWritten>
  /** The thread is no more. */
  readonly ended: Promise<void>
  readonly #worker: Worker
  readonly #start: TableStart
  readonly #options: Options
  readonly #outcome = Promise.withResolvers<ThreadWritten>()
  readonly #exit = Promise.withResolvers<void>()
  #unread = 0
  #wasRead = Promise.withResolvers<void>()

  constructor(start: TableStart, options: Options) {
    this.#start = start
    this.#options = options
    this.written = this.#outcome.promise
    this.ended = this.#exit.promise
    // `feed` reports a failure as well.
    this.written.catch(() => undefined)
    this.#worker = new Worker(new URL('table-thread.ts', import.meta.url), {
      workerData: start,
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMb, maxYoungGenerationSizeMb: 16 },
    })
    this.#worker.on('message', (message: FromTableThread) => this.#take(message))
    this.#worker.on('error', (error) => this.fail(this.#whyDied(error)))
    this.#worker.on('exit', () => {
      this.fail(new Error('The thread that writes the file has ended.'))
      this.#exit.resolve()
    })
  }

  /** Hands all rows over. @throws what reading them throws, and why the file cannot be written. */
  async feed(rows: AsyncIterable<Buffer>): Promise<void> {
    let block = new Uint8Array(blockBytes)
    let filled = 0
    for await (const chunk of rows) {
      // Copied, for a chunk may share its memory with others, which moving it to the thread would take from them.
      for (let at = 0; at < chunk.length;) {
        const part = chunk.subarray(at, at + blockBytes - filled)
        block.set(part, filled)
        at += part.length
        filled += part.length
        if (filled < blockBytes) continue
        await this.#handOver(block)
        block = new Uint8Array(blockBytes)
        filled = 0
      }
    }
    await this.#handOver(block.subarray(0, filled))
    this.#worker.postMessage('end', [])
  }

  /** Ends the thread and whatever waits for it. Says nothing new once it is known how it went. */
  fail(error: unknown): void {
    this.#outcome.reject(error)
    void this.#worker.terminate()
  }

  #take(message: FromTableThread): void {
    switch (message.kind) {
      case 'read':
        this.#unread -= 1
        return this.#wasRead.resolve()
      case 'progress':
        return this.#options.onProgress(message.rows)
      case 'written':
        return this.#outcome.resolve(message.written)
      case 'too many rows':
        return this.fail(new TooManyRows(this.#start.format, message.rows))
      case 'failed':
        return this.fail(message.error)
    }
  }

  /** @throws why the thread will read no more. */
  async #handOver(block: Uint8Array<ArrayBuffer>): Promise<void> {
    while (this.#unread >= maxBlocks) {
      this.#wasRead = Promise.withResolvers()
      await Promise.race([this.#wasRead.promise, this.written])
    }
    this.#unread += 1
    this.#worker.postMessage(block, [block.buffer])
  }

  #whyDied(error: unknown): Error {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ERR_WORKER_OUT_OF_MEMORY')
      return new Error('The thread that writes the file failed.', { cause: error })
    const { memoryMb } = this.#options
    return new Error(`The file needs more memory than the ${memoryMb} MB that its thread may take.`, { cause: error })
  }
}
