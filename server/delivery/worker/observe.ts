import type { Observation, Observed } from '../health/health.ts'
import type { AttemptResult } from '../queue/finish.ts'
import type { Settlement } from '../attempt/settle.ts'

/** An attempt that settled, with what it means for its subscription. */
export interface SettledAttempt {
  readonly attemptResult: AttemptResult
  readonly settlement: Settlement
  /** Version of the subscription that was attempted: what an old address says is not about the new one. */
  readonly version: number
  /** The subscription had failures on record when the delivery was claimed. */
  readonly isTroubled: boolean
}

/**
 * What a batch of attempts says about each subscription in it; nothing about those that are well and stay so,
 * which is nearly all of them. An attempt that we cut off says nothing about the receiver.
 */
export const observe = (batch: readonly SettledAttempt[]): Observed[] => {
  const telling = batch.filter(({ settlement, isTroubled }) => settlement.outcome !== 'delivered' || isTroubled)
  if (telling.length === 0) return []
  const troubled = new Set(telling.map(keyOf))
  const grouped = Map.groupBy(
    batch.filter(({ settlement }) => settlement.outcome !== 'unknown'),
    keyOf,
  )
  return [...grouped].flatMap(([key, settled]) => (troubled.has(key) ? observedOf(settled) : []))
}

const keyOf = ({ attemptResult, version }: SettledAttempt): string => `${attemptResult.subscriptionId}:${version}`

const observedOf = (settled: readonly SettledAttempt[]): Observed[] => {
  const [first] = settled
  if (first === undefined) return []
  const lastSuccess = settled.findLastIndex(({ settlement }) => settlement.outcome === 'delivered')
  const failures = settled.slice(lastSuccess + 1)
  const lastFailure = settled.findLast(({ settlement }) => settlement.outcome !== 'delivered')
  const holds = settled.flatMap(({ settlement }) => settlement.holdUntil ?? [])
  const observation: Observation = {
    lastSuccessAt: settled[lastSuccess]?.attemptResult.finishedAt ?? null,
    failures: failures.length,
    firstFailureAt: failures[0]?.attemptResult.finishedAt ?? null,
    lastFailureAt: lastFailure?.attemptResult.finishedAt ?? null,
    retryWaitMs: lastFailure?.settlement.retryWaitMs ?? 0,
    isGone: settled.some(({ settlement }) => settlement.disable),
    holdUntil: holds.length === 0 ? null : holds.reduce((latest, hold) => (hold > latest ? hold : latest)),
  }
  return [{ subscriptionId: first.attemptResult.subscriptionId, version: first.version, observation }]
}
