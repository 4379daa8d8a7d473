import { Type, type Static } from 'typebox'
import { verdicts, waits } from '#delivery/explain/explanation.ts'
import { Id, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'

export const ExplanationRecord = Type.Object(
  {
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
  },
  { title: 'Explanation' },
)
export type ExplanationRecord = Static<typeof ExplanationRecord>

/** Either one event, or the object that events are about. */
export const ExplainQuery = Type.Object({
  event: Type.Optional(Id),
  content_type: Type.Optional(Id),
  object_id: Type.Optional(Type.String()),
  event_type: Type.Optional(Type.String({ description: 'With dots or hyphens.' })),
})
export type ExplainQuery = Static<typeof ExplainQuery>
