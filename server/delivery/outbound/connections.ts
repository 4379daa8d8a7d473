import type { Connection } from './connection.ts'

export interface ConnectionsOptions {
  /** Time for a whole exchange. */
  readonly exchangeTimeoutMs: number
  /** A connection that nobody used for this long is closed. */
  readonly idleMs: number
  /** Connections kept open for later use; of more the least recently used is closed. */
  readonly maxIdle: number
}

/** Longest and shortest time between two looks. */
const maxWaitMs = 5_000
const shortestWaitMs = 10

/**
 * All connections, to every origin: ends exchanges that take too long, and closes connections that are idle for long or
 * too many. One timer for the first of these to happen, then all are looked at: a timer for each exchange costs more.
 */
export class Connections {
  readonly #all = new Set<Connection>()
  readonly #options: ConnectionsOptions
  #idle = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: ConnectionsOptions) {
    this.#options = options
  }

  add(connection: Connection): void {
    this.#all.add(connection)
    this.#timer ??= this.#lookIn(Infinity)
  }

  delete(connection: Connection): void {
    this.#all.delete(connection)
  }

  /** One of them is used by nobody now. */
  left(): void {
    this.#idle += 1
    if (this.#idle > this.#options.maxIdle) this.#leastRecentlyUsed()?.drop()
  }

  /** One of them is used again, or closed. */
  taken(): void {
    this.#idle -= 1
  }

  /** Ends all exchanges. */
  abort(): void {
    for (const { exchange } of this.#all) exchange?.abort()
  }

  /** Closes those that nobody uses. */
  close(): void {
    for (const connection of this.#all) connection.drop()
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #leastRecentlyUsed(): Connection | undefined {
    let found: Connection | undefined
    for (const connection of this.#all) if (connection.idleSince < (found?.idleSince ?? Infinity)) found = connection
    return found
  }

  #lookIn(waitMs: number): NodeJS.Timeout {
    // Whatever begins from now on has its whole time before it.
    const maxMs = Math.min(maxWaitMs, this.#options.exchangeTimeoutMs, this.#options.idleMs)
    return setTimeout(() => this.#look(), Math.max(shortestWaitMs, Math.min(waitMs, maxMs))).unref()
  }

  #look(): void {
    const { exchangeTimeoutMs, idleMs } = this.#options
    const now = performance.now()
    let nextMs = Infinity
    for (const connection of this.#all) {
      const { exchange } = connection
      const leftMs =
        exchange === undefined ? connection.idleSince + idleMs - now : exchange.startedAt + exchangeTimeoutMs - now
      if (leftMs > 0) nextMs = Math.min(nextMs, leftMs)
      else if (exchange === undefined) connection.drop()
      else exchange.timeOut(exchangeTimeoutMs)
    }
    this.#timer = this.#all.size === 0 ? undefined : this.#lookIn(nextMs)
  }
}
