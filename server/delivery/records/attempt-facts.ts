import { Type, type Static } from 'typebox'
import { Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import type { Attempt } from '../log/delivery-log.ts'

const phase = Nullable(Type.Integer())

const Timing = Type.Object(
  { dns: phase, connect: phase, tls: phase, first_byte: phase, total: phase },
  {
    title: 'AttemptTiming',
    description:
      'Milliseconds. null where there was no such phase: a connection that is kept needs no dns, connect and tls. ' +
      'first_byte: from the request written to the first byte of the answer.',
  },
)

/** Headers as they are answered; null where there were none. */
const HeaderRecord = Nullable(Type.Record(Type.String(), Type.String()))

/** What every surface with snake_case names says of an attempt, beside the answer's status and body. */
export const attemptFacts = {
  number: Type.Integer(),
  started_at: Timestamp,
  duration_ms: Nullable(Type.Integer()),
  outcome: OneOf(['delivered', 'retry', 'failed', 'unknown'], {
    description: 'unknown: the server stopped before the attempt ended.',
  }),
  reason: Nullable(Type.String({ description: 'Why it ended as it did, in a word.' })),
  detail: Nullable(Type.String({ description: 'The same for people.' })),
  request_headers: HeaderRecord,
  response_headers: HeaderRecord,
  address: Nullable(Type.String({ description: 'The address that was connected to.', examples: ['203.0.113.7'] })),
  timing: Timing,
  next_due: Nullable(Timestamp),
}
const AttemptFacts = Type.Object(attemptFacts)
type AttemptFacts = Static<typeof AttemptFacts>

export const toAttemptFacts = (attempt: Attempt): AttemptFacts => ({
  number: attempt.number,
  started_at: attempt.startedAt.toISOString(),
  duration_ms: attempt.durationMs,
  outcome: attempt.outcome,
  reason: attempt.reason,
  detail: attempt.detail,
  request_headers: attempt.requestHeaders === null ? null : { ...attempt.requestHeaders },
  response_headers: attempt.responseHeaders === null ? null : { ...attempt.responseHeaders },
  address: attempt.address,
  timing: {
    dns: attempt.timing.dnsMs,
    connect: attempt.timing.connectMs,
    tls: attempt.timing.tlsMs,
    first_byte: attempt.timing.firstByteMs,
    total: attempt.durationMs,
  },
  next_due: attempt.nextAttemptAt?.toISOString() ?? null,
})
