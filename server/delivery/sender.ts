import { Pool } from 'undici'
import { Exchange, type HttpResult } from './exchange.ts'
import type { Guard } from './guard/guard.ts'
import { guardedLookup, type Resolve } from './guard/guarded-lookup.ts'

export type { HttpResult } from './exchange.ts'

/** One HTTP exchange to make: a POST. */
export interface HttpRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Asked when the request is about to be written; false leaves it unsent (`not_started`). */
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

/** Time budgets of contract, section 5. */
const connectTimeoutMs = 5_000
const defaultExchangeTimeoutMs = 15_000
/** A pool nobody used for this long is closed. */
const poolIdleMs = 60_000

/** Sends requests over kept-alive connections, one pool for each origin, all through the guard. */
export const makeSender = (options: SenderOptions): Sender => {
  const { guard, exchangeTimeoutMs: timeoutMs = defaultExchangeTimeoutMs } = options
  const pools = makePools(options)
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
      if (aborted) return unsent('not_started', 'The server is stopping.')
      const { origin, pathname, search } = new URL(url)
      const exchange = new Exchange({ timeoutMs, mayStart })
      exchanges.add(exchange)
      pools.get(origin).dispatch({ path: pathname + search, method: 'POST', headers, body }, exchange)
      const result = await exchange.result
      exchanges.delete(exchange)
      return result
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

/** One pool of connections for each origin, made on first use and closed when it has long been idle. */
const makePools = ({ guard, resolve, connections = 64 }: SenderOptions) => {
  const pools = new Map<string, { pool: Pool; usedAt: number }>()
  const lookup = guardedLookup(guard, resolve)

  const evict = (): void => {
    const before = Date.now() - poolIdleMs
    for (const [origin, { pool, usedAt }] of pools) {
      if (usedAt >= before) continue
      pools.delete(origin)
      // Waits for what is still in flight there.
      void pool.close().catch(() => undefined)
    }
  }
  const timer = setInterval(evict, poolIdleMs)
  timer.unref()

  return {
    get(origin: string): Pool {
      let entry = pools.get(origin)
      if (entry === undefined) {
        const connect = { lookup, timeout: connectTimeoutMs }
        // The exchange has one budget of its own, which a slow drip of bytes cannot stretch.
        const limits = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 10_000 }
        entry = { pool: new Pool(origin, { connections, pipelining: 1, connect, ...limits }), usedAt: 0 }
        pools.set(origin, entry)
      }
      entry.usedAt = Date.now()
      return entry.pool
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await Promise.all([...pools.values()].map(({ pool }) => pool.destroy()))
    },
  }
}
