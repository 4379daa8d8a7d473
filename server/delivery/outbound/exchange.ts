import type { Dispatcher } from 'undici'
import { failureOf, type Failure } from './failure.ts'
import type { SendResult, Timing } from './send-result.ts'
import type { Opening } from './opening.ts'

/** How much of an answer is read, and how much is kept of what it says (contract, section 5). */
const maxBodyBytes = 65_536
/** Interim answers (RFC 9110, section 15.2) that may come before the answer. */
const maxInterim = 16
/** A body that comes byte by byte is put together from time to time: each piece holds on to more than itself. */
const maxChunks = 64

/** What an exchange reports of its connection. */
interface Way {
  readonly opening: Opening | undefined
  readonly address: string | null
}

/** @param isUsable whether the connection can take another exchange. */
type OnEnd = (result: SendResult, isUsable: boolean) => void

/**
 * Follows one exchange as the HTTP client's handler. Ends once: with the answer, the first failure, or
 * the end of the budget, which runs from here to the last byte read: look-up, connection and body are
 * all part of it.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #way: Way
  readonly startedAt = performance.now()
  readonly #onEnd: OnEnd
  #ended = false
  #interim = 0
  #firstByteAt: number | undefined
  #status: number | null = null
  #headers: Record<string, string> | null = null
  #chunks: Buffer[] = []
  #size = 0

  constructor(way: Way, onEnd: OnEnd) {
    this.#way = way
    this.#onEnd = onEnd
  }

  // undici asks for it.
  onRequestStart(): void {}

  /** The first byte of the answer, or of an interim one before it. */
  onResponseStarted(): void {
    this.#firstByteAt = performance.now()
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (this.#ended) return
    if (status >= 200) {
      this.#status = status
      this.#headers = flatten(headers)
    } else {
      this.#firstByteAt = undefined
      this.#interim += 1
      if (this.#interim > maxInterim) this.#end(tooManyInterim, false)
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return
    if (this.#size < maxBodyBytes) this.#chunks.push(chunk.subarray(0, maxBodyBytes - this.#size))
    if (this.#chunks.length > maxChunks) this.#chunks = [Buffer.concat(this.#chunks)]
    this.#size += chunk.length
    // What is needed has been read; the rest of the body is not waited for (contract, section 11).
    if (this.#size > maxBodyBytes) this.#end(this.#answered(), false)
  }

  onResponseEnd(): void {
    this.#end(this.#answered(), true)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#ended) this.#end(failureOf(error), false)
  }

  /** Ends the exchange because this process ends. */
  abort(): void {
    this.#end({ reason: 'aborted', detail: 'The server stopped during the attempt.' }, false)
  }

  /** @param budgetMs what it had. */
  timeOut(budgetMs: number): void {
    const what = this.#status === null ? 'No answer' : 'The answer was not complete'
    this.#end({ reason: 'timeout', detail: `${what} within ${budgetMs / 1_000} s.` }, false)
  }

  #answered(): Failure {
    return { reason: 'response', detail: `HTTP ${this.#status}` }
  }

  #end({ reason, detail }: Failure, isUsable: boolean): void {
    if (this.#ended) return
    this.#ended = true
    const result: SendResult = {
      reason,
      detail,
      status: this.#status,
      headers: this.#headers,
      body: this.#status === null ? null : textOf(this.#chunks),
      durationMs: Math.round(performance.now() - this.startedAt),
      timing: this.#timing(),
      address: this.#way.address,
    }
    this.#onEnd(result, isUsable)
  }

  #timing(): Timing {
    const { opening } = this.#way
    opening?.end()
    const openAt = opening?.endedAt ?? this.startedAt
    return {
      dnsMs: opening?.took('dns') ?? null,
      connectMs: opening?.took('connect') ?? null,
      tlsMs: opening?.took('tls') ?? null,
      firstByteMs: this.#firstByteAt === undefined ? null : Math.round(this.#firstByteAt - openAt),
    }
  }
}

const tooManyInterim: Failure = {
  reason: 'protocol_error',
  detail: `More than ${maxInterim} interim answers came in place of an answer.`,
}

/** Text as far as it is text, in whatever content coding it came: none is asked for. PostgreSQL cannot store NUL. */
const textOf = (chunks: readonly Buffer[]): string => {
  const [first] = chunks
  if (first === undefined) return ''
  const bytes = chunks.length === 1 ? first : Buffer.concat(chunks)
  return bytes.toString('utf8').replaceAll('\u0000', '\uFFFD')
}

const flatten = (raw: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(raw))
    headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '')
  return headers
}
