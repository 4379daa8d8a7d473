import { guardedLookup, type Resolve } from './guard/guarded-lookup.ts'
import type { Guard } from './guard/guard.ts'
import { makeConnector } from './connector.ts'
import { Connections } from './connections.ts'
import { OriginPool } from './origin-pool.ts'

export interface OriginPoolsOptions {
  readonly guard: Guard
  readonly resolve?: Resolve
  /** Connections to one origin at once, for each of those that share them. */
  readonly connections?: number
  /** Time for a look-up. */
  readonly dnsTimeoutMs?: number
  /** Time for connection and TLS together, after the look-up. */
  readonly connectTimeoutMs?: number
  /** Time for a whole exchange. */
  readonly exchangeTimeoutMs?: number
  /** A connection that nobody used for this long is closed. */
  readonly idleMs?: number
  /** Connections kept open for later use, to all origins together; of more the least recently used is closed. */
  readonly maxIdle?: number
  /** Certificates (PEM) to trust in place of the system's. */
  readonly ca?: string
}

/** By contract, section 5. */
const times = { dnsTimeoutMs: 5_000, connectTimeoutMs: 5_000, exchangeTimeoutMs: 15_000 }
const bounds = { connections: 64, idleMs: 60_000, maxIdle: 2_000 }

/** An origin is remembered for that many times as long as a connection: with it goes its TLS session. */
const rememberedFor = 10

/** A pool for each origin, made on first use and forgotten when it has long had no connection. */
export const makeOriginPools = (options: OriginPoolsOptions) => {
  const {
    guard,
    resolve,
    ca,
    dnsTimeoutMs,
    connectTimeoutMs,
    connections: most,
    ...rest
  } = { ...times, ...bounds, ...options }
  const lookup = guardedLookup(guard, { resolve, timeoutMs: dnsTimeoutMs })
  const connections = new Connections(rest)
  const pools = new Map<string, OriginPool>()

  const forget = (): void => {
    const before = performance.now() - rememberedFor * rest.idleMs
    for (const [origin, pool] of pools) if (pool.isUnusedSince(before)) pools.delete(origin)
  }
  const timer = setInterval(forget, rest.idleMs).unref()

  return {
    /** @param origin scheme, name and port: connections are never shared between two of them. */
    get(origin: string): OriginPool {
      const known = pools.get(origin)
      if (known !== undefined) return known
      const connector = makeConnector({ lookup, connectTimeoutMs, ca })
      const made = new OriginPool({ origin, connector, most, connections })
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
