import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, vi } from 'vitest'
import { startHttpServer } from './network/http-server.ts'

/** One request as it came in. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The bytes as they were sent. */
  readonly body: Buffer
  readonly at: Date
}

/** What a receiver does with a request. Without anything: 200 and no body, at once. */
export interface Reply {
  readonly status?: number
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
  readonly delayMs?: number
  /**
   * Instead of an answer: `hang` sends nothing at all, `reset` breaks the connection, `stall` sends head
   * and body but no end, `drip` the same and then a byte every 10 ms.
   */
  readonly instead?: 'hang' | 'reset' | 'stall' | 'drip'
}

export type Answer = (received: Received) => Reply | Promise<Reply>

export interface Receiver {
  readonly url: string
  readonly port: number
  /** Everything so far, the oldest first. Empty it with `length = 0`. */
  readonly received: Received[]
  /** From now on, answer like this. */
  answer(how: Answer | Reply): void
  /** Resolves when at least so many requests have come in. */
  got(count: number, timeoutMs?: number): Promise<readonly Received[]>
  close(): Promise<void>
}

const dripMs = 10

/** A real HTTP server on a free port of 127.0.0.1 for tests to deliver to. Closes itself after the file's last test. */
export const makeReceiver = async (first: Answer | Reply = {}): Promise<Receiver> => {
  const received: Received[] = []
  let how = first

  const { port, close } = await startHttpServer((request, body, response) => {
    const { method = '', url: path = '', headers } = request
    const one: Received = { method, path, headers, body, at: new Date() }
    received.push(one)
    void Promise.resolve(typeof how === 'function' ? how(one) : how).then((reply) => carryOut(reply, response))
  })
  afterAll(close)

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    answer: (next) => {
      how = next
    },
    got: async (count, timeoutMs = 15_000) => {
      const enough = (): void => {
        if (received.length < count) throw new Error(`Of ${count} requests ${received.length} came in ${timeoutMs} ms.`)
      }
      await vi.waitFor(enough, { timeout: timeoutMs, interval: 5 })
      return received
    },
    close,
  }
}

const carryOut = async (reply: Reply, response: ServerResponse): Promise<void> => {
  const { status = 200, headers = {}, body = '', delayMs = 0, instead } = reply
  if (delayMs > 0) await sleep(delayMs)
  if (instead === 'hang') return
  if (instead === 'reset') return void response.socket?.resetAndDestroy()
  response.writeHead(status, headers)
  if (instead === undefined) return void response.end(body)
  response.flushHeaders()
  if (body.length > 0) response.write(body)
  if (instead !== 'drip') return
  const timer = setInterval(() => response.write('.'), dripMs)
  response.on('close', () => clearInterval(timer))
}
