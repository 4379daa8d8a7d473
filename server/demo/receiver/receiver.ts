import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartRefused, type Service } from '#platform/supervisor.ts'
import { answerAt } from './answers.ts'
import { pageOf, type KeptRequest } from './page.ts'
import { verify } from './verify.ts'

const maxKept = 200
const maxBodyCharacters = 20_000

export interface DemoReceiver extends Service {
  /** Listens, and keeps the port. @returns the port. */
  open(port: number): Promise<number>
}

/**
 * Receives what the hooks of the demo send, on this machine alone: checks signatures, answers as the path says, and shows the
 * last requests to people (`/`) and programs (`/requests`).
 */
export const makeReceiver = (): DemoReceiver => {
  const kept: KeptRequest[] = []
  let total = 0
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request)
    const answer = answerAt(request.url ?? '/', Math.random())
    const index = total++
    const entry = keptOf(request, body)
    kept.unshift(entry)
    kept.splice(maxKept)
    if (!(await isStillThere(response, answer.afterMs))) return
    const place = total - 1 - index
    if (place < kept.length) kept[place] = { ...entry, status: answer.status }
    response.writeHead(answer.status, answer.headers).end(answer.body)
  }
  const server = createServer((request, response) => {
    if (request.method !== 'GET') {
      receive(request, response).catch(() => response.destroy())
      return
    }
    const isJson = request.url === '/requests'
    response.writeHead(200, { 'content-type': isJson ? 'application/json' : 'text/html; charset=utf-8' })
    response.end(isJson ? JSON.stringify({ total, requests: kept }) : pageOf(kept, total))
  })
  return {
    name: 'demo-receiver',
    open: (port) => listen(server, port),
    start: async () => undefined,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** @throws StartRefused when somebody else has the port. */
const listen = async (server: Server, port: number): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new StartRefused(`The receiver of the demo cannot have port ${port}: stop the process that uses it.`, {
          cause: error,
        }),
      ),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Waits, unless the sender goes away first. @returns whether there is somebody to answer. */
const isStillThere = async (response: ServerResponse, ms: number): Promise<boolean> => {
  const left = new AbortController()
  response.once('close', () => left.abort())
  await sleep(ms, undefined, { signal: left.signal, ref: false }).catch(() => undefined)
  return !left.signal.aborted
}

const keptOf = (request: IncomingMessage, body: Buffer): KeptRequest => {
  const { method = '', url = '/', headers } = request
  return {
    at: new Date(),
    method,
    path: url,
    event: String(headers['x-whisperer-event'] ?? typeOf(body) ?? headers['content-type'] ?? ''),
    verdict: verify(headers, body),
    status: null,
    headers,
    body: body.toString().slice(0, maxBodyCharacters),
  }
}

/** The type of an event in the standard envelope; undefined for anything else, such as the data of a flow. */
const typeOf = (body: Buffer): string | undefined => /^\{"type":"([^"]+)"/.exec(body.subarray(0, 300).toString())?.[1]
