import type { Attempt, Delivery } from '#delivery/log/delivery-log.ts'
import { toAttemptFacts } from '#delivery/records/attempt-facts.ts'
import { webhookIdOf } from '#delivery/tables/webhook-id.ts'
import { contentTypes } from '#events/content-types.ts'
import type { AttemptRecord, HookEventRecord } from './hook-event-schemas.ts'
import type { HookOfEvent } from './hook-schemas.ts'

/** A delivery as the original's clients know it, with what they did not have: status, reason, next attempt. */
export const toEventRecord = (
  delivery: Delivery,
  hooks: ReadonlyMap<number, HookOfEvent>,
  installationId: string,
): HookEventRecord => {
  const webhook = hooks.get(delivery.subscriptionId)
  if (webhook === undefined) throw new Error(`Delivery ${delivery.id} has no hook.`)
  const { id, status, attempts, lastAttempt, body } = delivery
  return {
    id,
    uuid: webhookIdOf(id, installationId),
    webhook,
    event: delivery.eventId,
    event_type: delivery.eventType,
    content_type: contentTypeId(delivery.objectType),
    object_id: delivery.objectId,
    request_payload: body === null ? null : JSON.parse(body),
    request_datetimes: delivery.attemptTimes.map((time) => time.toISOString()),
    response_http_status: delivery.lastStatus,
    response_content: lastAttempt?.responseBody ?? null,
    response_time: durationText(lastAttempt?.durationMs ?? null),
    delivered: status === 'delivered',
    status,
    reason: delivery.lastReason,
    retry_count: attempts,
    attempt_count: attempts,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    created_date: delivery.createdAt.toISOString(),
    modified_date: lastChange(delivery).toISOString(),
  }
}

export const toAttemptRecord = (attempt: Attempt): AttemptRecord => ({
  ...toAttemptFacts(attempt),
  response_http_status: attempt.responseStatus,
  response_content: attempt.responseBody,
})

/** Content type of a filter's id: its name, or undefined when no kind of object has it. */
export const contentTypeName = (id: number): string | undefined =>
  Object.entries(contentTypes).find(([, known]) => known === id)?.[0]

const contentTypeId = (name: string | null): number | null =>
  name !== null && Object.hasOwn(contentTypes, name) ? contentTypes[name as keyof typeof contentTypes] : null

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
