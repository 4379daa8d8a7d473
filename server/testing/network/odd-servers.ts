import { once } from 'node:events'
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { Worker } from 'node:worker_threads'
import { afterAll } from 'vitest'
import { key, localhost } from './certificates.ts'

/** A TCP server that answers the first bytes it gets with bytes of your choice. @returns its port. */
export const makeRawServer = (answer: (socket: Socket) => void): Promise<number> =>
  listen(
    createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => answer(socket))
    }),
  )

/** Sends bytes and closes, whatever was asked. */
export const saying =
  (bytes: string | Buffer) =>
  (socket: Socket): void =>
    void socket.end(bytes)

/** Misbehaves on its first connection, and answers 200 `fine` on every later one. @returns its port. */
export const makeServerOddOnce = (odd: (socket: Socket) => void): Promise<number> => {
  let isFirst = true
  return makeRawServer((socket) => {
    if (!isFirst) return saying('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine')(socket)
    isFirst = false
    odd(socket)
  })
}

/** An HTTPS server whose certificate nobody vouches for. @returns its port. */
export const makeSelfSignedServer = async (): Promise<number> => (await makeTlsServer(localhost)).port

/** A request to an HTTPS server, and the name that its connection was opened for. */
export interface TlsRequest {
  /** What the client said in its hello (SNI); undefined when it named none. */
  readonly servername: string | undefined
  readonly headers: IncomingHttpHeaders
  /** Whether the connection took up an earlier TLS session. */
  readonly isResumed: boolean
}

/** An HTTPS server with a certificate of `certificates.ts`; one that does not keep connections takes one request on each. */
export const makeTlsServer = async (
  cert: string,
  { keepsConnections = true } = {},
): Promise<{ port: number; requests: TlsRequest[] }> => {
  const requests: TlsRequest[] = []
  const server = createHttpsServer({ key, cert }, ({ socket, headers }, response) => {
    const { servername } = socket as TLSSocket & { servername: string | false }
    const isResumed = (socket as TLSSocket).isSessionReused()
    requests.push({ servername: servername === false ? undefined : servername, headers, isResumed })
    if (!keepsConnections) response.setHeader('connection', 'close')
    response.end()
  })
  server.on('tlsClientError', () => undefined)
  return { port: await listen(server), requests }
}

/** What became of the connections to a server. */
export interface CountingServer {
  readonly port: number
  /** Connections that were made, and those that are still open. */
  readonly count: { made: number; open: number }
}

/** Answers 200 `fine` after a while, keeps connections for a minute, and counts them. */
export const makeCountingServer = async (
  options: { cert?: string; delayMs?: number } = {},
): Promise<CountingServer> => {
  const { cert, delayMs = 0 } = options
  const count = { made: 0, open: 0 }
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume()
    setTimeout(() => response.end('fine'), delayMs)
  }
  const server = cert === undefined ? createHttpServer(answer) : createHttpsServer({ key, cert }, answer)
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket: Socket) => {
    count.made += 1
    count.open += 1
    socket.on('close', () => (count.open -= 1))
  })
  return { port: await listen(server), count }
}

/** A port of 127.0.0.1 that nobody listens on. */
export const closedPort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => void server.close(resolve))
  return port
}

/** Listens with room for two connections, takes none of them, and wakes up when told to. */
const busyListener = `
  const { parentPort } = require('node:worker_threads')
  const answer = 'HTTP/1.1 200 OK\\r\\nconnection: close\\r\\ncontent-length: 4\\r\\n\\r\\nfine'
  const server = require('node:net').createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(answer))
  })
  const gate = new Int32Array(new SharedArrayBuffer(4))
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage({ port: server.address().port, gate })
    Atomics.wait(gate, 0, 0)
  })`

/** A server so busy that further connections to it are never completed, until it is freed and answers 200 `fine`. */
export const makeFullServer = async (): Promise<{ port: number; free: () => void }> => {
  const worker = new Worker(busyListener, { eval: true })
  const [{ port, gate }] = (await once(worker, 'message')) as [{ port: number; gate: Int32Array }]
  const free = (): void => {
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
  }
  afterAll(async () => {
    free()
    await worker.terminate()
  })
  return { port, free }
}

const listen = async (server: Server): Promise<number> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  afterAll(async () => {
    const closed = new Promise((resolve) => void server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  })
  return (server.address() as AddressInfo).port
}
