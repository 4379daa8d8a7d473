import type { ServerResponse } from 'node:http'
import { startHttpServer } from '../network/http-server.ts'

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
  const { port, close } = await startHttpServer((request, body, response) => {
    const { headers, url: path = '' } = request
    const webhookId = String(headers['webhook-id'])
    const arrival: Arrival = { webhookId, path, body: body.toString(), at: performance.now() }
    arrivals.push(arrival)
    how(arrival, response)
  })
  return {
    url: `http://127.0.0.1:${port}/`,
    arrivals,
    answer: (next) => {
      how = next
    },
    close,
  }
}
