import { runSpan, type Tracing } from '#platform/tracing/tracing.ts'
import type { Claimed } from '../queue/claim.ts'
import type { AttemptResult } from '../queue/finish.ts'
import type { Receiver } from './request-headers.ts'

type Outcome = { readonly made: true; readonly attemptResult: AttemptResult } | { readonly made: false }

/**
 * Makes an attempt in a span of the trace that its event is of: the process that stored the event may be another one, and
 * it may be days ago. Every attempt of a delivery is in that trace, so whoever looks for it finds them all.
 * @param make gets the claim with the `traceparent` that the receiver is sent.
 */
export const traceAttempt = <Made extends Outcome>(
  tracing: Tracing,
  { id, url }: Receiver,
  claimed: Claimed,
  make: (claimed: Claimed) => Promise<Made>,
): Promise<Made> => {
  const { eventType, attempt, traceparent } = claimed
  const { protocol, hostname } = new URL(url)
  const facts = {
    'waybill.event.type': eventType,
    'waybill.subscription.id': id,
    'waybill.delivery.id': claimed.id,
    'waybill.attempt': attempt,
    'url.scheme': protocol.slice(0, -1),
    'server.address': hostname,
  }
  const span = tracing.begin({ name: `deliver ${eventType}`, kind: 'client', parent: traceparent, facts })
  return runSpan(span, async () => {
    const made = await make({ ...claimed, traceparent: span.traceparent })
    if (!made.made) {
      span.set({ 'waybill.outcome': 'not_started' })
      return made
    }
    const { outcome, reason, responseStatus } = made.attemptResult
    span.set({ 'waybill.outcome': outcome, 'waybill.reason': reason })
    if (responseStatus !== null) span.set({ 'http.response.status_code': responseStatus })
    if (outcome !== 'delivered') span.fail(reason)
    return made
  })
}
