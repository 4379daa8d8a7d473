import { Type, type Static } from 'typebox'
import { verdicts, waits } from '#delivery/explain/explanation.ts'
import { Id, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'

export const ExplanationRecord = Type.Object({
  event: Type.Integer({ description: 'Id of the event.' }),
  event_type: Nullable(Type.String()),
  occurred_at: Nullable(Timestamp),
  hook: Id,
  hook_event: Nullable(Type.Integer({ description: 'Id of the delivery, if there is one.' })),
  verdict: OneOf(verdicts),
  summary: Type.String(),
  facts: Type.Array(Type.Object({ at: Timestamp, what: Type.String() }), {
    description: 'What happened and what is to happen, in the order of time.',
  }),
  next: Nullable(Type.Object({ at: Nullable(Timestamp), waits_for: OneOf(waits) })),
  advice: Nullable(Type.String()),
})
export type ExplanationRecord = Static<typeof ExplanationRecord>

/** Either one event, or the object that events are about. */
export const ExplainQuery = Type.Object({
  event: Type.Optional(Id),
  content_type: Type.Optional(Id),
  object_id: Type.Optional(Type.String()),
  event_type: Type.Optional(Type.String({ description: 'With dots or hyphens.' })),
})
export type ExplainQuery = Static<typeof ExplainQuery>

const countNames = ['pending', 'held', 'failed_24h'] as const

export const HealthRecord = Type.Object({
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
})
export type HealthRecord = Static<typeof HealthRecord>
