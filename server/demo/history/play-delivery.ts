import { retryDelayMs, type RetryStrategy } from '#delivery/subscriber/retry.ts'
import type { DeliveryStatus } from '#delivery/tables/tables.ts'
import type { Chance } from './chance.ts'
import type { Behaviour, Outcome } from './outcomes.ts'

/** How a subscription is delivered to, and since when the engine has it switched off. */
export interface Played {
  readonly behaviour: Behaviour
  readonly retry: RetryStrategy
  readonly maxAttempts: number
  readonly offSince?: Date
}

export interface PlayedAttempt {
  readonly number: number
  readonly startedAt: Date
  readonly outcome: 'delivered' | 'retry' | 'failed'
  readonly nextAttemptAt: Date | null
  readonly result: Outcome
}

/** What became of a delivery by now. */
export interface PlayedDelivery {
  readonly status: DeliveryStatus
  readonly nextAttemptAt: Date
  readonly finishedAt: Date | null
  readonly attempts: readonly PlayedAttempt[]
}

/** Tries a delivery as often as there was time for it. */
export const playDelivery = (
  queuedAt: Date,
  played: Played,
  { chance, now }: { chance: Chance; now: Date },
): PlayedDelivery => {
  const { behaviour, retry, maxAttempts, offSince } = played
  const attempts: PlayedAttempt[] = []
  if (offSince !== undefined && queuedAt >= offSince)
    return { status: 'held', nextAttemptAt: queuedAt, finishedAt: null, attempts }
  const until = offSince ?? now
  let startedAt = new Date(queuedAt.getTime() + chance.whole(2, 40))
  for (let number = 1; ; number++) {
    const result = behaviour(startedAt, chance)
    const finishedAt = new Date(startedAt.getTime() + result.durationMs)
    const isLast = number >= maxAttempts || result.status === 410
    if (result.isDelivered || isLast) {
      const status = result.isDelivered ? 'delivered' : 'failed'
      attempts.push({ number, startedAt, outcome: status, nextAttemptAt: null, result })
      return { status, nextAttemptAt: startedAt, finishedAt, attempts }
    }
    const nextAttemptAt = new Date(finishedAt.getTime() + retryDelayMs(retry, number, chance.random))
    attempts.push({ number, startedAt, outcome: 'retry', nextAttemptAt, result })
    if (nextAttemptAt >= until) return { status: 'pending', nextAttemptAt, finishedAt: null, attempts }
    startedAt = nextAttemptAt
  }
}
