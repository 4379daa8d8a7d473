import type { HealthChange, HealthState } from './health.ts'
import type { NewEvent } from '../outbox/outbox.ts'

/** The event of a change of a subscription's health. */
export const healthEvent = (
  { subscriptionId: id, scope, change }: { subscriptionId: number; scope: string; change: HealthChange },
  state: HealthState,
): NewEvent => ({
  type: `webhook.${change}`,
  scope,
  object: { type: 'webhook', id },
  data: {
    id,
    health: state.health === 'probing' ? 'disabled' : state.health,
    disabled_reason: state.disabledReason,
    failures: state.failures,
    failing_since: text(state.failingSince),
    last_success_at: text(state.lastSuccessAt),
    disabled_at: text(state.disabledAt),
    next_probe_at: text(state.probeAt),
  },
})

const text = (time: Date | null): string | null => time?.toISOString() ?? null
