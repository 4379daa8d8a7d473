import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { FromPglite, PgliteStart, ToPglite } from './pglite-thread.ts'

// V8 would compile hot parts of the database anew on a thread for each core, while a start needs the cores itself.
setFlagsFromString('--wasm-num-compilation-tasks=1')

/** The main thread's end of the embedded database's thread. */
export class PgliteProcess {
  readonly #worker: Worker
  /** Resolves when the database is open. Rejects when it cannot be opened. */
  readonly opened: Promise<void>
  #ended = false
  readonly #broken = Promise.withResolvers<Error>()
  /** Resolves with the reason when an open database ends by itself. Nothing can be read or written until another start. */
  readonly broken = this.#broken.promise
  #failure: Error | undefined
  #isLogAhead = false
  #unanswered = 0
  /** Those that wait for a sync, in the order of asking. */
  readonly #syncs: PromiseWithResolvers<void>[] = []
  /** Called with the answer to protocol messages, in the order of asking. */
  onAnswer: (bytes: Uint8Array) => void = () => undefined
  /** Called when the thread ends without having been asked to. */
  onFailure: (error: Error) => void = () => undefined

  /** Starts the thread, which begins to open the database. */
  constructor(start: PgliteStart) {
    this.#worker = new Worker(new URL('pglite-thread.ts', import.meta.url), { workerData: start })
    this.#worker.on('message', (message: FromPglite) => {
      if (message.kind === 'log-synced') this.#syncs.shift()?.resolve()
      if (message.kind !== 'answer') return
      this.#unanswered -= 1
      this.#isLogAhead = message.isLogAhead
      this.onAnswer(message.bytes)
    })
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('exit', () => this.#fail(new Error('The thread of the embedded database has ended.')))
    this.opened = this.#opens()
  }

  /** Whether something that the last answer shows could still be lost with the power. */
  get isLogAhead(): boolean {
    return this.#isLogAhead
  }

  /** Messages that were sent and not answered yet. */
  get unanswered(): number {
    return this.#unanswered
  }

  send(bytes: Uint8Array): void {
    if (this.#failure !== undefined) return this.onFailure(this.#failure)
    this.#unanswered += 1
    this.#post(bytes)
  }

  /** Resolves when everything that was committed before the call is on the disk. @throws Error when the thread ends first. */
  async syncLog(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    const sync = Promise.withResolvers<void>()
    this.#syncs.push(sync)
    this.#post('sync-log')
    await sync.promise
  }

  /** The data directory as a tar file. */
  async dump(): Promise<Uint8Array> {
    this.#post('dump')
    for (;;) {
      const message = await this.#next()
      if (message.kind === 'dump') return message.bytes
    }
  }

  /** Closes the database, then the thread. Closing again does nothing. */
  async close(): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    const exited = once(this.#worker, 'exit')
    this.#post('close')
    await exited
  }

  async #opens(): Promise<void> {
    const first = await Promise.race([this.#next(), this.broken])
    if (first instanceof Error)
      throw new Error(
        'The embedded database ended while it was opened. Make room on the disk of DATA_DIR, if that is full.',
      )
    if (first.kind === 'failed') throw new Error(`The embedded database could not be opened: ${first.message}`)
  }

  async #next(): Promise<FromPglite> {
    const [message] = (await once(this.#worker, 'message')) as [FromPglite]
    return message
  }

  #post(message: ToPglite): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(message)
  }

  #fail(error: unknown): void {
    if (this.#ended) return
    this.#ended = true
    this.#failure = new Error(`Connection terminated: ${error instanceof Error ? error.message : String(error)}`)
    for (const sync of this.#syncs) sync.reject(this.#failure)
    this.onFailure(this.#failure)
    this.#broken.resolve(this.#failure)
  }
}
