import { Type, type Static } from 'typebox'
import { webhookIdPattern } from '#delivery/tables/webhook-id.ts'
import { pingEventTypes, projectEventTypes } from '#events/catalogue.ts'
import { pageQuery } from '#platform/http/pagination.ts'
import { Body, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'

const statuses = ['pending', 'delivered', 'failed', 'cancelled', 'held'] as const
const eventTypes = [...projectEventTypes, ...pingEventTypes] as const

const common = {
  id: Type.String({ description: '24 hexadecimal characters.', examples: ['00000000000068f1c2a40001'] }),
  messageId: Type.String({
    description: 'The header `webhook-id` of every attempt.',
    examples: ['01a15b87-3b5c-7000-8d2e-6f7a8b9c0d1e'],
  }),
  event: OneOf(eventTypes),
  status: OneOf(statuses, {
    description:
      'pending: due now or later. held: happened while deliveries had failed for days; sent when the webhook is switched on again.',
  }),
  attempts: Type.Integer({ description: 'Attempts begun, the one under way included.' }),
  nextAttemptAt: Nullable(Timestamp),
  responseStatus: Nullable(Type.Integer({ description: 'Of the last attempt that ended; null without an answer.' })),
  reason: Nullable(
    Type.String({ description: 'Why the last attempt ended as it did, in a word.', examples: ['http_503', 'timeout'] }),
  ),
  createdAt: Timestamp,
  finishedAt: Nullable(Timestamp),
}

export const DeliveryRecord = Type.Object(common, { title: 'WebhookDelivery' })
export type DeliveryRecord = Static<typeof DeliveryRecord>

const Headers = Nullable(Type.Record(Type.String(), Type.String()))
const phase = Nullable(Type.Integer())

const AttemptRecord = Type.Object(
  {
    number: Type.Integer(),
    startedAt: Timestamp,
    durationMs: Nullable(Type.Integer()),
    outcome: OneOf(['delivered', 'retry', 'failed', 'unknown'], {
      description: 'unknown: the server stopped before the attempt ended.',
    }),
    reason: Nullable(Type.String({ description: 'Why it ended as it did, in a word.' })),
    detail: Nullable(Type.String({ description: 'The same for people.' })),
    requestHeaders: Nullable(
      Type.Record(Type.String(), Type.String(), {
        description: 'Without signatures and the values of custom headers.',
      }),
    ),
    responseStatus: Nullable(Type.Integer()),
    responseHeaders: Headers,
    responseBody: Nullable(Type.String()),
    address: Nullable(Type.String({ description: 'The address that was connected to.', examples: ['203.0.113.7'] })),
    timing: Type.Object(
      { dnsMs: phase, connectMs: phase, tlsMs: phase, firstByteMs: phase },
      { description: 'null where there was no such phase: a connection that is kept needs no DNS, connect and TLS.' },
    ),
    nextAttemptAt: Nullable(Timestamp),
  },
  { title: 'WebhookDeliveryAttempt' },
)
export type AttemptRecord = Static<typeof AttemptRecord>

export const DeliveryDetail = Type.Object(
  {
    ...common,
    payload: Type.Unknown({ description: 'The body, as every attempt sends it.' }),
    attemptLog: Type.Array(AttemptRecord, { description: 'The first one first.' }),
  },
  { title: 'WebhookDeliveryDetail' },
)
export type DeliveryDetail = Static<typeof DeliveryDetail>

export const DeliveryQuery = Type.Object({
  ...pageQuery(),
  messageId: Type.Optional(
    Type.String({ pattern: webhookIdPattern, description: 'A `webhook-id`, with or without hyphens.' }),
  ),
  event: Type.Optional(OneOf(eventTypes)),
  status: Type.Optional(OneOf(statuses)),
})

const retry = Body(
  { force: Type.Optional(Type.Boolean({ description: 'Also one that is still due. Default: false.' })) },
  [],
  { examples: [{ force: true }] },
)
export const Retry = Type.Unsafe<Static<typeof retry> | null>({ ...retry, type: ['object', 'null'] })

/** The delivery that was queued. */
export const QueuedDelivery = Type.Object({ delivery: common.id }, { title: 'QueuedDelivery' })
