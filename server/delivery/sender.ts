import { Exchange, type HttpResult } from './exchange.ts'
import type { Guard } from './guard/guard.ts'
import type { Resolve } from './guard/guarded-lookup.ts'
import { makeOriginPools } from './origin-pools.ts'

export type { HttpResult } from './exchange.ts'

/** One HTTP exchange to make: a POST. */
export interface HttpRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Asked when there is a connection for the request; false leaves it unsent (`not_started`). */
  readonly mayStart?: () => boolean
}

export interface Sender {
  send(request: HttpRequest): Promise<HttpResult>
  /** Ends every exchange in flight with `aborted`; nothing new is sent. */
  abort(): void
  /** Aborts what is in flight and closes all connections. */
  close(): Promise<void>
}

export interface SenderOptions {
  readonly guard: Guard
  readonly resolve?: Resolve
  /** Connections to one origin. */
  readonly connections?: number
  readonly exchangeTimeoutMs?: number
}

/** Time for a whole exchange (contract, section 5). */
const defaultExchangeTimeoutMs = 15_000

/** Sends requests over kept-alive connections, one pool for each origin, all through the guard. */
export const makeSender = (options: SenderOptions): Sender => {
  const { guard, exchangeTimeoutMs: timeoutMs = defaultExchangeTimeoutMs } = options
  const pools = makeOriginPools(options)
  const exchanges = new Set<Exchange>()
  let aborted = false
  const abort = (): void => {
    aborted = true
    for (const exchange of exchanges) exchange.abort()
  }

  return {
    abort,
    async send({ url, headers, body, mayStart }) {
      const problem = guard.urlProblem(url)
      if (problem !== undefined) return unsent('address_refused', problem)
      const { origin, pathname, search } = new URL(url)
      const connections = pools.get(origin)
      await connections.acquire()
      try {
        if (aborted || mayStart?.() === false) return unsent('not_started', 'There was no free connection in time.')
        const exchange = new Exchange(timeoutMs)
        exchanges.add(exchange)
        connections.pool.dispatch({ path: pathname + search, method: 'POST', headers, body }, exchange)
        const result = await exchange.result
        exchanges.delete(exchange)
        return result
      } finally {
        connections.release()
      }
    },
    async close() {
      abort()
      await pools.close()
    },
  }
}

const unsent = (reason: HttpResult['reason'], detail: string): HttpResult => ({
  reason,
  detail,
  status: null,
  headers: null,
  body: null,
  durationMs: 0,
})
