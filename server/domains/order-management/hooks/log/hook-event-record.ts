import { Type, type TSchema } from 'typebox'
import type { Delivery } from '#delivery/log/delivery-log.ts'
import { makeAttemptShape, snakeTiming } from '#delivery/surface/attempt-shape.ts'
import { makeShape, renaming, snakeCase } from '#delivery/surface/shape.ts'
import { inEnvelope } from '#delivery/tables/envelope.ts'
import { deliveryStatuses } from '#delivery/tables/tables.ts'
import { webhookIdOf } from '#delivery/tables/webhook-id.ts'
import { contentTypeId } from '#events/content-types.ts'
import { Id, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { HookOfEvent } from '../hook-schemas.ts'

export const DeliveryState = OneOf(deliveryStatuses, {
  description:
    'held: happened while the hook was switched off for failing; sent only when somebody asks for it, or with order when the hook is on. ' +
    'waiting: an earlier delivery about the same object is not done yet.',
})

const fields = {
  id: Id,
  uuid: Type.String({ description: 'The webhook-id that every attempt carries.' }),
  webhook: HookOfEvent,
  event: Type.Integer({ description: 'Id of the event; every hook that gets it has a delivery of its own.' }),
  eventType: Type.String(),
  contentType: Nullable(Type.Integer({ description: 'Content type of the object; null of kinds that have none.' })),
  objectType: Nullable(Type.String({ description: 'The kind of object.', examples: ['package'] })),
  objectId: Nullable(Type.String()),
  requestPayload: Type.Unknown({ description: 'The body. In lists null when it is larger than 16 KiB.' }),
  requestDatetimes: Type.Array(Timestamp, { description: 'When each attempt began, the newest first.' }),
  responseHttpStatus: Nullable(
    Type.Integer({ description: 'Of the last attempt that ended; null without an answer.' }),
  ),
  responseContent: Nullable(
    Type.String({ description: 'Of the last attempt that ended. In lists at most 1,024 characters.' }),
  ),
  responseTime: Nullable(
    Type.String({ description: 'Duration of that attempt, HH:MM:SS.ffffff.', examples: ['00:00:00.187000'] }),
  ),
  delivered: Type.Boolean(),
  status: DeliveryState,
  reason: Nullable(Type.String({ description: 'Why the last attempt ended as it did, in a word.' })),
  retryCount: Type.Integer({ description: 'As the original service counts: every attempt, the first one too.' }),
  attemptCount: Type.Integer(),
  nextAttemptAt: Nullable(Timestamp),
  createdDate: Timestamp,
  modifiedDate: Timestamp,
}
const shape = makeShape<Record<keyof typeof fields, unknown>>(snakeCase, fields, {
  title: 'HookEvent',
  description: 'An event on its way to a hook.',
})
export const HookEventRecord: TSchema = shape.schema

const attemptNames = {
  nextAttemptAt: 'next_due',
  responseStatus: 'response_http_status',
  responseBody: 'response_content',
}
export const attempt = makeAttemptShape(renaming(snakeCase, attemptNames), {
  title: 'HookEventAttempt',
  description: 'One attempt of a delivery to a hook.',
  timing: snakeTiming,
})
export const HookEventDetail = Type.Object(
  { ...shape.schema.properties, attempts: Type.Array(attempt.schema) },
  { title: 'HookEventDetail', description: 'A delivery to a hook with its attempts.' },
)

/** A delivery as the original's clients know it, with what they did not have: status, reason, next attempt. */
export const toEventRecord = (
  delivery: Delivery,
  hooks: ReadonlyMap<number, HookOfEvent>,
  installationId: string,
): Record<string, unknown> => {
  const webhook = hooks.get(delivery.subscriptionId)
  if (webhook === undefined) throw new Error(`Delivery ${delivery.id} has no hook.`)
  const { id, status, attempts, lastAttempt, body } = delivery
  const uuid = webhookIdOf(id, installationId)
  return shape.toRecord({
    ...delivery,
    uuid,
    webhook,
    event: delivery.eventId,
    contentType: contentTypeId(delivery.objectType ?? '') ?? null,
    requestPayload: body === null ? null : JSON.parse(inEnvelope(body, { ...delivery, webhookId: uuid })),
    requestDatetimes: delivery.attemptTimes.map((time) => time.toISOString()),
    responseHttpStatus: delivery.lastStatus,
    responseContent: lastAttempt?.responseBody ?? null,
    responseTime: durationText(lastAttempt?.durationMs ?? null),
    delivered: status === 'delivered',
    reason: delivery.lastReason,
    retryCount: attempts,
    attemptCount: attempts,
    createdDate: delivery.createdAt,
    modifiedDate: lastChange(delivery),
  })
}

const lastChange = ({ createdAt, finishedAt, lastAttempt }: Delivery): Date =>
  finishedAt ??
  (lastAttempt === undefined ? createdAt : new Date(lastAttempt.startedAt.getTime() + (lastAttempt.durationMs ?? 0)))

/** A duration as the original writes it: `HH:MM:SS.ffffff`. */
const durationText = (ms: number | null): string | null => {
  if (ms === null) return null
  const twoDigits = (number: number): string => String(Math.floor(number)).padStart(2, '0')
  const seconds = ms / 1_000
  return `${twoDigits(seconds / 3_600)}:${twoDigits((seconds / 60) % 60)}:${twoDigits(seconds % 60)}.${String(ms % 1_000).padStart(3, '0')}000`
}
