import { Exchange } from './exchange.ts'
import { noTiming, type HttpResult } from './http-result.ts'
import { makeOriginPools, type OriginPoolsOptions } from './origin-pools.ts'
import { makeTargets } from './targets.ts'

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

export type SenderOptions = OriginPoolsOptions

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
