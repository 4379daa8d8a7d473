import type { Socket } from 'node:net'
import { Client, type Dispatcher } from 'undici'
import type { Connector } from './connector.ts'
import type { Exchange } from './exchange.ts'
import type { Opening } from './opening.ts'

/** A request as it goes over the wire. */
export type Outgoing = Pick<Dispatcher.DispatchOptions, 'path' | 'method' | 'headers' | 'body'>

/** The exchange has one budget of its own, which a slow drip of bytes cannot stretch. */
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 }
/** Receivers that say how long they keep a connection are believed, the others get 10 s. */
const keepAlive = { keepAliveTimeout: 10_000, keepAliveMaxTimeout: 60_000 }

/**
 * One connection to one origin, for one exchange at a time. It is opened by the first exchange, and
 * again by a later one when the receiver has closed it in between.
 */
export class Connection {
  readonly #client: Client
  #socket: Socket | undefined
  #opening: Opening | undefined
  #isFresh = false
  readonly #drop: (connection: Connection) => void
  /** What uses it. */
  exchange: Exchange | undefined
  /** Since when nobody uses it, on the scale of `performance.now()`; Infinity while somebody does. */
  idleSince = Infinity

  /** @param drop gives it up if nobody uses it. */
  constructor(origin: string, connector: Connector, drop: (connection: Connection) => void) {
    this.#drop = drop
    this.#client = new Client(origin, {
      ...noTimeouts,
      ...keepAlive,
      allowH2: false,
      connect: (to, done) => {
        const { socket, opening } = connector(to, (...result) => {
          done(...result)
          if (result[0] === null) acceptContinue(socket)
        })
        this.#socket = socket
        this.#opening = opening
        this.#isFresh = true
        socket.once('close', () => this.drop())
      },
    })
  }

  /** The address at the other end; null as long as none was tried. */
  get address(): string | null {
    return this.#opening?.address ?? null
  }

  /** How it was opened for the exchange that is under way; undefined when it was open before. */
  get opening(): Opening | undefined {
    return this.#isFresh ? this.#opening : undefined
  }

  /** Whether a request can be written without opening it again. */
  get isOpen(): boolean {
    return this.#socket !== undefined && !this.#socket.connecting && !this.#socket.destroyed
  }

  /** Makes an exchange, which reports its end. */
  send(request: Outgoing, exchange: Exchange): void {
    this.#isFresh = false
    this.exchange = exchange
    this.#client.dispatch(request, exchange)
  }

  /** Gives it up, if nobody uses it. */
  drop(): void {
    this.#drop(this)
  }

  /** Closes it at once, whatever it is doing. */
  close(): void {
    // Each can be without the other: a socket that is being opened, and a request that waits for it.
    this.#socket?.destroy()
    this.#client.destroy(() => undefined)
  }
}

interface Parser {
  onHeadersComplete(status: number, ...rest: unknown[]): number
}

/**
 * Lets a server say `100 Continue` without having been asked (RFC 9110, section 15.2: a client must be
 * able to parse it, and may ignore it). undici breaks such a connection, but passes over every other
 * interim answer, so to its parser it becomes one of these.
 *
 * The parser is found by the name of undici's symbol for it. Without it everything else works as before.
 */
const acceptContinue = (socket: Socket): void => {
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser')
  const parser = key === undefined ? undefined : (Reflect.get(socket, key) as Parser | null)
  if (parser === undefined || parser === null) return
  const onHeadersComplete = parser.onHeadersComplete.bind(parser)
  parser.onHeadersComplete = (status, ...rest) => onHeadersComplete(status === 100 ? 102 : status, ...rest)
}
