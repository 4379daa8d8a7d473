import { hourMs } from '#platform/clock.ts'
import { retryDelayMs, type RetryStrategy } from '../subscriber/retry.ts'
import type { SendResult } from '../outbound/sender.ts'
import type { AttemptOutcome, DeliveryStatus } from '../tables/tables.ts'

/** What the next state of a delivery depends on besides the answer. */
export interface SettleInput {
  readonly result: SendResult
  /** Number of the attempt that ended, 1 for the first, without those that do not count. */
  readonly attempt: number
  /** Status before the attempt: only a pending delivery has a schedule; a manual attempt of a closed one starts none. */
  readonly before: DeliveryStatus
  readonly maxAttempts: number
  readonly strategy: RetryStrategy
  readonly now: Date
  readonly random: () => number
}

/** What becomes of a delivery after an attempt. */
export interface Settlement {
  readonly status: DeliveryStatus
  readonly outcome: AttemptOutcome
  /** `delivered`, `http_500`, `broker_refused`, `timeout`, … : why, in one word. */
  readonly reason: string
  readonly nextAttemptAt: Date | null
  /** How long the subscription's own retries wait after such a failure, also where no retry follows; 0 without a failure. */
  readonly retryWaitMs: number
  /** The whole subscription is asked to be quiet until then (Retry-After). */
  readonly holdUntil: Date | null
  /** The receiver said it is gone for good (410): switch the subscription off. */
  readonly disable: boolean
}

/** Longest Retry-After that is honoured (contract, section 5). */
const maxHoldMs = 6 * hourMs

/** Decides by contract, sections 4 and 5: only 2xx is success, or a broker's confirmation; 410 ends the subscription, Retry-After on 429 and 503 counts. */
export const settle = (input: SettleInput): Settlement => {
  const { result, before, now, strategy, attempt, random } = input
  if (isSuccess(result)) return { ...quiet, status: 'delivered', outcome: 'delivered', reason: 'delivered' }

  const isPending = before === 'pending'
  const reason = result.reason === 'response' ? `http_${result.status}` : result.reason
  // Stopped by us, not by the receiver: nobody knows whether it arrived, so it goes out again at once.
  if (result.reason === 'aborted') {
    return { ...quiet, status: before, outcome: 'unknown', reason, nextAttemptAt: isPending ? now : null }
  }
  const disable = result.status === 410
  const holdUntil = isAskedToWait(result) ? retryAfter(result.headers?.['retry-after'], now) : null
  const retryWaitMs = retryDelayMs(strategy, attempt, random)
  const last = disable || attempt >= input.maxAttempts
  if (!isPending || last) {
    const status = isPending ? 'failed' : before
    return { status, outcome: 'failed', reason, nextAttemptAt: null, retryWaitMs, holdUntil, disable }
  }
  return {
    status: 'pending',
    outcome: 'retry',
    reason,
    nextAttemptAt: laterOf(new Date(now.getTime() + retryWaitMs), holdUntil),
    retryWaitMs,
    holdUntil,
    disable,
  }
}

const quiet = { nextAttemptAt: null, retryWaitMs: 0, holdUntil: null, disable: false }

const laterOf = (time: Date, other: Date | null): Date => (other !== null && other > time ? other : time)

const isSuccess = ({ reason, status }: SendResult): boolean =>
  reason === 'accepted' || (reason === 'response' && status !== null && status >= 200 && status < 300)

const isAskedToWait = ({ status }: SendResult): boolean => status === 429 || status === 503

/** Reads `Retry-After` as seconds or as an HTTP date (RFC 9110, section 10.2.3); null when it says nothing usable. */
export const retryAfter = (value: string | undefined, now: Date): Date | null => {
  if (value === undefined) return null
  const text = value.trim()
  // Every form of an HTTP date means GMT; the oldest does not say so.
  const date = text.endsWith('GMT') ? text : `${text} GMT`
  const at = /^\d+$/.test(text) ? now.getTime() + Number(text) * 1_000 : Date.parse(date)
  if (Number.isNaN(at) || at <= now.getTime()) return null
  return new Date(Math.min(at, now.getTime() + maxHoldMs))
}
