import type { Dispatcher } from 'undici'
import { AddressRefused } from './guard/guarded-lookup.ts'

/** What came of a request. Never thrown: each of these is an expected end of a request to somebody else's machine. */
export interface HttpResult {
  /** `response`: an answer came in time. Otherwise what prevented it. */
  readonly reason:
    | 'response'
    | 'not_started'
    | 'aborted'
    | 'timeout'
    | 'address_refused'
    | 'dns_error'
    | 'connection_error'
    | 'tls_error'
    | 'protocol_error'
    | 'sign_in_failed'
  /** More about the reason, for people. */
  readonly detail: string
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>> | null
  readonly body: string | null
  readonly durationMs: number
}

/** How much of an answer is read and kept (contract, section 5). */
const maxBodyBytes = 65_536

/**
 * Follows one exchange as the HTTP client's handler. Settles once: with the answer, the first failure,
 * or the end of the budget, which runs from here to the last byte read: look-up, connection and body
 * are all part of it.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<HttpResult>
  readonly #settle: (result: HttpResult) => void
  readonly #timeoutMs: number
  readonly #startedAt = performance.now()
  #controller: Dispatcher.DispatchController | undefined
  readonly #timer: NodeJS.Timeout
  #ended = false
  #status: number | null = null
  #headers: Record<string, string> | null = null
  #chunks: Buffer[] = []
  #size = 0

  constructor(timeoutMs: number) {
    const { promise, resolve } = Promise.withResolvers<HttpResult>()
    this.result = promise
    this.#settle = resolve
    this.#timeoutMs = timeoutMs
    this.#timer = setTimeout(() => this.#timedOut(), timeoutMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // It can have timed out while the connection was being made.
    if (this.#ended) controller.abort(new Error('exchange cut'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // 103 comes before the answer, and is none.
    if (status < 200) return
    this.#status = status
    this.#headers = flatten(headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#size < maxBodyBytes) this.#chunks.push(chunk.subarray(0, maxBodyBytes - this.#size))
    this.#size += chunk.length
    // What is needed has been read; the rest of the body is not waited for (contract, section 11).
    if (this.#size > maxBodyBytes) this.#cut('response', `HTTP ${this.#status}`)
  }

  onResponseEnd(): void {
    this.#end('response', `HTTP ${this.#status}`)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(reasonOf(error), describe(error))
  }

  /** Ends the exchange because this process ends. */
  abort(): void {
    this.#cut('aborted', 'The server stopped during the attempt.')
  }

  #timedOut(): void {
    const what = this.#status === null ? 'No answer' : 'The answer was not complete'
    this.#cut('timeout', `${what} within ${this.#timeoutMs / 1_000} s.`)
  }

  /** Gives up on the exchange; the connection is of no more use. */
  #cut(reason: HttpResult['reason'], detail: string): void {
    this.#end(reason, detail)
    this.#controller?.abort(new Error('exchange cut'))
  }

  #end(reason: HttpResult['reason'], detail: string): void {
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#timer)
    const body = this.#status === null ? null : textOf(this.#chunks)
    const durationMs = Math.round(performance.now() - this.#startedAt)
    this.#settle({ reason, detail, status: this.#status, headers: this.#headers, body, durationMs })
  }
}

/** Text as far as it is text; PostgreSQL cannot store NUL. */
const textOf = (chunks: readonly Buffer[]): string =>
  chunks.length === 0 ? '' : Buffer.concat(chunks).toString('utf8').replaceAll('\u0000', '\uFFFD')

const flatten = (raw: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(raw))
    headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '')
  return headers
}

/** Error codes of sockets, resolver, TLS and HTTP parser → what they mean to an operator. First match counts. */
const reasons: readonly (readonly [RegExp, HttpResult['reason']])[] = [
  [/^(ENOTFOUND|EAI_|ENODATA|DNS_)/, 'dns_error'],
  [/^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_SSL|HOSTNAME_MISMATCH|EPROTO)/, 'tls_error'],
  [/^(HPE_|UND_ERR_RES_CONTENT|UND_ERR_HEADERS_OVERFLOW|UND_ERR_INVALID|UND_ERR_NOT_SUPPORTED)/, 'protocol_error'],
  [/TIMEOUT|ETIMEDOUT/, 'timeout'],
]

const reasonOf = (error: Error): HttpResult['reason'] => {
  if (error instanceof AddressRefused || error.cause instanceof AddressRefused) return 'address_refused'
  // The client's parser names a code for few of its errors.
  if (error.name === 'HTTPParserError') return 'protocol_error'
  const code = 'code' in error ? String(error.code) : ''
  return reasons.find(([pattern]) => pattern.test(code))?.[1] ?? 'connection_error'
}

/** One line for people. An error for several addresses has no message of its own. */
const describe = (error: Error): string => {
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : undefined
  const text = error.message === '' && inner instanceof Error ? inner.message : error.message
  return (text === '' ? error.name : text).slice(0, 500)
}
