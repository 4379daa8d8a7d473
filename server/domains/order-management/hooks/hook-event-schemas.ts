import { Type, type Static } from 'typebox'
import { attemptFacts } from '#delivery/records/attempt-facts.ts'
import { webhookIdPattern } from '#delivery/tables/webhook-id.ts'
import { orderingQuery, pageQuery } from '#platform/http/pagination.ts'
import { Body, Id, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { createdDateFilters } from './created-date.ts'
import { HookOfEvent, TruthValue } from './hook-schemas.ts'

const status = OneOf(['pending', 'delivered', 'failed', 'cancelled', 'held'], {
  description: 'held: happened while the hook was switched off for failing; sent only when somebody asks for it.',
})

const common = {
  id: Id,
  uuid: Type.String({ description: 'The webhook-id that every attempt carries.' }),
  webhook: HookOfEvent,
  event: Type.Integer({ description: 'Id of the event; every hook that gets it has a delivery of its own.' }),
  event_type: Type.String(),
  content_type: Nullable(Type.Integer({ description: 'Content type of the object.' })),
  object_id: Nullable(Type.String()),
  request_payload: Type.Unknown({ description: 'The body. In lists null when it is larger than 16 KiB.' }),
  request_datetimes: Type.Array(Timestamp, { description: 'When each attempt began, the newest first.' }),
  response_http_status: Nullable(
    Type.Integer({ description: 'Of the last attempt that ended; null without an answer.' }),
  ),
  response_content: Nullable(
    Type.String({ description: 'Of the last attempt that ended. In lists at most 1,024 characters.' }),
  ),
  response_time: Nullable(
    Type.String({ description: 'Duration of that attempt, HH:MM:SS.ffffff.', examples: ['00:00:00.187000'] }),
  ),
  delivered: Type.Boolean(),
  status,
  reason: Nullable(Type.String({ description: 'Why the last attempt ended as it did, in a word.' })),
  retry_count: Type.Integer({ description: 'As the original service counts: every attempt, the first one too.' }),
  attempt_count: Type.Integer(),
  next_attempt_at: Nullable(Timestamp),
  created_date: Timestamp,
  modified_date: Timestamp,
}

export const HookEventRecord = Type.Object(common, { title: 'HookEvent' })
export type HookEventRecord = Static<typeof HookEventRecord>

const AttemptRecord = Type.Object(
  { ...attemptFacts, response_http_status: Nullable(Type.Integer()), response_content: Nullable(Type.String()) },
  { title: 'HookEventAttempt' },
)
export type AttemptRecord = Static<typeof AttemptRecord>

export const HookEventDetail = Type.Object(
  { ...common, attempts: Type.Array(AttemptRecord) },
  { title: 'HookEventDetail' },
)

const filters = {
  event_type: Type.Optional(Type.String({ description: 'With dots or hyphens.' })),
  status: Type.Optional(status),
  reason: Type.Optional(
    Type.String({ description: 'Why the last attempt ended as it did, in a word.', examples: ['timeout', 'http_503'] }),
  ),
  uuid: Type.Optional(
    Type.String({
      pattern: webhookIdPattern,
      description: 'With or without hyphens.',
      examples: ['019aa5f2-8d40-7001-9b1e-5c0f3a7d2e64'],
    }),
  ),
  response_http_status: Type.Optional(Type.Integer({ minimum: 0, maximum: 999 })),
  webhook: Type.Optional(Id),
  content_type: Type.Optional(Id),
  object_id: Type.Optional(Type.String()),
  ...(Object.fromEntries(
    createdDateFilters.map((name) => [
      name,
      Type.Optional(Type.String({ maxLength: 40, examples: ['2026-11-21', '2026-11-21T09:30:00Z'] })),
    ]),
  ) as Record<(typeof createdDateFilters)[number], ReturnType<typeof Type.Optional<ReturnType<typeof Type.String>>>>),
}

export const HookEventQuery = Type.Object({
  ...pageQuery(),
  ...orderingQuery(['created_date', 'id']),
  ...filters,
  delivered: Type.Optional(TruthValue),
})
export type HookEventQuery = Static<typeof HookEventQuery>

/** The filters of the list, as a body names them. */
export const HookEventFilter = Body({ ...filters, delivered: Type.Optional(Type.Boolean()) }, [], {
  title: 'HookEventFilter',
})
export type HookEventFilter = Static<typeof HookEventFilter>

/** What a manual retry came to. */
export const RetryResult = Type.Object(
  {
    detail: Type.String(),
    response_status: Nullable(Type.Integer()),
    response_content: Nullable(Type.String()),
    response_time: Nullable(Type.String({ description: 'Seconds.', examples: ['0.187'] })),
    delivered: Type.Boolean(),
    code: Type.Optional(Type.String({ description: 'Of a refusal: the code that the original service gives it.' })),
    en: Type.Optional(Type.String({ description: 'The same as detail, where the original service has it.' })),
  },
  { title: 'RetryResult' },
)
export type RetryResult = Static<typeof RetryResult>
