import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { CommandFailure } from '../failure.ts'
import { problemWith } from './verify-delivery.ts'

/** A delivery that came, and what it was answered. */
export interface Received {
  readonly at: string
  readonly id: string
  readonly type: string
  /** Why it was refused. */
  readonly problem: string | undefined
  readonly status: number
  readonly body: string
}

export interface ReceiveOptions {
  readonly host: string
  readonly port: number
  readonly secret: string
  /** Where what is verified is sent on to; its answer is that of the receiver. */
  readonly forward: string | undefined
  readonly tell: (received: Received) => void
}

/** Receives deliveries until the server is closed. @throws CommandFailure when the port cannot be had. */
export const receive = async ({ host, port, secret, forward, tell }: ReceiveOptions): Promise<Server> => {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { received, answer: said } = await take(request, secret, forward)
    tell(received)
    response.writeHead(received.status, { 'content-type': 'text/plain' }).end(said)
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(port, host)
  try {
    await once(server, 'listening')
    return server
  } catch (error) {
    throw new CommandFailure(
      `Port ${port} of ${host} cannot be listened on: ${(error as Error).message}. Name another --port.`,
    )
  }
}

const take = async (
  request: IncomingMessage,
  secret: string,
  forward: string | undefined,
): Promise<{ received: Received; answer: string }> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const problem = problemWith(secret, request.headers, body)
  const { status, answer } = await answerOf(request, body, problem, forward)
  const received: Received = {
    at: new Date().toISOString(),
    id: String(request.headers['webhook-id'] ?? ''),
    type: typeOf(request, body),
    problem,
    status,
    body: body.toString(),
  }
  return { received, answer }
}

const answerOf = async (
  request: IncomingMessage,
  body: Buffer,
  problem: string | undefined,
  forward: string | undefined,
): Promise<{ status: number; answer: string }> => {
  if (problem !== undefined) return { status: 401, answer: problem }
  if (forward === undefined) return { status: 200, answer: '' }
  try {
    const answer = await fetch(forward, { method: 'POST', headers: passedOn(request), body: new Uint8Array(body) })
    return { status: answer.status, answer: await answer.text() }
  } catch (error) {
    const { cause } = error as { cause?: Error }
    return { status: 502, answer: `${forward} does not answer: ${cause?.message ?? String(error)}` }
  }
}

/** Those of one connection are not for the next. */
const ofConnection = new Set(['connection', 'host', 'content-length', 'keep-alive', 'transfer-encoding', 'expect'])
const passedOn = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !ofConnection.has(name))
      .map(([name, value]) => [name, String(value)]),
  )

const typeOf = (request: IncomingMessage, body: Buffer): string => {
  try {
    const { type, event } = JSON.parse(body.toString()) as { type?: string; event?: { type?: string } }
    return type ?? event?.type ?? ''
  } catch {
    return request.headers['content-type'] ?? ''
  }
}
