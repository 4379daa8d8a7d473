import type { AttemptReport } from '#delivery/worker/attempt-now.ts'
import type { Delivery } from '#delivery/log/delivery-log.ts'
import type { Answer } from '#platform/http/idempotency.ts'
import type { RetryResult } from './hook-event-schemas.ts'

export type AttemptNow = (deliveryId: number) => Promise<AttemptReport>

/** Why a delivery is not tried again by hand: a sentence, and the code that clients of the original know it by. */
interface Refusal {
  readonly detail: string
  readonly code: string
}

const refusals: Partial<Record<Delivery['status'], Refusal>> = {
  delivered: { detail: 'Event already delivered', code: 'event_100_3' },
  pending: { detail: 'Event is still in retry process', code: 'event_100_6' },
}

/** What speaks against another try by hand; undefined when nothing does. `force` overrules every reason. */
export const retryRefusal = ({ status }: Pick<Delivery, 'status'>, force: boolean): Refusal | undefined =>
  force ? undefined : refusals[status]

const notTried = {
  busy: 'An attempt of this event is under way',
  gone: 'The hook of this event has been removed',
} as const

/** Tries a delivery at once and says what came of it: 200 delivered, 406 not (contract, section 11). Throws nothing of its own. */
export const retryHookEvent = async (delivery: Delivery, force: boolean, attemptNow: AttemptNow): Promise<Answer> => {
  const delivered = delivery.status === 'delivered'
  const refusal = retryRefusal(delivery, force)
  if (refusal !== undefined) return untried(refusal.detail, delivered, { code: refusal.code, en: refusal.detail })
  const report = await attemptNow(delivery.id)
  if (!report.ok) return untried(notTried[report.reason], delivered)
  const result: RetryResult = {
    detail: report.delivered
      ? 'Webhook event delivered successfully'
      : `Webhook event delivery failed: ${report.reason}`,
    response_status: report.responseStatus,
    response_content: report.responseBody,
    response_time: String(report.durationMs / 1_000),
    delivered: report.delivered,
  }
  return { status: report.delivered ? 200 : 406, body: result }
}

const untried = (detail: string, delivered: boolean, known: Pick<RetryResult, 'code' | 'en'> = {}): Answer => {
  const nothing = { response_status: null, response_content: null, response_time: null }
  const result: RetryResult = { detail, ...nothing, delivered, ...known }
  return { status: 406, body: result }
}
