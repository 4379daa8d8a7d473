import { Pool } from 'undici'
import type { Guard } from './guard/guard.ts'
import { guardedLookup, type Resolve } from './guard/guarded-lookup.ts'

export interface OriginPoolsOptions {
  readonly guard: Guard
  readonly resolve?: Resolve
  /** Connections to one origin. */
  readonly connections?: number
}

/** Time for look-up, connection and TLS together (contract, section 5). */
const connectTimeoutMs = 5_000
/** A pool nobody used for this long is closed. */
const poolIdleMs = 60_000

/**
 * The connections to one origin, and who may use one. Requests wait for a connection here and not
 * inside the pool, so that the time of an exchange begins when it has one.
 */
export class OriginPool {
  readonly pool: Pool
  readonly #waiting: (() => void)[] = []
  #free: number
  idleSince = Infinity

  constructor(pool: Pool, connections: number) {
    this.pool = pool
    this.#free = connections
  }

  /** Resolves when there is a connection for the caller, in the order of asking. Every `acquire` needs one `release`. */
  async acquire(): Promise<void> {
    this.idleSince = Infinity
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#free -= 1
  }

  release(): void {
    const next = this.#waiting.shift()
    if (next !== undefined) return next()
    this.#free += 1
    this.idleSince = Date.now()
  }
}

/** One pool for each origin, made on first use and closed when it has long been idle. */
export const makeOriginPools = ({ guard, resolve, connections = 64 }: OriginPoolsOptions) => {
  const pools = new Map<string, OriginPool>()
  const connect = { lookup: guardedLookup(guard, resolve), timeout: connectTimeoutMs }
  // The exchange has one budget of its own, which a slow drip of bytes cannot stretch.
  const limits = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 10_000 }

  const evict = (): void => {
    const before = Date.now() - poolIdleMs
    for (const [origin, { pool, idleSince }] of pools) {
      if (idleSince >= before) continue
      pools.delete(origin)
      // Waits for what is still in flight there.
      void pool.close().catch(() => undefined)
    }
  }
  const timer = setInterval(evict, poolIdleMs)
  timer.unref()

  return {
    get(origin: string): OriginPool {
      const known = pools.get(origin)
      if (known !== undefined) return known
      const made = new OriginPool(new Pool(origin, { connections, pipelining: 1, connect, ...limits }), connections)
      pools.set(origin, made)
      return made
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await Promise.all([...pools.values()].map(({ pool }) => pool.destroy()))
    },
  }
}
