import { Duplex } from 'node:stream'
import type { PgliteProcess } from './pglite-process.ts'

/** `AuthenticationOk` and `ReadyForQuery`, idle: the embedded database has no users, so signing in is answered here. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])

const syncMessage = 'S'.charCodeAt(0)
const queryMessage = 'Q'.charCodeAt(0)
const terminateMessage = 'X'.charCodeAt(0)

/**
 * What the PostgreSQL client takes for its socket: carries the protocol to the embedded database and
 * back (PostgreSQL manual, "Frontend/Backend Protocol"). Messages are handed over when one comes that
 * has an answer, because the database must see a parse and its sync together.
 */
export class PgliteStream extends Duplex {
  readonly #pglite: PgliteProcess
  #isSignedIn = false
  #collected: Buffer[] = []

  constructor(pglite: PgliteProcess) {
    super()
    this.#pglite = pglite
    pglite.onAnswer = (bytes) => this.push(bytes)
    pglite.onFailure = (error) => this.destroy(error)
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'))
    return this
  }

  // A socket's settings mean nothing here.
  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.#isSignedIn) this.#collect(chunk)
    else this.#welcome()
    done()
  }

  /** What was written together is answered together. */
  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: () => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'binary', done)
  }

  override _final(done: () => void): void {
    this.push(null)
    done()
  }

  #welcome(): void {
    this.#isSignedIn = true
    this.push(welcome)
  }

  #collect(chunk: Buffer): void {
    const last = lastMessageOf(chunk)
    if (last === terminateMessage) return
    this.#collected.push(chunk)
    if (last !== syncMessage && last !== queryMessage) return
    this.#pglite.send(Buffer.concat(this.#collected))
    this.#collected = []
  }
}

/** Type of the last message in a chunk: one byte of type, then four of length, for each. The client writes whole messages. */
const lastMessageOf = (chunk: Buffer): number => {
  let at = 0
  for (let next = 0; next < chunk.length; next += 1 + chunk.readUInt32BE(next + 1)) at = next
  return chunk.readUInt8(at)
}
