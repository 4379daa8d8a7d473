import type { Delivery } from '#delivery/log/delivery-log.ts'
import type { Explanation } from '#delivery/explain/explanation.ts'
import { mostCounted, type HealthReport } from '#delivery/health/health-report.ts'
import { toDeliveryRecord } from './delivery-record.ts'
import { countNames, type ExplanationRecord, type HealthRecord } from './health-schemas.ts'

/** The health of a webhook as answers show it. */
export const toHealthRecord = ({ counts, ...state }: HealthReport): HealthRecord => ({
  health: state.health,
  active: state.isActive,
  ...switchedOff(state),
  failures: state.failures,
  failingSince: text(state.failingSince),
  lastSuccessAt: text(state.lastSuccessAt),
  lastFailureAt: text(state.lastFailureAt),
  nextProbeAt: text(state.probeAt),
  pausedUntil: text(state.pausedUntil),
  holdUntil: text(state.holdUntil),
  ...counts,
  capped: countNames.filter((name) => counts[name] >= mostCounted),
})

/** Somebody who switches off what the server had switched off takes it over: it is not tried any more. */
const switchedOff = ({
  isActive,
  disabledReason: reason,
  disabledAt,
}: Pick<HealthReport, 'isActive' | 'disabledReason' | 'disabledAt'>): Pick<
  HealthRecord,
  'disabledBy' | 'disabledReason' | 'disabledAt'
> => {
  if (isActive) return { disabledBy: null, disabledReason: null, disabledAt: null }
  if (reason !== 'failing' && reason !== 'gone') return { disabledBy: 'person', disabledReason: null, disabledAt: null }
  return { disabledBy: 'server', disabledReason: reason, disabledAt: text(disabledAt) }
}

/** Why a delivery is where it is, as answers show it. */
export const toExplanationRecord = (
  delivery: Delivery,
  { verdict, summary, facts, next, advice }: Explanation,
  installationId: string,
): ExplanationRecord => {
  const { id, messageId, event } = toDeliveryRecord(delivery, installationId)
  return {
    delivery: id,
    messageId,
    event,
    occurredAt: delivery.occurredAt.toISOString(),
    verdict,
    summary,
    facts: facts.map(({ at, what }) => ({ at: at.toISOString(), what })),
    next: next === null ? null : { at: text(next.at), waitsFor: next.waitsFor },
    advice,
  }
}

const text = (time: Date | null): string | null => time?.toISOString() ?? null
