import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Promised, SteadyLoad } from '../chaos/steady-load.ts'

/** Clients that raise one event a request, one after the other, and repeat each until it is accepted. */
export interface EventLoad extends SteadyLoad {
  /** Longest time that a client waited for any answer. */
  readonly slowestAnswerMs: number
  /** Connections that broke, as they do when a process is killed. */
  readonly broken: number
}

export interface EventLoadOptions {
  /** Of the load balancer. */
  readonly origin: string
  readonly authorization: string
  readonly clients: number
  /** Between an answer and the next request of a client. */
  readonly pauseMs: number
}

export const raisedType = 'shipment.status.updated'
const afterTroubleMs = 100
const answerTimeoutMs = 60_000

export const startEventLoad = ({ origin, authorization, clients, pauseMs }: EventLoadOptions): EventLoad => {
  const pool = new Pool(origin, { connections: clients, headersTimeout: answerTimeoutMs })
  const promised: Promised[] = []
  const statuses = new Map<number, number>()
  const surprises: string[] = []
  let made = 0
  let slowestAnswerMs = 0
  let broken = 0
  const stopping = new AbortController()

  const attempt = async (number: number): Promise<boolean> => {
    const askedAt = performance.now()
    const answer = await pool.request({
      path: '/api/v1/events/',
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(eventOf(number)),
    })
    const text = await answer.body.text()
    slowestAnswerMs = Math.max(slowestAnswerMs, performance.now() - askedAt)
    statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1)
    if (answer.statusCode === 202) return true
    const isOfBalancer = answer.headers['content-type'] !== 'application/json; charset=utf-8'
    const isClean = answer.statusCode === 503 && answer.headers['retry-after'] !== undefined
    // The balancer's own words, about a process that was killed.
    if (!isClean && !(isOfBalancer && [502, 503].includes(answer.statusCode)))
      surprises.push(`${answer.statusCode} ${text}`)
    return false
  }
  const brokenConnection = (error: unknown): void => {
    if ((error as { code?: string }).code === 'UND_ERR_SOCKET') broken += 1
    else surprises.push(String(error))
  }
  const raise = async (): Promise<void> => {
    made += 1
    for (const number = made; ; await sleep(afterTroubleMs)) {
      if (!(await attempt(number).catch(brokenConnection))) continue
      promised.push({ packageId: number, at: performance.now() })
      return
    }
  }
  const client = async (): Promise<void> => {
    for (; !stopping.signal.aborted; await sleep(pauseMs)) await raise()
  }
  const running = Array.from({ length: clients }, client)

  return {
    promised,
    statuses,
    surprises,
    get slowestAnswerMs() {
      return slowestAnswerMs
    },
    get broken() {
      return broken
    },
    stop: async () => {
      stopping.abort()
      await Promise.all(running)
      await pool.close()
    },
  }
}

/** The same whenever it is asked for: a repeated request is a duplicate. */
const eventOf = (number: number) => ({
  id: `event-${number}`,
  type: raisedType,
  timestamp: '2026-11-21T09:30:00Z',
  data: {
    id: number,
    package: 7,
    transfer: null,
    carrier: 'DHL',
    awb_number: 'JD014600003828',
    tracking_url: null,
    status: 'in_transit',
    created_date: '2026-11-20T16:00:00Z',
    modified_date: '2026-11-21T09:30:00Z',
  },
})
