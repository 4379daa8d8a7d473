import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll } from 'vitest'

/** One message of a stream of server-sent events. */
export interface StreamMessage {
  readonly id: string
  readonly event: string
  readonly data: string
}

/** An open stream, and what came over it so far. */
export interface WatchedStream {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly messages: readonly StreamMessage[]
  /** Items of the messages about a topic, in their order. */
  items<Item>(topic: string): Item[]
  /** What the browser would send as `Last-Event-ID`. */
  lastId(): string | undefined
  isEnded(): boolean
  /** Breaks the connection. */
  cut(): void
  /** Stops reading, so that what is sent has to wait. */
  pause(): void
}

export interface WatchOptions {
  readonly query?: string
  readonly headers?: Record<string, string>
}

/** Opens streams of an application as a browser does. Resolves with the head of the answer, whatever it is. */
export const makeWatch = async (app: FastifyInstance) => {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const open = new Set<WatchedStream>()
  afterAll(() => {
    for (const stream of open) stream.cut()
  })
  return async ({ query = '', headers = {} }: WatchOptions = {}): Promise<WatchedStream> => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const sent = request({ port, host: '127.0.0.1', path: `/api/v1/stream/${query}`, headers, agent: false }, resolve)
    sent.once('error', reject)
    sent.end()
    const stream = read(await promise)
    open.add(stream)
    return stream
  }
}

const read = (answer: IncomingMessage): WatchedStream => {
  const messages: StreamMessage[] = []
  let text = ''
  let lastId: string | undefined
  let isEnded = false
  answer.setEncoding('utf8')
  answer.on('data', (part: string) => {
    const blocks = (text + part).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      lastId = fields.get('id') ?? lastId
      const [id, event, data] = ['id', 'event', 'data'].map((name) => fields.get(name))
      if (id !== undefined && event !== undefined && data !== undefined) messages.push({ id, event, data })
    }
  })
  const end = (): void => {
    isEnded = true
  }
  answer.once('close', end).once('error', end)
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    messages,
    items: <Item>(topic: string) =>
      messages
        .filter(({ event }) => event === topic)
        .flatMap(({ data }) => (JSON.parse(data) as { items: Item[] }).items),
    lastId: () => lastId,
    isEnded: () => isEnded,
    cut: () => void answer.destroy(),
    pause: () => void answer.pause(),
  }
}
