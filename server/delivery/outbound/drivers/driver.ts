import type { ConnectionsOptions } from '../connections.ts'
import type { Guard } from '../guard/guard.ts'
import type { Resolve } from '../guard/guarded-lookup.ts'
import type { SendResult } from '../send-result.ts'

/** One exchange to make: a POST, or a message to a broker. */
export interface SendRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** For the names of places in a broker. */
  readonly eventType?: string
  /** Who sends: requests wait for a connection only behind others of the same sharer. */
  readonly sharer?: number
  /** Asked when there is a connection for the request; false leaves it unsent (`not_started`). */
  readonly mayStart?: () => boolean
}

/** What sends to the URLs of some schemes. */
export interface Driver {
  /** Never rejects. */
  send(request: SendRequest): Promise<SendResult>
  /** Ends every exchange in flight with `aborted`; nothing new is sent. */
  abort(): void
  /** Aborts what is in flight and closes all connections. */
  close(): void
}

/** What holds for every driver. */
export interface DriverOptions extends ConnectionsOptions {
  readonly guard: Guard
  readonly resolve?: Resolve | undefined
  /** Time for a look-up. */
  readonly dnsTimeoutMs: number
  /** Time for connection and TLS together, after the look-up. */
  readonly connectTimeoutMs: number
  /** Connections to one origin at once, for each of those that share them. */
  readonly connections: number
  /** Certificates (PEM) to trust in place of the system's. */
  readonly ca?: string | undefined
}
