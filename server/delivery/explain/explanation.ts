import type { Selectable } from 'kysely'
import type { Tables } from '#platform/db/database.ts'

/** Why an event did or did not reach a subscription. */
export interface Explanation {
  readonly verdict: Verdict
  /** One plain sentence or two, for an operator. */
  readonly summary: string
  /** What has to come before it goes out; null when it will not by itself, or has. */
  readonly next: { readonly at: Date | null; readonly waitsFor: WaitsFor } | null
  readonly advice: string | null
  /** The name or pattern, of those that the subscription listens to now, that the event matches. */
  readonly matchedBy?: string | null
  /** Of an event without a delivery: paths of the filter that the subscription has now whose conditions do not hold. */
  readonly unmetConditions?: readonly string[] | null
}

export const verdicts = [
  // There is a delivery, and it is done.
  ...(['delivered', 'failed', 'gone', 'cancelled'] as const),
  // It waits.
  ...(['in_flight', 'due', 'retry_scheduled', 'asked_for_quiet', 'paused', 'rate_limited'] as const),
  ...(['waiting_for_earlier', 'ordering'] as const),
  ...(['switched_off', 'held'] as const),
  // There is none.
  ...([
    'other_scope',
    'not_subscribed',
    'filtered_out',
    'subscribed_later',
    'not_listening_then',
    'switched_off_then',
  ] as const),
  ...(['subscription_removed', 'too_old', 'no_such_event', 'lost'] as const),
] as const
export type Verdict = (typeof verdicts)[number]

export const waits = [
  ...(['answer', 'turn', 'window', 'retry_time', 'receiver', 'breaker', 'rate_limit'] as const),
  ...(['owner', 'probe', 'recovery', 'earlier_delivery', 'order'] as const),
] as const
export type WaitsFor = (typeof waits)[number]

/** What is read of a delivery for its explanation. */
export const deliveryColumns = [
  ...(['status', 'attempts', 'attemptsBefore', 'nextAttemptAt'] as const),
  ...(['leasedAt', 'leasedUntil', 'lastReason', 'finishedAt'] as const),
] as const

/** All that is known of a delivery. */
export interface DeliverySituation extends Pick<Selectable<Tables['deliveries']>, (typeof deliveryColumns)[number]> {
  /** The last ones, the oldest first. */
  readonly log: readonly LoggedAttempt[]
  readonly subscription: SubscriptionState
  /** Deliveries of the subscription and lane that are due before it, counted up to a limit, and those of them under way. */
  readonly before: { readonly count: number; readonly isAll: boolean; readonly underWay: number }
  /** With order, while it waits: the first open delivery of its object. */
  readonly earlier?: EarlierDelivery | undefined
}

/** What a delivery about the same object waits for. */
export interface EarlierDelivery {
  readonly id: number
  readonly eventType: string
  readonly createdAt: Date
  /** Why that one is where it is. */
  readonly explanation: Explanation
}

/** What is read of an attempt for an explanation. */
export const attemptColumns = ['number', 'outcome', 'reason', 'detail'] as const

export type LoggedAttempt = Pick<Selectable<Tables['attempts']>, (typeof attemptColumns)[number]>

/** What is read of a subscription for an explanation. */
export const subscriptionColumns = [
  ...(['createdAt', 'modifiedAt', 'deletedAt', 'isActive', 'disabledReason', 'health', 'failures'] as const),
  ...(['failingSince', 'disabledAt', 'probeAt', 'pausedUntil', 'holdUntil', 'listeningSince'] as const),
  ...(['ratePerSecond', 'rateBurst', 'rateFullAt', 'orderingSince'] as const),
] as const

export type SubscriptionState = Pick<Selectable<Tables['subscriptions']>, (typeof subscriptionColumns)[number]>

/** A moment as sentences have it. */
export const moment = (time: Date): string => `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** When a subscription with a rate limit may next be asked for (see claim.ts); null without one. */
export const nextTokenAt = ({ ratePerSecond, rateBurst, rateFullAt }: SubscriptionState): Date | null =>
  ratePerSecond === null || rateBurst === null || rateFullAt === null
    ? null
    : new Date(rateFullAt.getTime() + ((1 - rateBurst) / ratePerSecond) * 1_000)

/** Why it is switched off, and what could change that. */
export const offBecause = ({
  disabledReason,
  disabledAt,
  failingSince,
  probeAt,
}: SubscriptionState): { readonly what: string; readonly advice: string } => {
  const since = disabledAt === null ? '' : ` at ${moment(disabledAt)}`
  if (disabledReason === 'failing') {
    const nothing =
      failingSince === null ? 'nothing was accepted' : `nothing was accepted since ${moment(failingSince)}`
    const next = probeAt === null ? '' : ` The next probe is due at ${moment(probeAt)}.`
    return {
      what: `the engine switched it off${since}, because ${nothing}`,
      advice: `Mend the receiver. It comes back by itself when a probe is accepted, or switch it on.${next}`,
    }
  }
  if (disabledReason === 'gone')
    return {
      what: `the engine switched it off${since}, because the receiver answered 410 (gone)`,
      advice: 'Switch it on again if the receiver is not gone; what was held can be sent then.',
    }
  const isByHand = disabledReason === null || disabledReason === 'switched off'
  const what = isByHand ? 'somebody switched it off' : `it was switched off (${disabledReason})`
  return { what, advice: 'Switch it on: what is due goes out then.' }
}
