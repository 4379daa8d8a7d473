import type { Explanation } from '#delivery/explain/explanation.ts'
import type { ExplanationRecord } from './explanation-schemas.ts'

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

const text = (time: Date | null): string | null => time?.toISOString() ?? null
