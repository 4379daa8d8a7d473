import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

// A receiver in a process of its own, so that its work does not count as the sender's. What it does stands
// first in the path. Talks to its parent over IPC: any message is answered with what has come in since the last.

/** Of `timed` requests: the number of the event, at which endpoint, and when, in milliseconds since 1970. */
export interface TimedArrival {
  readonly number: number
  readonly endpoint: number
  readonly at: number
}

export type FromReceiver =
  | { readonly port: number }
  | { readonly count: number; readonly timed: readonly TimedArrival[]; readonly processorSeconds: number }

const dripMs = 100
let count = 0
let timed: TimedArrival[] = []

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void

const answer = (response: ServerResponse): void => {
  count += 1
  response.writeHead(200, { 'content-length': '0' }).end()
}

const behaviours: Record<string, Behaviour> = {
  hook: (request, response) => {
    request.resume()
    request.on('end', () => answer(response))
  },
  timed: (request, response) => {
    const at = performance.timeOrigin + performance.now()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const number = Number(/"order_number":"O-(\d+)"/.exec(Buffer.concat(chunks).toString())?.[1])
      timed.push({ number, endpoint: Number(request.url?.split('/')[2]), at })
      answer(response)
    })
  },
  hang: (request) => void request.resume(),
  drip: (request, response) => {
    request.resume()
    response.writeHead(200)
    const dripping = setInterval(() => response.write('.'), dripMs)
    response.on('close', () => clearInterval(dripping))
  },
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const behaviour = behaviours[request.url?.split('/')[1] ?? '']
  if (behaviour === undefined) response.writeHead(404).end()
  else behaviour(request, response)
})
const tell = (message: FromReceiver): void => void process.send?.(message)

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  tell({ port: typeof address === 'object' && address !== null ? address.port : 0 })
})
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  tell({ count, timed, processorSeconds: (user + system) / 1_000_000 })
  timed = []
})
process.on('disconnect', () => process.exit(0))
