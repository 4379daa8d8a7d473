import { lastFailure, longestWaitOf } from './delivery-waits.ts'
import { moment, offBecause, type DeliverySituation, type Explanation } from './explanation.ts'
import { wordsFor } from './reason-words.ts'
import type { DeliveryStatus } from '../tables/tables.ts'

type Find = (situation: DeliverySituation, now: Date) => Explanation

/** Why a delivery is where it is. Pure. */
export const explainSituation = (situation: DeliverySituation, now: Date): Explanation => {
  const { status, leasedUntil } = situation
  const isUnderWay = (status === 'pending' || status === 'held') && leasedUntil !== null && leasedUntil > now
  return isUnderWay ? inFlight(situation, now) : findings[status](situation, now)
}

const inFlight: Find = ({ attempts, leasedAt, leasedUntil }) => ({
  verdict: 'in_flight',
  summary: `Attempt ${attempts} is under way${leasedAt === null ? '' : ` since ${moment(leasedAt)}`}.`,
  next: { at: leasedUntil, waitsFor: 'answer' },
  advice: null,
})

const findings: Readonly<Record<DeliveryStatus, Find>> = {
  delivered: ({ finishedAt, log, attempts }) => {
    const number = log.findLast(({ outcome }) => outcome === 'delivered')?.number ?? attempts
    return {
      verdict: 'delivered',
      summary: `Delivered${finishedAt === null ? '' : ` at ${moment(finishedAt)}`}, with attempt ${number}.`,
      next: null,
      advice: null,
    }
  },

  failed: ({ log, lastReason, attempts, attemptsBefore, finishedAt, subscription }) => {
    const { what, more, advice } = wordsFor(
      log.findLast(({ reason }) => reason === lastReason) ?? { reason: lastReason },
    )
    const isGone = lastReason === 'http_410'
    const why = isGone ? what : `attempt ${attempts - attemptsBefore} was the last, and ${what}`
    const retry = subscription.deletedAt === null ? ['Then retry it: the webhook-id stays the same.'] : []
    return {
      verdict: isGone ? 'gone' : 'failed',
      summary: `Given up${finishedAt === null ? '' : ` at ${moment(finishedAt)}`}: ${why}.${more}`,
      next: null,
      advice: [...(advice === null ? [] : [advice]), ...retry].join(' ') || null,
    }
  },

  cancelled: ({ lastReason, subscription: { deletedAt } }) => ({
    verdict: 'cancelled',
    summary:
      lastReason === 'dropped'
        ? 'Dropped by hand.'
        : `Cancelled, because the subscription was removed${deletedAt === null ? '' : ` at ${moment(deletedAt)}`} while it waited.`,
    next: null,
    advice: null,
  }),

  held: ({ subscription }) => {
    const { isActive, probeAt } = subscription
    const off = offBecause(subscription)
    if (isActive)
      return {
        verdict: 'held',
        summary:
          'Kept back: it happened while the engine had the subscription switched off, and nobody asked for it since.',
        next: { at: null, waitsFor: 'recovery' },
        advice: 'Recover the subscription since it was switched off, or retry this one.',
      }
    return {
      verdict: 'held',
      summary: `Kept back, because it happened while the subscription was switched off: ${off.what}.`,
      next: probeAt === null ? { at: null, waitsFor: 'recovery' } : { at: probeAt, waitsFor: 'probe' },
      advice: off.advice,
    }
  },

  waiting: ({ earlier, subscription: { deletedAt } }) => ({
    verdict: 'waiting_for_earlier',
    summary:
      earlier === undefined
        ? 'Waits for its turn among the deliveries about the same object.'
        : `Waits for delivery ${earlier.id} (${earlier.eventType}) about the same object, open since ${moment(earlier.createdAt)}. Of that one: ${earlier.explanation.summary}`,
    next: deletedAt === null ? { at: earlier?.explanation.next?.at ?? null, waitsFor: 'earlier_delivery' } : null,
    advice: [earlier?.explanation.advice ?? '', 'If the earlier one need not arrive, drop it.']
      .filter(Boolean)
      .join(' '),
  }),

  pending: (situation, now) => {
    const { deletedAt, isActive, orderingSince } = situation.subscription
    // Queued while it was being removed; the workers cancel those.
    if (deletedAt !== null) return findings.cancelled(situation, now)
    if (!isActive) return switchedOff(situation, now)
    if (orderingSince !== null) return ordering(orderingSince)
    return waiting(situation, now) ?? due(situation, now)
  },
}

const switchedOff: Find = ({ subscription }) => {
  const { what, advice } = offBecause(subscription)
  const { probeAt } = subscription
  return {
    verdict: 'switched_off',
    summary: `Waits for its subscription: ${what}.`,
    next: probeAt === null ? { at: null, waitsFor: 'owner' } : { at: probeAt, waitsFor: 'probe' },
    advice,
  }
}

const ordering = (since: Date): Explanation => ({
  verdict: 'ordering',
  summary: `Waits until all that is open to its subscription has been put in order, since ${moment(since)}.`,
  next: { at: null, waitsFor: 'order' },
  advice: null,
})

const waiting = (situation: DeliverySituation, now: Date): Explanation | undefined => {
  const longest = longestWaitOf(situation, now)
  return (
    longest && {
      verdict: longest.verdict,
      summary: `Waits until ${moment(longest.at)}: ${longest.why}.${longest.more ?? ''}${behind(situation)}`,
      next: {
        at: longest.waitsFor === 'rate_limit' ? arrivalOf(situation, longest.at) : longest.at,
        waitsFor: longest.waitsFor,
      },
      advice: longest.advice,
    }
  )
}

/** Time after which a due delivery that nothing stands before should have been taken. */
const takenWithinMs = 60_000

const due: Find = (situation, now) => {
  const { nextAttemptAt, before, subscription } = situation
  const since = `Due since ${moment(nextAttemptAt)}.${behind(situation)}`
  if (subscription.health === 'failing')
    return {
      verdict: 'paused',
      summary: `${since} The receiver has been failing, so it gets one delivery at a time, with pauses.`,
      next: { at: arrivalOf(situation, now), waitsFor: 'breaker' },
      advice: lastFailure(situation)?.advice ?? 'Look at the last attempts of this subscription.',
    }
  if (before.underWay > 0)
    return {
      verdict: 'due',
      summary: `${since} It waits for the window of its subscription: ${before.underWay === 1 ? 'one delivery is' : `${before.underWay} deliveries are`} under way, and the next goes when one of those has ended.`,
      next: { at: null, waitsFor: 'window' },
      advice: null,
    }
  const isLate = before.count === 0 && now.getTime() - nextAttemptAt.getTime() > takenWithinMs
  return {
    verdict: 'due',
    summary: since,
    next: { at: arrivalOf(situation, now), waitsFor: 'turn' },
    advice: isLate ? 'Nobody takes it: check that a process that delivers is running, and what its log says.' : null,
  }
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
