import type { Observation, Observed } from '../health/health.ts'
import type { AttemptResult } from '../queue/finish.ts'
import type { Settlement } from '../attempt/settle.ts'

/** An attempt that ended, with what it means for its subscription. */
export interface SettledAttempt {
  readonly finished: AttemptResult
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
  return [...grouped].flatMap(([key, ended]) => (troubled.has(key) ? observedOf(ended) : []))
}

const keyOf = ({ finished, version }: SettledAttempt): string => `${finished.subscriptionId}:${version}`

const observedOf = (ended: readonly SettledAttempt[]): Observed[] => {
  const [first] = ended
  if (first === undefined) return []
  const lastSuccess = ended.findLastIndex(({ settlement }) => settlement.outcome === 'delivered')
  const failures = ended.slice(lastSuccess + 1)
  const lastFailure = ended.findLast(({ settlement }) => settlement.outcome !== 'delivered')
  const holds = ended.flatMap(({ settlement }) => settlement.holdUntil ?? [])
  const observation: Observation = {
    lastSuccessAt: ended[lastSuccess]?.finished.finishedAt ?? null,
    failures: failures.length,
    firstFailureAt: failures[0]?.finished.finishedAt ?? null,
    lastFailureAt: lastFailure?.finished.finishedAt ?? null,
    retryWaitMs: lastFailure?.settlement.retryWaitMs ?? 0,
    isGone: ended.some(({ settlement }) => settlement.disable),
    holdUntil: holds.length === 0 ? null : holds.reduce((latest, hold) => (hold > latest ? hold : latest)),
  }
  return [{ subscriptionId: first.finished.subscriptionId, version: first.version, observation }]
}
