import { Exchange } from './exchange.ts'
import { noTiming, type HttpResult } from './http-result.ts'
import { guardedLookup, type Resolve } from './guard/guarded-lookup.ts'
import type { Guard } from './guard/guard.ts'
import { makeConnector, type ConnectorOptions } from './connector.ts'
import { Connections, type ConnectionsOptions } from './connections.ts'
import { OriginPool } from './origin-pool.ts'

export type { HttpResult } from './http-result.ts'

/** One HTTP exchange to make: a POST. */
export interface HttpRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** Who sends: requests wait for a connection only behind others of the same sharer. */
  readonly sharer?: number
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

export interface SenderOptions
  extends Partial<ConnectionsOptions>, Partial<Pick<ConnectorOptions, 'connectTimeoutMs' | 'ca'>> {
  readonly guard: Guard
  readonly resolve?: Resolve
  /** Connections to one origin at once, for each of those that share them. */
  readonly connections?: number
  /** Time for a look-up. */
  readonly dnsTimeoutMs?: number
}

/** Sends requests over kept-alive connections, one pool for each origin, all through the guard. */
export const makeSender = (options: SenderOptions): Sender => {
  const targetOf = makeTargets(options.guard)
  const pools = makeOriginPools(options)
  let aborted = false
  const abort = (): void => {
    aborted = true
    pools.abort()
  }

  return {
    abort,
    send: ({ url, headers, body, mayStart, sharer = 0 }) =>
      new Promise((resolve) => {
        const target = targetOf(url)
        if (target.problem !== undefined) return resolve(unsent('address_refused', target.problem))
        const pool = pools.get(target.origin)
        pool.use(sharer, (connection) => {
          if (aborted || mayStart?.() === false) {
            resolve(unsent('not_started', 'There was no free connection in time.'))
            return pool.release(sharer, connection, true)
          }
          const exchange = new Exchange(connection, (result, isUsable) => {
            resolve(result)
            pool.release(sharer, connection, isUsable)
          })
          connection.send({ path: target.path, method: 'POST', headers, body }, exchange)
        })
      }),
    async close() {
      abort()
      pools.close()
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
  timing: noTiming,
  address: null,
})

/** By contract, section 5. */
const times = { dnsTimeoutMs: 5_000, connectTimeoutMs: 5_000, exchangeTimeoutMs: 15_000 }
const bounds = { connections: 64, idleMs: 60_000, maxIdle: 2_000 }

/** An origin is remembered for that many times as long as a connection: with it goes its TLS session. */
const rememberedFor = 10

/** A pool for each origin, made on first use and forgotten when it has long had no connection. */
const makeOriginPools = (options: SenderOptions) => {
  const all = { ...times, ...bounds, ...options }
  const lookup = guardedLookup(all.guard, { resolve: all.resolve, timeoutMs: all.dnsTimeoutMs })
  const connections = new Connections(all)
  const pools = new Map<string, OriginPool>()

  const forget = (): void => {
    const before = performance.now() - rememberedFor * all.idleMs
    for (const [origin, pool] of pools) if (pool.isUnusedSince(before)) pools.delete(origin)
  }
  const timer = setInterval(forget, all.idleMs).unref()

  return {
    /** @param origin scheme, name and port: connections are never shared between two of them. */
    get(origin: string): OriginPool {
      const known = pools.get(origin)
      if (known !== undefined) return known
      const connector = makeConnector({ ...all, lookup })
      const made = new OriginPool({ origin, connector, max: all.connections, connections })
      pools.set(origin, made)
      return made
    },
    /** Ends every exchange. */
    abort: () => connections.abort(),
    /** Closes all connections that nobody uses. */
    close: () => {
      clearInterval(timer)
      connections.close()
    },
  }
}

/** Where a request goes, or why it must not go there. */
type Target =
  | { readonly problem: string }
  | { readonly problem: undefined; readonly origin: string; readonly path: string }

/** How many URLs are remembered: more than a process has busy subscriptions. */
const maxTargets = 4_096

/** Reads and judges URLs, each text once: the same few come back with every delivery. */
export const makeTargets = (guard: Guard): ((url: string) => Target) => {
  const known = new Map<string, Target>()
  return (url) => {
    const before = known.get(url)
    if (before !== undefined) return before
    const [oldest] = known.keys()
    if (known.size >= maxTargets && oldest !== undefined) known.delete(oldest)
    const target = targetOf(url, guard)
    known.set(url, target)
    return target
  }
}

const targetOf = (url: string, guard: Guard): Target => {
  const problem = guard.urlProblem(url)
  if (problem !== undefined) return { problem }
  const { origin, pathname, search } = new URL(url)
  return { problem: undefined, origin, path: pathname + search }
}
