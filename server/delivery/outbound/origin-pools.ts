import { guardedLookup, type Resolve } from './guard/guarded-lookup.ts'
import type { Guard } from './guard/guard.ts'
import { makeConnector, type ConnectorOptions } from './connector.ts'
import { Connections, type ConnectionsOptions } from './connections.ts'
import { OriginPool } from './origin-pool.ts'

export interface OriginPoolsOptions
  extends Partial<ConnectionsOptions>, Partial<Pick<ConnectorOptions, 'connectTimeoutMs' | 'ca'>> {
  readonly guard: Guard
  readonly resolve?: Resolve
  /** Connections to one origin at once, for each of those that share them. */
  readonly connections?: number
  /** Time for a look-up. */
  readonly dnsTimeoutMs?: number
}

/** By contract, section 5. */
const times = { dnsTimeoutMs: 5_000, connectTimeoutMs: 5_000, exchangeTimeoutMs: 15_000 }
const bounds = { connections: 64, idleMs: 60_000, maxIdle: 2_000 }

/** An origin is remembered for that many times as long as a connection: with it goes its TLS session. */
const rememberedFor = 10

/** A pool for each origin, made on first use and forgotten when it has long had no connection. */
export const makeOriginPools = (options: OriginPoolsOptions) => {
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
