import type { Chance } from './chance.ts'

/** How one attempt ends. */
export interface Outcome {
  readonly isDelivered: boolean
  readonly reason: string
  readonly detail: string | null
  readonly status: number | null
  readonly durationMs: number
  readonly connectMs: number | null
  readonly firstByteMs: number | null
  readonly headers: string | null
  readonly body: string | null
}

/** How a receiver answers at a time of the history. */
export type Behaviour = (at: Date, chance: Chance) => Outcome

/** A time about as long as the usual one, and now and then much longer. */
const aboutMs = (usualMs: number, chance: Chance): number => {
  const spread = chance.random() + chance.random() + chance.random() - 1.5
  return Math.max(2, Math.round(usualMs * Math.exp(spread) * (chance.isOneOf(0.02) ? 6 : 1)))
}

const answered = (status: number, body: string, usualMs: number, chance: Chance): Outcome => {
  const durationMs = aboutMs(usualMs, chance)
  const isDelivered = status < 300
  return {
    isDelivered,
    reason: isDelivered ? 'delivered' : `http_${status}`,
    detail: null,
    status,
    durationMs,
    // Most requests find a connection that is open already.
    connectMs: chance.isOneOf(0.1) ? chance.whole(0, 3) : null,
    firstByteMs: Math.max(1, durationMs - chance.whole(0, 2)),
    headers: `content-type: application/json\ncontent-length: ${body.length}`,
    body,
  }
}

/** Answers 200. */
export const ok =
  (usualMs: number): Behaviour =>
  (_at, chance) =>
    answered(200, '{"received":true}', usualMs, chance)

/** Answers that it cannot, with a status of its own. */
export const refuses =
  (status: number, error: string, usualMs = 20): Behaviour =>
  (_at, chance) =>
    answered(status, JSON.stringify({ error }), usualMs, chance)

/** Takes the request, and answers too late. */
export const timesOut: Behaviour = () => ({
  ...nothing,
  reason: 'timeout',
  detail: 'No answer came within 15 s.',
  durationMs: 15_000,
  connectMs: 1,
})

/** Is not there. */
export const isAway: Behaviour = (_at, chance) => ({
  ...nothing,
  reason: 'connection_error',
  detail: 'The connection was refused (connect ECONNREFUSED).',
  durationMs: chance.whole(1, 4),
})

const nothing = {
  isDelivered: false,
  status: null,
  connectMs: null,
  firstByteMs: null,
  headers: null,
  body: null,
} as const

/** One way, and now and then another. */
export const nowAndThen =
  (usually: Behaviour, probability: number, otherwise: Behaviour): Behaviour =>
  (at, chance) =>
    (chance.isOneOf(probability) ? otherwise : usually)(at, chance)

/** One way, and another within some time. */
export const during =
  (usually: Behaviour, [from, until]: readonly [Date, Date], otherwise: Behaviour): Behaviour =>
  (at, chance) =>
    (at >= from && at < until ? otherwise : usually)(at, chance)
