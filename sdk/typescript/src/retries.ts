import { setTimeout as sleep } from 'node:timers/promises'
import { retryAfterOf, WaybillError } from './errors.ts'

export interface RetryOptions {
  /** How often a request is sent again; 3 unless given. */
  readonly maxRetries: number
  /** How long one attempt may take, its answer included. */
  readonly timeoutMs: number
  readonly fetch: (request: Request) => Promise<Response>
}

/** A server that asks for more patience than this gets an error instead. */
const maxWaitMs = 60_000

/**
 * `fetch` that sends again what may be sent again. 429: nothing was done, so anything is. 503, or no answer: it may have been
 * done, so only what can be done twice is: reads, PUT, DELETE, and a POST with an `Idempotency-Key`.
 * @throws WaybillError when no answer comes. An abort by the caller is thrown as it is.
 */
export const retryingFetch =
  ({ maxRetries, timeoutMs, fetch }: RetryOptions) =>
  async (request: Request): Promise<Response> => {
    for (let retries = 0; ; retries += 1) {
      const isLast = retries === maxRetries
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)])
      const answer = await fetch(new Request(isLast ? request : request.clone(), { signal })).catch(
        (error: unknown) => {
          request.signal.throwIfAborted()
          if (isLast || !isRepeatable(request)) throw noAnswer(request, error)
          return undefined
        },
      )
      const waitMs = waitBefore(retries, answer)
      if (answer !== undefined && (isLast || waitMs > maxWaitMs || !isWorthAnother(request, answer))) return answer
      await answer?.body?.cancel()
      await sleep(waitMs, undefined, { signal: request.signal })
    }
  }

const isWorthAnother = (request: Request, { status }: Response): boolean =>
  status === 429 || (status === 503 && isRepeatable(request))

const isRepeatable = ({ method, headers }: Request): boolean =>
  method === 'POST' ? headers.has('idempotency-key') : method !== 'PATCH'

/** What the server asked for, else half a second and twice as much each time; up to half more, so that callers spread out. */
const waitBefore = (retries: number, answer: Response | undefined): number => {
  const asked = answer === undefined ? undefined : retryAfterOf(answer)
  const base = asked === undefined ? 500 * 2 ** retries : asked * 1_000
  return base * (1 + Math.random() / 2)
}

const noAnswer = ({ method, url }: Request, cause: unknown): WaybillError =>
  new WaybillError(`${method} ${new URL(url).pathname} got no answer: ${reasonOf(cause)}`, {}, { cause })

/** `fetch failed` says nothing; its cause does. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}
