import { Type, type Static } from 'typebox'
import { orderingQuery, pageQuery } from '#platform/http/pagination.ts'
import { Body, Id, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { createdDateFilters } from './created-date.ts'
import { HookOfEvent, TruthValue } from './hook-schemas.ts'

const Headers = Nullable(Type.Record(Type.String(), Type.String()))

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

export const HookEventRecord = Type.Object(common)
export type HookEventRecord = Static<typeof HookEventRecord>

const phase = Nullable(Type.Integer())

const AttemptRecord = Type.Object({
  number: Type.Integer(),
  started_at: Timestamp,
  duration_ms: Nullable(Type.Integer()),
  outcome: OneOf(['delivered', 'retry', 'failed', 'unknown'], {
    description: 'unknown: the server stopped before the attempt ended.',
  }),
  reason: Nullable(Type.String({ description: 'Why it ended as it did, in a word.' })),
  detail: Nullable(Type.String({ description: 'The same for people.' })),
  response_http_status: Nullable(Type.Integer()),
  request_headers: Headers,
  response_headers: Headers,
  response_content: Nullable(Type.String()),
  address: Nullable(Type.String({ description: 'The address that was connected to.', examples: ['203.0.113.7'] })),
  timing: Type.Object(
    { dns: phase, connect: phase, tls: phase, first_byte: phase, total: phase },
    {
      description:
        'Milliseconds. null where there was no such phase: a connection that is kept needs no dns, connect and tls. ' +
        'first_byte: from the request written to the first byte of the answer.',
    },
  ),
  next_due: Nullable(Timestamp),
})
export type AttemptRecord = Static<typeof AttemptRecord>

export const HookEventDetail = Type.Object({ ...common, attempts: Type.Array(AttemptRecord) })

/** Both forms that the original's clients have of it: with hyphens, and the 32 digits alone. */
const uuidForm = /^[0-9A-Fa-f]{8}(-?)[0-9A-Fa-f]{4}(-?)[0-9A-Fa-f]{4}(-?)[0-9A-Fa-f]{4}(-?)[0-9A-Fa-f]{12}$/

const filters = {
  event_type: Type.Optional(Type.String({ description: 'With dots or hyphens.' })),
  status: Type.Optional(status),
  reason: Type.Optional(
    Type.String({ description: 'Why the last attempt ended as it did, in a word.', examples: ['timeout', 'http_503'] }),
  ),
  uuid: Type.Optional(
    Type.String({
      pattern: uuidForm.source,
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
export const HookEventFilter = Body({ ...filters, delivered: Type.Optional(Type.Boolean()) })
export type HookEventFilter = Static<typeof HookEventFilter>

/** What a manual retry came to. */
export const RetryResult = Type.Object({
  detail: Type.String(),
  response_status: Nullable(Type.Integer()),
  response_content: Nullable(Type.String()),
  response_time: Nullable(Type.String({ description: 'Seconds.', examples: ['0.187'] })),
  delivered: Type.Boolean(),
  code: Type.Optional(Type.String({ description: 'Of a refusal: the code that the original service gives it.' })),
  en: Type.Optional(Type.String({ description: 'The same as detail, where the original service has it.' })),
})
export type RetryResult = Static<typeof RetryResult>
