import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector } from 'undici'
import { Opening } from './opening.ts'

export interface ConnectorOptions {
  /** Resolves names, and refuses what must not be reached. */
  readonly lookup: LookupFunction
  /** Time for connection and TLS together, after the look-up. */
  readonly connectTimeoutMs: number
  /** Certificates (PEM) to trust in place of the system's. */
  readonly ca?: string | undefined
  /** Protocols to agree on with TLS. */
  readonly alpn?: readonly string[]
}

/** Opens a socket; calls back once, when it is ready to be written to or has failed. */
export type Connector = (
  to: buildConnector.Options,
  done: buildConnector.Callback,
) => { readonly socket: Socket; readonly opening: Opening }

/** The connection was not there in time. */
class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout'
  readonly code = 'CONNECT_TIMEOUT'
}

/** One exchange at a time on each connection: HTTP/2 would bring nothing but a second protocol. */
const onlyHttp1: readonly string[] = ['http/1.1']

/** Lets the system find out about peers that are gone. */
const tcpKeepAliveMs = 60_000

/** Opens the sockets to one origin. They share the TLS session, which saves later ones half of the handshake. */
export const makeConnector = ({ lookup, connectTimeoutMs, ca, alpn = onlyHttp1 }: ConnectorOptions): Connector => {
  let session: Buffer | undefined

  const open = ({ hostname, port, protocol }: buildConnector.Options): Socket => {
    if (protocol !== 'https:') return connect({ host: hostname, port: Number(port || 80), lookup })
    const socket = connectTls({
      host: hostname,
      port: Number(port || 443),
      lookup,
      // Said here, because NODE_TLS_REJECT_UNAUTHORIZED in the environment must not switch it off.
      rejectUnauthorized: true,
      ...(alpn.length > 0 && { ALPNProtocols: [...alpn] }),
      // Not taken from the host by itself. A name may end in a dot, in a certificate it never does (RFC 6066, section 3).
      ...(isIP(hostname) === 0 && { servername: hostname.replace(/\.$/, '') }),
      ...(session !== undefined && { session }),
      ...(ca !== undefined && { ca }),
    })
    return socket.on('session', (ticket) => {
      session = ticket
    })
  }

  return (to, done) => {
    const isTls = to.protocol === 'https:'
    const opening = new Opening(to.hostname, isTls)
    const socket = open(to)
    let timer: NodeJS.Timeout | undefined
    const startTimer = (): void => {
      timer = setTimeout(() => socket.destroy(timeoutOf(opening, connectTimeoutMs)), connectTimeoutMs)
    }
    let isDone = false
    const finish = (error: Error | null): void => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      opening.end()
      if (error === null) done(null, socket)
      else done(error, null)
    }

    if (opening.phase === 'connect') startTimer()
    socket
      .setNoDelay(true)
      .setKeepAlive(true, tcpKeepAliveMs)
      .on('lookup', (error: Error | null) => {
        if (error !== null) return opening.end()
        if (opening.phase === 'dns') startTimer()
        opening.resolved()
      })
      .on('connectionAttempt', (address: string) => {
        opening.address = address
      })
      .once('connect', () => {
        opening.address = socket.remoteAddress ?? opening.address
        opening.connected()
      })
      .once(isTls ? 'secureConnect' : 'connect', () => finish(null))
      .on('error', finish)
      .once('close', () => finish(new Error('The connection was given up.')))
    return { socket, opening }
  }
}

const timeoutOf = ({ address, phase }: Opening, timeoutMs: number): Error => {
  const what = phase === 'tls' ? 'No TLS connection' : 'No connection'
  return new ConnectTimeout(`${what} to ${address} within ${timeoutMs / 1_000} s`)
}
