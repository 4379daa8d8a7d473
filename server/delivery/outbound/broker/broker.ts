import type { LookupFunction, Socket } from 'node:net'
import type { BrokerUrl } from './broker-url.ts'

/** What is sent: the headers and the bytes that a POST would carry. */
export interface BrokerMessage {
  /** The webhook-id: the same on every attempt. */
  readonly id: string
  readonly eventType: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** A connection to a broker, for any number of messages at once. */
export interface Link {
  /**
   * Resolves when the broker has said that it keeps the message, with a sentence about where.
   * Rejects with BrokerRefused when it said that it does not; any other error means that nobody knows.
   */
  publish(url: BrokerUrl, message: BrokerMessage): Promise<string>
  /** Why the broker takes nothing at the moment, as it said; undefined when it did not. */
  blockedBecause?(): string | undefined
  /** Closes it at once. */
  close(): void
}

export interface Credentials {
  readonly user: string | undefined
  readonly password: string
}

/** How a connection is opened. */
export interface Ways {
  readonly credentials: Credentials | undefined
  /** Names the connection at the broker. */
  readonly clientName: string
  /** Opens a socket to an address that the guard has checked, within the time for that. */
  readonly dial: (to: { readonly hostname: string; readonly port: number; readonly isTls: boolean }) => Promise<Socket>
  /** The guard's look-up, for a client that opens its socket itself. */
  readonly lookup: LookupFunction
  readonly connectTimeoutMs: number
  readonly ca: string | undefined
  /** To be called once, when a connection that was open is not any more. */
  readonly onClosed: (error: Error) => void
}

/** What speaks the protocol of one kind of broker. Its client is loaded when the first connection is opened. */
export interface Broker {
  /** As sentences name it. */
  readonly name: string
  /** What is wrong with path and query of a URL, or missing; undefined when nothing is. */
  routeProblem(url: BrokerUrl): string | undefined
  /** Part of the path that belongs to the connection, such as a virtual host. */
  spaceOf(url: BrokerUrl): string
  open(url: BrokerUrl, ways: Ways): Promise<Link>
}

/** The broker was asked, and said no. */
export class BrokerRefused extends Error {
  override readonly name = 'BrokerRefused'
}

/** The broker does not accept the credential, or asks for one. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused'
}

/** What answers is no such broker. */
export class OtherProtocol extends Error {
  override readonly name = 'OtherProtocol'
}

/** A name with the type of the event in place of `{event_type}`. */
export const filled = (name: string, eventType: string): string => name.replaceAll('{event_type}', eventType)

/** A sentence about parameters of a query that nobody reads; undefined when there are none. */
export const unknownParameter = ({ query }: BrokerUrl, known: readonly string[]): string | undefined => {
  const unknown = Object.keys(query).find((name) => !known.includes(name))
  if (unknown === undefined) return undefined
  const allowed = known.length === 0 ? 'none is known here' : `known here: ${known.join(', ')}`
  return `The parameter ${unknown} of the query means nothing (${allowed}).`
}
