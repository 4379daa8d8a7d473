import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request as it came in. */
export interface Arrival {
  readonly webhookId: string
  readonly path: string
  readonly body: string
  /** By `performance.now()`. */
  readonly at: number
}

/** Does something with a request that was written down. */
export type Answer = (arrival: Arrival, response: ServerResponse) => void

/** A receiver that writes down all it gets, whatever it answers. */
export interface Ledger {
  readonly url: string
  readonly arrivals: readonly Arrival[]
  /** From now on, answer like this; 200 at once until then. */
  answer(how: Answer): void
  close(): Promise<void>
}

const ok: Answer = (_arrival, response) => void response.writeHead(200, { 'content-length': '0' }).end()

/** Starts one on a free port of 127.0.0.1. */
export const startLedger = async (): Promise<Ledger> => {
  const arrivals: Arrival[] = []
  let how = ok
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => undefined)
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const arrival = arrivalOf(request, chunks)
      arrivals.push(arrival)
      how(arrival, response)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    arrivals,
    answer: (next) => {
      how = next
    },
    close: async () => {
      const closed = new Promise((resolve) => void server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const arrivalOf = ({ headers, url: path = '' }: IncomingMessage, chunks: readonly Buffer[]): Arrival => ({
  webhookId: String(headers['webhook-id']),
  path,
  body: Buffer.concat(chunks).toString(),
  at: performance.now(),
})
