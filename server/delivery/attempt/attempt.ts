import type { Clock } from '#platform/clock.ts'
import type { Tracing } from '#platform/tracing/tracing.ts'
import type { Contents } from './content.ts'
import type { ReceiverSignIn } from './receiver-auth.ts'
import { withoutSecrets } from './kept-answer.ts'
import { secretValues, loggedHeaders, requestHeaders, type Receiver } from './request-headers.ts'
import { leaseMs, type Claimed } from '../queue/claim.ts'
import type { AttemptResult } from '../queue/finish.ts'
import type { SendResult, Sender } from '../outbound/sender.ts'
import { settle, type Settlement } from './settle.ts'
import { traceAttempt } from './trace-attempt.ts'

export interface AttemptDeps {
  readonly clock: Clock
  readonly sender: Sender
  readonly contents: Contents
  /** The webhook-id of a delivery: the same on every attempt. */
  readonly webhookId: (deliveryId: number) => string
  readonly userAgent: string
  readonly maxAttempts: number
  /** Adds what signs us in at the receiver; a failure to get it is the attempt's failure. */
  readonly signIn: ReceiverSignIn
  readonly tracing?: Tracing | undefined
}

/** An attempt that was made, or was not because its claim had waited too long for a connection or for room. */
export type Attempted =
  | {
      readonly made: true
      readonly attemptResult: AttemptResult
      readonly settlement: Settlement
      readonly result: SendResult
    }
  | { readonly made: false }

const isCredentialRefused = ({ reason, status }: SendResult): boolean =>
  status === 401 || status === 403 || reason === 'sign_in_failed'

/** Part of a lease that must be left when the request is written: one exchange and the time to record it. */
const neededLeaseMs = 20_000

/** Whether enough is left of a lease claimed at a time (of `performance.now()`) to begin an exchange. */
export const hasLeaseLeft = (claimedAt: number): boolean => performance.now() - claimedAt < leaseMs - neededLeaseMs

/**
 * Makes one attempt of a claimed delivery: headers, signature, exchange, and what follows from the answer.
 * Writes nothing.
 * @param mayStart asked when there is a connection; false gives up before anything is sent.
 */
export const attempt = (
  deps: AttemptDeps,
  receiver: Receiver,
  claimed: Claimed,
  mayStart: () => boolean,
): Promise<Attempted> => {
  const { tracing } = deps
  if (tracing === undefined) return makeAttempt(deps, receiver, { ...claimed, traceparent: null }, mayStart)
  return traceAttempt(tracing, receiver, claimed, (traced) => makeAttempt(deps, receiver, traced, mayStart))
}

/** @param claimed with the `traceparent` that the receiver is sent, if any. */
const makeAttempt = async (
  deps: AttemptDeps,
  receiver: Receiver,
  claimed: Claimed,
  mayStart: () => boolean,
): Promise<Attempted> => {
  const { clock, sender, contents, webhookId, userAgent, maxAttempts, signIn } = deps
  const startedAt = clock.now()
  const { eventType, sequence, isTest } = claimed
  const id = webhookId(claimed.id)
  const trace = traceHeaders(claimed)
  const authorization = receiver.auth === null ? { headers: {} } : await signIn.authorize(receiver)
  const target = { url: receiver.url, sharer: receiver.id, eventType, mayStart }
  const exchanged = await contents.use(claimed, id, async (content) => {
    const outgoing = { ...content, eventType, sequence, isTest, webhookId: id }
    // Its own headers win: a receiver's credentials are added only where they do not collide.
    const own = { ...requestHeaders(receiver, outgoing, startedAt, userAgent), ...trace }
    const headers = 'headers' in authorization ? { ...authorization.headers, ...own } : own
    const result =
      'failed' in authorization ? authorization.failed : await sender.send({ ...target, headers, body: content.body })
    return { headers, result }
  })
  if (exchanged === undefined || exchanged.result.reason === 'not_started') return { made: false }
  const { headers, result } = exchanged
  if (isCredentialRefused(result)) signIn.refused(receiver)

  const now = clock.now()
  const settlement = settle({
    result,
    attempt: claimed.attempt - claimed.attemptsBefore,
    before: claimed.status,
    maxAttempts: receiver.maxAttempts ?? maxAttempts,
    strategy: receiver.retry,
    now,
    random: Math.random,
  })
  const answer = withoutSecrets(result, [...secretValues(headers), ...receiver.urlSecrets])
  const attemptResult: AttemptResult = {
    id: claimed.id,
    subscriptionId: claimed.subscriptionId,
    token: claimed.token,
    attempt: claimed.attempt,
    status: settlement.status,
    nextAttemptAt: settlement.nextAttemptAt,
    outcome: settlement.outcome,
    reason: settlement.reason,
    detail: result.reason === 'response' ? null : result.detail,
    startedAt,
    finishedAt: now,
    durationMs: result.durationMs,
    timing: result.timing,
    address: result.address,
    responseStatus: result.status,
    requestHeaders: { ...loggedHeaders(headers), ...trace },
    responseHeaders: answer.headers,
    responseBody: answer.body,
  }
  return { made: true, attemptResult, settlement, result: { ...result, ...answer } }
}

const traceHeaders = ({ traceparent }: Claimed): Record<string, string> => (traceparent === null ? {} : { traceparent })
