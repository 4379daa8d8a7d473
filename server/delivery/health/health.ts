import type { Selectable } from 'kysely'
import type { Tables } from '#platform/db/database.ts'

/**
 * How an endpoint is doing, and what follows from how attempts end. Pure.
 *
 *   healthy ──5 failures in a row──► failing ──5 days without a success──► disabled
 *      ▲                               │                                   │    ▲
 *      ├────────── a success ──────────┘                    now and then   ▼    │ a failure
 *      └────────── a success ────────────────────────────────────────── probing ┘
 *
 * While it is failing a breaker lets one delivery at a time through, with pauses in between; what waits
 * spends no attempts. While it is disabled nothing is sent but a probe, and what happens is kept as
 * `held`. One that somebody switches on again is tried like one that is failing. A receiver that answers
 * 410 is disabled at once, and not probed: it says it is gone for good.
 */
export type Health = 'healthy' | 'failing' | 'disabled' | 'probing'

export interface HealthRules {
  /** Failures in a row after which an endpoint is failing. */
  readonly failingAfter: number
  /** Time of failures alone after which it is disabled. */
  readonly disabledAfterMs: number
  /** Time between two probes of a disabled one. */
  readonly probeEveryMs: number
}

/** The columns of an endpoint's health. */
export const healthColumns = [
  ...(['isActive', 'disabledReason', 'health', 'failures', 'failingSince', 'lastSuccessAt', 'lastFailureAt'] as const),
  ...(['disabledAt', 'probeAt', 'pausedUntil', 'holdUntil'] as const),
] as const

/** What is stored of an endpoint's health. */
export type HealthState = Readonly<Pick<Selectable<Tables['subscriptions']>, (typeof healthColumns)[number]>>

/** What some attempts of one endpoint that ended together say about it. */
export interface Observation {
  readonly lastSuccessAt: Date | null
  /** Failures after the last success among them, or all. */
  readonly failures: number
  readonly firstFailureAt: Date | null
  readonly lastFailureAt: Date | null
  /** How long its own retry strategy waits after the last failure, also where no retry follows; the breaker waits as long at most, but a second. */
  readonly retryWaitMs: number
  /** It answered 410. */
  readonly isGone: boolean
  /** It asked for quiet until then (Retry-After). */
  readonly holdUntil: Date | null
}

/** An observation, and which version of which subscription it is about. */
export interface Observed {
  readonly subscriptionId: number
  readonly version: number
  readonly observation: Observation
}

/** A change to report to people. */
export type HealthChange = 'failing' | 'disabled' | 'recovered'

const shortestPauseMs = 1_000
const maxPauseMs = 60_000

/** How long the breaker stays open: as long as it has been failing, so each pause is about twice the one before. */
const pauseMs = (failingForMs: number, retryWaitMs: number): number =>
  Math.max(shortestPauseMs, Math.min(failingForMs, maxPauseMs, retryWaitMs))

interface NextHealth {
  readonly state: HealthState
  readonly change: HealthChange | null
}

/** The state after the observation, and the change if there is one. */
export const nextHealth = (before: HealthState, seen: Observation, rules: HealthRules, now: Date): NextHealth => {
  const state = counted(before, seen)
  // Switched off by a person, or gone for good: an answer to a manual attempt changes only the record.
  const isOffForGood = !before.isActive && before.disabledReason !== 'failing'
  if (isOffForGood) return { state, change: null }
  if (seen.isGone) return { state: disabled(state, 'gone', now, null), change: before.isActive ? 'disabled' : null }
  if (state.failures < rules.failingAfter && seen.lastSuccessAt !== null) return recovered(state, before)
  if (!before.isActive) return { state: disabled(state, 'failing', now, nextProbe(rules, now)), change: null }
  // A subscription that is tried out after somebody switched it on again has had its failures.
  if (state.failures < rules.failingAfter && before.health === 'healthy') return { state, change: null }
  const change = before.health === 'failing' ? null : 'failing'
  return failing(state, change, seen.retryWaitMs, { rules, now })
}

const failing = (
  state: HealthState,
  change: 'failing' | null,
  retryWaitMs: number,
  { rules, now }: { rules: HealthRules; now: Date },
): NextHealth => {
  const failingForMs = now.getTime() - (state.failingSince ?? now).getTime()
  if (failingForMs >= rules.disabledAfterMs)
    return { state: disabled(state, 'failing', now, nextProbe(rules, now)), change: 'disabled' }
  const pausedUntil = new Date(now.getTime() + pauseMs(failingForMs, retryWaitMs))
  return { state: { ...state, health: 'failing', pausedUntil }, change }
}

const counted = (before: HealthState, seen: Observation): HealthState => {
  const goesOn = seen.lastSuccessAt === null
  const failures = goesOn ? before.failures + seen.failures : seen.failures
  const failingSince = (goesOn ? before.failingSince : null) ?? seen.firstFailureAt
  return {
    ...before,
    failures,
    failingSince: failures === 0 ? null : failingSince,
    lastSuccessAt: latest(before.lastSuccessAt, seen.lastSuccessAt),
    lastFailureAt: latest(before.lastFailureAt, seen.lastFailureAt),
    holdUntil: latest(before.holdUntil, seen.holdUntil),
  }
}

const disabled = (state: HealthState, reason: string, now: Date, probeAt: Date | null): HealthState => ({
  ...state,
  health: 'disabled',
  isActive: false,
  disabledReason: reason,
  disabledAt: state.disabledAt ?? now,
  probeAt,
})

const recovered = (state: HealthState, before: HealthState) => ({
  state: {
    ...state,
    health: 'healthy' as const,
    isActive: true,
    disabledReason: null,
    disabledAt: null,
    probeAt: null,
    pausedUntil: null,
  },
  change: before.health === 'healthy' ? null : ('recovered' as const),
})

const nextProbe = ({ probeEveryMs }: HealthRules, now: Date): Date => new Date(now.getTime() + probeEveryMs)

/** The later of two moments, of which either may not have been. */
export const latest = (one: Date | null, other: Date | null): Date | null => {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}
