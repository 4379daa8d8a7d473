import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An HTTP server on a free port of 127.0.0.1 that calls back with each request once its body is there. */
export const startHttpServer = async (
  onRequest: (request: IncomingMessage, body: Buffer, response: ServerResponse) => void,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> => {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => undefined)
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => onRequest(request, Buffer.concat(chunks), response))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    if (!server.listening) return
    const closed = new Promise((resolve) => void server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  return { port: (server.address() as AddressInfo).port, close }
}
