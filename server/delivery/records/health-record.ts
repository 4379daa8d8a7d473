import { Type, type Static } from 'typebox'
import { Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { mostCounted, type HealthReport } from '../health/health-report.ts'

const countNames = ['pending', 'held', 'failed_24h'] as const

/** How a receiver is doing, on every surface with snake_case names. */
export const HealthRecord = Type.Object(
  {
    health: OneOf(['healthy', 'failing', 'disabled', 'probing'], {
      description:
        'failing: one delivery at a time, with pauses. disabled: nothing is sent but, now and then, a probe. probing: one is under way. ' +
        'Nothing is sent before paused_until (pauses between attempts while it is failing) and hold_until (the receiver asked for it).',
    }),
    is_active: Type.Boolean(),
    disabled_reason: Nullable(Type.String({ examples: ['failing', 'gone'] })),
    failures: Type.Integer({ description: 'In a row, over all deliveries.' }),
    failing_since: Nullable(Timestamp),
    last_success_at: Nullable(Timestamp),
    last_failure_at: Nullable(Timestamp),
    disabled_at: Nullable(Timestamp),
    next_probe_at: Nullable(Timestamp),
    paused_until: Nullable(Timestamp),
    hold_until: Nullable(Timestamp),
    pending: Type.Integer(),
    held: Type.Integer(),
    failed_24h: Type.Integer({ description: 'Deliveries that failed for good in the last 24 hours.' }),
    capped: Type.Array(OneOf(countNames), {
      description: 'Counts that reached 10,000, so that there may be more.',
    }),
  },
  { title: 'ReceiverHealth' },
)
export type HealthRecord = Static<typeof HealthRecord>

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
    capped: countNames.filter((name) => shown[name] >= mostCounted),
  }
}

const text = (time: Date | null): string | null => time?.toISOString() ?? null
