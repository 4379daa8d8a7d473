import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends one request after the other and reads the answers into the same memory again and again. */
export interface LeanClient {
  /** @returns the status of the answer, once all of it is there, in the milliseconds it took. */
  get(path: string): Promise<Answered>
  /** The same with a request that `requestOf` has written. */
  send(request: string): Promise<Answered>
  close(): void
}

interface Answered {
  readonly status: number
  readonly ms: number
}

/** A request as it is sent. @param line method and path. */
export const requestOf = (origin: string, authorization: string, line: string, body = ''): string => {
  const { host } = new URL(origin)
  const content = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return `${line} HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${authorization}\r\n${body === '' ? '' : content}\r\n${body}`
}

const endOfHead = Buffer.from('\r\n\r\n')

/**
 * A client that leaves no garbage: answers of 200 KB make one that keeps them collect it every few requests, and what
 * that takes, up to 15 ms, would be in the figure. It needs answers with a Content-Length.
 */
export const connectLeanClient = async (origin: string, authorization: string): Promise<LeanClient> => {
  const { hostname, port } = new URL(origin)
  let head = Buffer.alloc(0)
  let status = 0
  let missing = 0
  let done: (() => void) | undefined
  const read = (bytes: Buffer): void => {
    if (missing > 0) missing -= bytes.length
    else {
      head = Buffer.concat([head, bytes])
      const end = head.indexOf(endOfHead)
      if (end < 0) return
      const text = head.subarray(0, end).toString('latin1')
      status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])
      missing = Number(/content-length: (\d+)/i.exec(text)?.[1]) + end + endOfHead.length - head.length
    }
    if (missing === 0) done?.()
  }
  const buffer = Buffer.alloc(256 * 1024)
  const callback = (count: number): boolean => {
    read(buffer.subarray(0, count))
    return true
  }
  const socket = connect({ host: hostname, port: Number(port), onread: { buffer, callback } }).setNoDelay()
  await once(socket, 'connect')
  const send = async (request: string): Promise<Answered> => {
    head = Buffer.alloc(0)
    const finished = new Promise<void>((resolve, reject) => {
      done = resolve
      socket.once('error', reject)
    })
    const start = performance.now()
    socket.write(request)
    await finished
    socket.removeAllListeners('error')
    return { status, ms: performance.now() - start }
  }
  return {
    send,
    get: (path) => send(requestOf(origin, authorization, `GET ${path}`)),
    close: () => socket.destroy(),
  }
}

/**
 * What requests take, one after the other, in milliseconds. The first one warms up, unless it takes all the time.
 * @param maxMs what takes longer is asked for less often, so that the suite ends. @throws Error unless each is answered by 200.
 */
export const timesOf = async (client: LeanClient, path: string, requests: number, maxMs: number): Promise<number[]> => {
  const times: number[] = []
  const began = performance.now()
  for (let request = 0; request <= requests; request++) {
    const { status, ms } = await client.get(path)
    if (status !== 200) throw new Error(`${path} answered ${status}.`)
    const isOver = performance.now() - began > maxMs
    if (request > 0 || isOver) times.push(ms)
    if (isOver) break
  }
  return times
}
