import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

export interface SteadyLoadOptions {
  readonly origin: string
  readonly authorization: string
  readonly clients: number
  /** Between an answer and the next request of a client. */
  readonly pauseMs: number
}

/** One package that somebody was promised. */
export interface Promised {
  readonly packageId: number
  /** When the promise came, by `performance.now()`. */
  readonly at: number
}

/**
 * Clients that create packages one after the other and do not give up: each write has an Idempotency-Key
 * and is repeated until it is answered.
 */
export interface SteadyLoad {
  readonly promised: readonly Promised[]
  /** How many answers of each status. */
  readonly statuses: ReadonlyMap<number, number>
  /** Connections to the server that broke, and answers that no client should ever get. */
  readonly surprises: readonly string[]
  /** Lets every client get the answer that it waits for, and ends. */
  stop(): Promise<void>
}

const afterTroubleMs = 100
const answerTimeoutMs = 60_000

export const startSteadyLoad = ({ origin, authorization, clients, pauseMs }: SteadyLoadOptions): SteadyLoad => {
  const pool = new Pool(origin, { connections: clients, headersTimeout: answerTimeoutMs })
  const promised: Promised[] = []
  const statuses = new Map<number, number>()
  const surprises: string[] = []
  let made = 0
  const stopping = new AbortController()

  /** @returns the package's id; undefined when the server was not able to. */
  const attempt = async (number: number): Promise<number | undefined> => {
    const answer = await pool.request({
      path: '/api/v1/packages/',
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': `package-${number}` },
      body: JSON.stringify({ order_number: `O-${number}`, items: [{ sku: 'CHAIR', quantity: 1 }] }),
    })
    const text = await answer.body.text()
    statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1)
    if (answer.statusCode === 201) return (JSON.parse(text) as { id: number }).id
    const saysWhen = answer.headers['retry-after'] !== undefined
    if (!saysWhen || !isCleanRefusal(answer.statusCode, text)) surprises.push(`${answer.statusCode} ${text}`)
    return undefined
  }
  const create = async (): Promise<void> => {
    made += 1
    for (const number = made; ; await sleep(afterTroubleMs)) {
      const packageId = await attempt(number).catch((error: unknown) => void surprises.push(String(error)))
      if (packageId === undefined) continue
      promised.push({ packageId, at: performance.now() })
      return
    }
  }
  const client = async (): Promise<void> => {
    for (; !stopping.signal.aborted; await sleep(pauseMs)) await create()
  }
  const running = Array.from({ length: clients }, client)

  return {
    promised,
    statuses,
    surprises,
    stop: async () => {
      stopping.abort()
      await Promise.all(running)
      await pool.close()
    },
  }
}

/** Sorry, in the API's words, and nothing about what is behind it. */
const isCleanRefusal = (status: number, text: string): boolean =>
  status === 503 && /^\{"detail":"[^"]+"\}$/.test(text) && !/sql|connect|postgres/i.test(text)
