import { Connection } from './connection.ts'
import type { Connections } from './connections.ts'
import type { Connector } from './connector.ts'

export interface OriginPoolDeps {
  /** Scheme, name and port. */
  readonly origin: string
  readonly connector: Connector
  /** Connections at once for each of those that share them. */
  readonly max: number
  readonly connections: Connections
}

/** What one of those who share the connections has of them, and what of it waits for one. */
interface Share {
  inUse: number
  isServed: boolean
  readonly waiting: ((connection: Connection) => void)[]
}

/**
 * The connections to one origin, and who may use one. Requests wait for a connection here and not
 * inside the HTTP client, so that the time of an exchange begins when it has one.
 *
 * Free connections are for all; how many are in use at once is limited for each sharer alone. Of two
 * subscriptions on one host, one whose path hangs does not hold up the other.
 */
export class OriginPool {
  readonly #deps: OriginPoolDeps
  /** The last one was used last, and is used next, so that those not needed grow old. */
  readonly #free: Connection[] = []
  readonly #shares = new Map<number, Share>()
  #usedAt = performance.now()

  constructor(deps: OriginPoolDeps) {
    this.#deps = deps
  }

  /** Whether it has no connection, and had none since a time on the scale of `performance.now()`. */
  isUnusedSince(time: number): boolean {
    return this.#shares.size === 0 && this.#free.length === 0 && this.#usedAt < time
  }

  /** Calls back with a connection, in the order of the sharer's asking, at once if it may have one. Every one needs one `release`. */
  use(sharer: number, start: (connection: Connection) => void): void {
    const share = this.#shareOf(sharer)
    share.waiting.push(start)
    this.#serve(share)
  }

  /** Gives a connection back. One that is closed, or that nobody knows the state of, is not used again. */
  release(sharer: number, connection: Connection, isUsable: boolean): void {
    const share = this.#shareOf(sharer)
    share.inUse -= 1
    this.#usedAt = performance.now()
    connection.exchange = undefined
    if (isUsable && connection.isOpen) this.#keep(connection)
    else this.#close(connection)
    this.#serve(share)
    if (share.inUse === 0 && share.waiting.length === 0) this.#shares.delete(sharer)
  }

  #shareOf(sharer: number): Share {
    const known = this.#shares.get(sharer)
    if (known !== undefined) return known
    const made: Share = { inUse: 0, isServed: false, waiting: [] }
    this.#shares.set(sharer, made)
    return made
  }

  #keep(connection: Connection): void {
    connection.idleSince = this.#usedAt
    this.#free.push(connection)
    this.#deps.connections.left()
  }

  #close(connection: Connection): void {
    this.#deps.connections.delete(connection)
    connection.close()
  }

  /** A loop, because what is started may end at once and give its connection back: a row of these would fill the stack. */
  #serve(share: Share): void {
    if (share.isServed) return
    share.isServed = true
    try {
      while (share.waiting.length > 0 && share.inUse < this.#deps.max) {
        share.inUse += 1
        const connection = this.#take()
        share.waiting.shift()?.(connection)
      }
    } finally {
      share.isServed = false
    }
  }

  #take(): Connection {
    const kept = this.#free.pop()
    if (kept === undefined) return this.#open()
    kept.idleSince = Infinity
    this.#deps.connections.taken()
    return kept
  }

  #open(): Connection {
    const { origin, connector, connections } = this.#deps
    const connection = new Connection(origin, connector, (unused) => this.#drop(unused))
    connections.add(connection)
    return connection
  }

  /** Closes a connection, if nobody uses it. */
  #drop(connection: Connection): void {
    const place = this.#free.indexOf(connection)
    if (place === -1) return
    this.#free.splice(place, 1)
    this.#deps.connections.taken()
    this.#close(connection)
  }
}
