import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { DeliveryStatus } from '#delivery/tables/tables.ts'
import type { Answer } from './ledger.ts'

/** Something that receivers do, and what the engine should make of it. */
export interface ReceiverTrouble {
  readonly name: string
  readonly answer: Answer
  /** What the log says of it. */
  readonly reason: RegExp
  /** What can become of its deliveries in the end; `delivered` when only that can. */
  readonly ends?: readonly DeliveryStatus[]
}

const megabyte = Buffer.alloc(1_048_576, 'x')
/** 64 MiB, unpacked. */
const bomb = gzipSync(Buffer.alloc(64 * megabyte.length))

const status =
  (code: number, headers: OutgoingHttpHeaders = {}): Answer =>
  (_arrival, response) =>
    void response.writeHead(code, headers).end()

/** Bytes of its own instead of an HTTP answer; then the end of the connection. */
const raw =
  (bytes: string): Answer =>
  (_arrival, { socket }) =>
    void socket?.end(bytes)

/** Sends so many megabytes, as fast as they are taken. */
const pour = (response: ServerResponse, megabytes: number): void => {
  if (response.destroyed) return
  if (megabytes === 0) return void response.end()
  if (response.write(megabyte)) setImmediate(() => pour(response, megabytes - 1))
  else response.once('drain', () => pour(response, megabytes - 1))
}

export const receiverTroubles: readonly ReceiverTrouble[] = [
  { name: 'reset', answer: (_arrival, { socket }) => void socket?.resetAndDestroy(), reason: /^connection_error$/ },
  { name: 'closed', answer: raw(''), reason: /^connection_error$/ },
  { name: 'hang', answer: () => undefined, reason: /^timeout$/ },
  {
    name: 'drip',
    answer: (_arrival, response) => {
      response.writeHead(200)
      const dripping = setInterval(() => response.write('.'), 100)
      response.on('close', () => clearInterval(dripping))
    },
    reason: /^timeout$/,
  },
  {
    name: '50 MB',
    answer: (_arrival, response) => {
      response.writeHead(200)
      pour(response, 50)
    },
    reason: /^delivered$/,
  },
  {
    name: 'gzip bomb',
    answer: (_arrival, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    reason: /^delivered$/,
  },
  { name: 'too short', answer: raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort'), reason: /_error$/ },
  {
    name: 'too long',
    answer: raw(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n${'x'.repeat(5_000)}`),
    reason: /^(delivered|connection_error|protocol_error)$/,
  },
  { name: 'not HTTP', answer: raw('SSH-2.0-OpenSSH_9.2\r\n'), reason: /^protocol_error$/ },
  { name: 'redirect', answer: status(302, { location: 'http://127.0.0.1:9/' }), reason: /^http_302$/ },
  { name: '500', answer: status(500), reason: /^http_500$/ },
  { name: '429, Retry-After', answer: status(429, { 'retry-after': '2' }), reason: /^http_429$/ },
  { name: '503, Retry-After', answer: status(503, { 'retry-after': '2' }), reason: /^http_503$/ },
  { name: '410', answer: status(410), reason: /^http_410$/, ends: ['delivered', 'failed', 'held', 'pending'] },
  {
    name: 'slow',
    answer: (_arrival, response) => void setTimeout(() => response.writeHead(200).end(), 3_000),
    reason: /^delivered$/,
  },
]
