import type { Explanation } from '#delivery/explain/explanation.ts'
import { mostCounted, type HealthReport } from '#delivery/health/health-report.ts'
import type { ExplanationRecord, HealthRecord } from './explanation-schemas.ts'

/** What an explanation is about. */
export interface Explained {
  readonly eventId: number
  readonly eventType: string | null
  readonly occurredAt: Date | null
  readonly deliveryId: number | null
  readonly explanation: Explanation
}

export const toExplanationRecord = (explained: Explained, hook: number): ExplanationRecord => {
  const { eventId, eventType, occurredAt, deliveryId, explanation } = explained
  const { verdict, summary, facts, next, advice } = explanation
  return {
    event: eventId,
    event_type: eventType,
    occurred_at: text(occurredAt),
    hook,
    hook_event: deliveryId,
    verdict,
    summary,
    facts: facts.map(({ at, what }) => ({ at: at.toISOString(), what })),
    next: next === null ? null : { at: text(next.at), waits_for: next.waitsFor },
    advice,
  }
}

export const toHealthRecord = ({ counts, ...state }: HealthReport): HealthRecord => {
  const shown = { pending: counts.pending, held: counts.held, failed_24h: counts.failed24h }
  return {
    health: state.health,
    is_active: state.isActive,
    disabled_reason: state.disabledReason,
    failures: state.failures,
    failing_since: text(state.failingSince),
    last_success_at: text(state.lastSuccessAt),
    last_failure_at: text(state.lastFailureAt),
    disabled_at: text(state.disabledAt),
    next_probe_at: text(state.probeAt),
    paused_until: text(state.pausedUntil),
    hold_until: text(state.holdUntil),
    ...shown,
    capped: (['pending', 'held', 'failed_24h'] as const).filter((name) => shown[name] >= mostCounted),
  }
}

const text = (time: Date | null): string | null => time?.toISOString() ?? null
