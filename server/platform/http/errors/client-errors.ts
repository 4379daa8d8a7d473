import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** What Node refuses before there is a request, by error code. Anything else is not HTTP. */
const answers: Record<string, readonly [status: number, detail: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not complete in time.'],
}

/** Answers a connection whose bytes could not be read as a request, in the usual error shape, and closes it. */
export const answerClientError = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, detail] = answers[error.code ?? ''] ?? [400, 'This is not an HTTP request.']
  const body = JSON.stringify({ detail })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    `x-request-id: ${randomUUID()}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
