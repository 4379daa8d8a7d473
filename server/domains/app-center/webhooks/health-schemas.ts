import { Type, type Static } from 'typebox'
import { verdicts, waits } from '#delivery/explain/explanation.ts'
import { Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { DeliveryRecord } from './delivery-schemas.ts'

export const countNames = ['pending', 'held', 'failed24h'] as const

/** How the receiver of a webhook is doing. */
export const HealthRecord = Type.Object(
  {
    health: OneOf(['healthy', 'failing', 'disabled', 'probing'], {
      description:
        'failing: one delivery at a time, with pauses. disabled: the server switched the webhook off; nothing is sent but, now and then, ' +
        'a probe. probing: one is under way.',
    }),
    active: Type.Boolean({ description: 'As the webhook says it.' }),
    disabledBy: Nullable(OneOf(['person', 'server'], { description: 'Who switched it off; null while it is active.' })),
    disabledReason: Nullable(
      OneOf(['failing', 'gone'], {
        description:
          'Why the server did. failing: nothing was accepted since failingSince; it is tried again at nextProbeAt. ' +
          'gone: the receiver answered 410, and it stays off until somebody switches it on.',
      }),
    ),
    disabledAt: Nullable(Type.String({ ...Timestamp, description: 'When the server did.' })),
    failures: Type.Integer({ description: 'In a row, over all deliveries.' }),
    failingSince: Nullable(Timestamp),
    lastSuccessAt: Nullable(Timestamp),
    lastFailureAt: Nullable(Timestamp),
    nextProbeAt: Nullable(Timestamp),
    pausedUntil: Nullable(
      Type.String({
        ...Timestamp,
        description: 'Nothing is sent before: a pause between attempts while it is failing.',
      }),
    ),
    holdUntil: Nullable(
      Type.String({ ...Timestamp, description: 'Nothing is sent before: the receiver asked for it with Retry-After.' }),
    ),
    pending: Type.Integer({ description: 'Deliveries that are due, now or later.' }),
    held: Type.Integer({ description: 'Deliveries that are kept until it is switched on, or recovered.' }),
    failed24h: Type.Integer({ description: 'Deliveries that failed for good in the last 24 hours.' }),
    capped: Type.Array(OneOf(countNames), {
      description: 'Counts that reached 10,000, so that there may be more.',
    }),
  },
  { title: 'WebhookHealth' },
)
export type HealthRecord = Static<typeof HealthRecord>

/** Why a delivery is where it is. */
export const ExplanationRecord = Type.Object(
  {
    delivery: DeliveryRecord.properties.id,
    messageId: DeliveryRecord.properties.messageId,
    event: DeliveryRecord.properties.event,
    occurredAt: Timestamp,
    verdict: OneOf(verdicts),
    summary: Type.String({ description: 'For people, in a sentence or two.' }),
    facts: Type.Array(Type.Object({ at: Timestamp, what: Type.String() }), {
      description: 'What happened and what is to happen, in the order of time.',
    }),
    next: Nullable(Type.Object({ at: Nullable(Timestamp), waitsFor: OneOf(waits) })),
    advice: Nullable(Type.String()),
  },
  { title: 'WebhookDeliveryExplanation' },
)
export type ExplanationRecord = Static<typeof ExplanationRecord>
