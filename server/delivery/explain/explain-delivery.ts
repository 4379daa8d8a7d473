import { lastFailure, longestWaitOf } from './delivery-waits.ts'
import {
  moment,
  offBecause,
  type DeliverySituation,
  type Explanation,
  type SubscriptionState,
  type Verdict,
  type WaitsFor,
} from './explanation.ts'
import { wordsFor } from './reason-words.ts'
import type { DeliveryStatus } from '../tables/tables.ts'

type Find = (situation: DeliverySituation, now: Date) => Explanation

/** Why a delivery is where it is. Pure. */
export const explainSituation = (situation: DeliverySituation, now: Date): Explanation => {
  const { status, leasedUntil } = situation
  const isUnderWay = (status === 'pending' || status === 'held') && leasedUntil !== null && leasedUntil > now
  return isUnderWay ? inFlight(situation, now) : findings[status](situation, now)
}

/** Nothing comes next by itself, and nothing can be advised, unless it is said. */
const found = (
  verdict: Verdict,
  summary: string,
  { next = null, advice = null }: Partial<Pick<Explanation, 'next' | 'advice'>> = {},
): Explanation => ({ verdict, summary, next, advice })

const inFlight: Find = ({ attempts, leasedAt, leasedUntil }) =>
  found('in_flight', `Attempt ${attempts} is under way${leasedAt === null ? '' : ` since ${moment(leasedAt)}`}.`, {
    next: { at: leasedUntil, waitsFor: 'answer' },
  })

const findings: Readonly<Record<DeliveryStatus, Find>> = {
  delivered: ({ finishedAt, log, attempts }) => {
    const number = log.findLast(({ outcome }) => outcome === 'delivered')?.number ?? attempts
    return found(
      'delivered',
      `Delivered${finishedAt === null ? '' : ` at ${moment(finishedAt)}`}, with attempt ${number}.`,
    )
  },

  failed: ({ log, lastReason, attempts, attemptsBefore, finishedAt, subscription }) => {
    const { what, more, advice } = wordsFor(
      log.findLast(({ reason }) => reason === lastReason) ?? { reason: lastReason },
    )
    const isGone = lastReason === 'http_410'
    const why = isGone ? what : `attempt ${attempts - attemptsBefore} was the last, and ${what}`
    const retry = subscription.deletedAt === null ? ['Then retry it: the webhook-id stays the same.'] : []
    const at = finishedAt === null ? '' : ` at ${moment(finishedAt)}`
    return found(isGone ? 'gone' : 'failed', `Given up${at}: ${why}.${more}`, {
      advice: [...(advice === null ? [] : [advice]), ...retry].join(' ') || null,
    })
  },

  cancelled: ({ lastReason, subscription: { deletedAt } }) => {
    const at = deletedAt === null ? '' : ` at ${moment(deletedAt)}`
    const removed = `Cancelled, because the subscription was removed${at} while it waited.`
    return found('cancelled', lastReason === 'dropped' ? 'Dropped by hand.' : removed)
  },

  held: ({ subscription }) => {
    const { what, advice } = offBecause(subscription)
    if (subscription.isActive)
      return found(
        'held',
        'Kept back: it happened while the engine had the subscription switched off, and nobody asked for it since.',
        {
          next: { at: null, waitsFor: 'recovery' },
          advice: 'Recover the subscription since it was switched off, or retry this one.',
        },
      )
    return found('held', `Kept back, because it happened while the subscription was switched off: ${what}.`, {
      next: probeOr('recovery', subscription),
      advice,
    })
  },

  waiting: ({ earlier, subscription: { deletedAt } }) =>
    found(
      'waiting_for_earlier',
      earlier === undefined
        ? 'Waits for its turn among the deliveries about the same object.'
        : `Waits for delivery ${earlier.id} (${earlier.eventType}) about the same object, open since ${moment(earlier.createdAt)}. Of that one: ${earlier.explanation.summary}`,
      {
        next: deletedAt === null ? { at: earlier?.explanation.next?.at ?? null, waitsFor: 'earlier_delivery' } : null,
        advice: [earlier?.explanation.advice ?? '', 'If the earlier one need not arrive, drop it.']
          .filter(Boolean)
          .join(' '),
      },
    ),

  pending: (situation, now) => {
    const { subscription } = situation
    const { deletedAt, isActive, orderingSince } = subscription
    // Queued while it was being removed; the workers cancel those.
    if (deletedAt !== null) return findings.cancelled(situation, now)
    if (!isActive) {
      const { what, advice } = offBecause(subscription)
      return found('switched_off', `Waits for its subscription: ${what}.`, {
        next: probeOr('owner', subscription),
        advice,
      })
    }
    if (orderingSince !== null)
      return found(
        'ordering',
        `Waits until all that is open to its subscription has been put in order, since ${moment(orderingSince)}.`,
        { next: { at: null, waitsFor: 'order' } },
      )
    return waiting(situation, now) ?? due(situation, now)
  },
}

const probeOr = (waitsFor: WaitsFor, { probeAt }: SubscriptionState): Explanation['next'] =>
  probeAt === null ? { at: null, waitsFor } : { at: probeAt, waitsFor: 'probe' }

const waiting = (situation: DeliverySituation, now: Date): Explanation | undefined => {
  const longest = longestWaitOf(situation, now)
  if (longest === undefined) return undefined
  const { verdict, waitsFor, at, why, more = '', advice } = longest
  return found(verdict, `Waits until ${moment(at)}: ${why}.${more}${behind(situation)}`, {
    next: { at: waitsFor === 'rate_limit' ? arrivalOf(situation, at) : at, waitsFor },
    advice,
  })
}

/** Time after which a due delivery that nothing stands before should have been taken. */
const takenWithinMs = 60_000

const due: Find = (situation, now) => {
  const { nextAttemptAt, before, subscription } = situation
  const since = `Due since ${moment(nextAttemptAt)}.${behind(situation)}`
  if (subscription.health === 'failing')
    return found('paused', `${since} The receiver has been failing, so it gets one delivery at a time, with pauses.`, {
      next: { at: arrivalOf(situation, now), waitsFor: 'breaker' },
      advice: lastFailure(situation)?.advice ?? 'Look at the last attempts of this subscription.',
    })
  if (before.underWay > 0)
    return found(
      'due',
      `${since} It waits for the window of its subscription: ${before.underWay === 1 ? 'one delivery is' : `${before.underWay} deliveries are`} under way, and the next goes when one of those has ended.`,
      { next: { at: null, waitsFor: 'window' } },
    )
  const isLate = before.count === 0 && now.getTime() - nextAttemptAt.getTime() > takenWithinMs
  return found('due', since, {
    next: { at: arrivalOf(situation, now), waitsFor: 'turn' },
    advice: isLate ? 'Nobody takes it: check that a process that delivers is running, and what its log says.' : null,
  })
}

/** When it is sent, where a rate limit decides that. */
const arrivalOf = ({ before, subscription }: DeliverySituation, now: Date): Date | null => {
  const { ratePerSecond } = subscription
  if (before.count === 0) return now
  return ratePerSecond === null || !before.isAll
    ? null
    : new Date(now.getTime() + (before.count / ratePerSecond) * 1_000)
}

const behind = ({ before: { count, isAll } }: DeliverySituation): string => {
  if (count === 0) return ''
  if (count === 1) return ' One other of its subscription is due before it.'
  return ` ${isAll ? '' : 'More than '}${count} others of its subscription are due before it.`
}
