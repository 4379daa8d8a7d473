import { Connection } from './connection.ts'
import type { Connections } from './connections.ts'
import type { Connector } from './connector.ts'

export interface OriginPoolDeps {
  /** Scheme, name and port. */
  readonly origin: string
  readonly connector: Connector
  /** Connections at once. */
  readonly most: number
  readonly connections: Connections
}

/**
 * The connections to one origin, and who may use one. Requests wait for a connection here and not
 * inside the HTTP client, so that the time of an exchange begins when it has one.
 */
export class OriginPool {
  readonly #deps: OriginPoolDeps
  /** The last one was used last, and is used next, so that those not needed grow old. */
  readonly #free: Connection[] = []
  readonly #waiting: ((connection: Connection) => void)[] = []
  #inUse = 0
  #isServing = false
  #usedAt = performance.now()

  constructor(deps: OriginPoolDeps) {
    this.#deps = deps
  }

  /** Whether it has no connection, and had none since a time on the scale of `performance.now()`. */
  isUnusedSince(time: number): boolean {
    return this.#inUse === 0 && this.#free.length === 0 && this.#usedAt < time
  }

  /** Calls back with a connection, in the order of asking, at once if there is one. Every one needs one `release`. */
  use(start: (connection: Connection) => void): void {
    this.#waiting.push(start)
    this.#serve()
  }

  /** Gives a connection back. One that is closed, or that nobody knows the state of, is not used again. */
  release(connection: Connection, isUsable: boolean): void {
    this.#inUse -= 1
    this.#usedAt = performance.now()
    connection.exchange = undefined
    if (isUsable && connection.isOpen) this.#keep(connection)
    else this.#close(connection)
    this.#serve()
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
  #serve(): void {
    if (this.#isServing) return
    this.#isServing = true
    try {
      while (this.#waiting.length > 0 && (this.#free.length > 0 || this.#inUse < this.#deps.most)) {
        const connection = this.#take()
        this.#waiting.shift()?.(connection)
      }
    } finally {
      this.#isServing = false
    }
  }

  #take(): Connection {
    this.#inUse += 1
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
