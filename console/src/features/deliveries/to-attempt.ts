import type { Schema } from '#api/types.ts'
import type { Attempt } from '#ui/delivery/attempt.ts'

/** An attempt of a hook's delivery, in the names that the parts of all surfaces share. */
export const toAttempt = (attempt: Schema<'HookEventAttempt'>): Attempt => ({
  number: attempt.number,
  startedAt: attempt.started_at,
  durationMs: attempt.duration_ms,
  outcome: attempt.outcome,
  reason: attempt.reason,
  detail: attempt.detail,
  requestHeaders: attempt.request_headers,
  status: attempt.response_http_status,
  responseHeaders: attempt.response_headers,
  responseBody: attempt.response_content,
  address: attempt.address,
  timing: timingOf(attempt.timing),
})

const timingOf = ({ first_byte: firstByte, ...phases }: Schema<'HookEventAttempt'>['timing']): Attempt['timing'] => ({
  ...phases,
  firstByte,
})
