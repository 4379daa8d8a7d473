import type { Attempt, Delivery } from '#delivery/log/delivery-log.ts'
import { webhookIdOf } from '#delivery/tables/webhook-id.ts'
import { toObjectId } from '#platform/object-ids.ts'
import type { AttemptRecord, DeliveryDetail, DeliveryRecord } from './delivery-schemas.ts'

/** A delivery as the list of a webhook shows it. */
export const toDeliveryRecord = (delivery: Delivery, installationId: string): DeliveryRecord => ({
  id: toObjectId(delivery.id),
  messageId: webhookIdOf(delivery.id, installationId),
  // Only the events of these names reach a webhook of a project.
  event: delivery.eventType as DeliveryRecord['event'],
  status: delivery.status,
  attempts: delivery.attempts,
  nextAttemptAt: timeText(delivery.nextAttemptAt),
  responseStatus: delivery.lastStatus,
  reason: delivery.lastReason,
  createdAt: delivery.createdAt.toISOString(),
  finishedAt: timeText(delivery.finishedAt),
})

/** The same with what was sent, and every attempt. */
export const toDeliveryDetail = (
  delivery: Delivery,
  attempts: readonly Attempt[],
  installationId: string,
): DeliveryDetail => ({
  ...toDeliveryRecord(delivery, installationId),
  payload: delivery.body === null ? null : JSON.parse(delivery.body),
  attemptLog: attempts.map(toAttemptRecord),
})

const toAttemptRecord = (attempt: Attempt): AttemptRecord => ({
  number: attempt.number,
  startedAt: attempt.startedAt.toISOString(),
  durationMs: attempt.durationMs,
  outcome: attempt.outcome,
  reason: attempt.reason,
  detail: attempt.detail,
  requestHeaders: attempt.requestHeaders === null ? null : { ...attempt.requestHeaders },
  responseStatus: attempt.responseStatus,
  responseHeaders: attempt.responseHeaders === null ? null : { ...attempt.responseHeaders },
  responseBody: attempt.responseBody,
  address: attempt.address,
  timing: { ...attempt.timing },
  nextAttemptAt: timeText(attempt.nextAttemptAt),
})

const timeText = (time: Date | null): string | null => time?.toISOString() ?? null
