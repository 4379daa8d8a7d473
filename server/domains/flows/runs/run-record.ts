import type { Attempt, Delivery } from '#delivery/log/delivery-log.ts'
import { toAttemptFacts } from '#delivery/records/attempt-facts.ts'
import { webhookIdOf } from '#delivery/tables/webhook-id.ts'
import { stateOf } from './run-state.ts'
import type { AttemptRecord, RunRecord } from './schemas.ts'

/** A run as answers show it. */
export const toRecord = (flow: number, delivery: Delivery, installationId: string): RunRecord => {
  const { content } = delivery
  const bytes = content?.bytes ?? null
  return {
    run_id: delivery.id,
    uuid: webhookIdOf(delivery.id, installationId),
    flow,
    state: stateOf(delivery),
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    last_status: delivery.lastStatus,
    last_reason: delivery.lastReason,
    content_type: content?.mediaType ?? null,
    size: content?.size ?? 0,
    ...(bytes === null ? { payload: null, payload_encoding: null } : payloadOf(bytes)),
    created_at: delivery.createdAt.toISOString(),
    finished_at: delivery.finishedAt?.toISOString() ?? null,
  }
}

/** A byte order mark is part of the data. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes in JSON: as text where they are UTF-8, whatever their content type says, else as base64. */
export const payloadOf = (bytes: Buffer): { payload: string; payload_encoding: 'utf-8' | 'base64' } => {
  try {
    return { payload: utf8.decode(bytes), payload_encoding: 'utf-8' }
  } catch {
    return { payload: bytes.toString('base64'), payload_encoding: 'base64' }
  }
}

export const toAttemptRecord = (attempt: Attempt): AttemptRecord => ({
  ...toAttemptFacts(attempt),
  response_status: attempt.responseStatus,
  response_body: attempt.responseBody,
})
