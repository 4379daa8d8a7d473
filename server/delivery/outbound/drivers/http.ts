import { makeConnector } from '../connector.ts'
import { Connections } from '../connections.ts'
import { Exchange } from '../exchange.ts'
import { guardedLookup } from '../guard/guarded-lookup.ts'
import type { Guard } from '../guard/guard.ts'
import { OriginPool } from '../origin-pool.ts'
import { rememberEach } from '../remember-each.ts'
import { unsent } from '../send-result.ts'
import type { Driver, DriverOptions } from './driver.ts'

/** POSTs over kept-alive connections, one pool for each origin. */
export const makeHttpDriver = (options: DriverOptions): Driver => {
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
    close() {
      abort()
      pools.close()
    },
  }
}

/** An origin is remembered for that many times as long as a connection: with it goes its TLS session. */
const rememberedFor = 10

/** A pool for each origin, made on first use and forgotten when it has long had no connection. */
const makeOriginPools = (all: DriverOptions) => {
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

/** Reads and judges URLs, each text once. */
export const makeTargets = (guard: Guard): ((url: string) => Target) => rememberEach((url) => targetOf(url, guard))

const targetOf = (url: string, guard: Guard): Target => {
  const problem = guard.urlProblem(url)
  if (problem !== undefined) return { problem }
  const { origin, pathname, search } = new URL(url)
  return { problem: undefined, origin, path: pathname + search }
}
