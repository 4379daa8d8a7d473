import { describe, expect, test } from 'vitest'
import { explainSituation } from './explain-delivery.ts'
import type { DeliverySituation, Explanation, LoggedAttempt, SubscriptionState } from './explanation.ts'

const at = (time: string): Date => new Date(`2026-11-21T${time}Z`)
const now = at('09:30:00')
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000)

const healthy: SubscriptionState = {
  createdAt: at('01:00:00'),
  modifiedAt: at('01:00:00'),
  deletedAt: null,
  isActive: true,
  disabledReason: null,
  health: 'healthy',
  failures: 0,
  failingSince: null,
  disabledAt: null,
  probeAt: null,
  pausedUntil: null,
  holdUntil: null,
  orderingSince: null,
  listeningSince: at('01:00:00'),
  ratePerSecond: null,
  rateBurst: null,
  rateFullAt: null,
}

const waiting: DeliverySituation = {
  status: 'pending',
  attempts: 0,
  attemptsBefore: 0,
  nextAttemptAt: at('09:29:30'),

  leasedAt: null,
  leasedUntil: null,
  lastReason: null,
  finishedAt: null,
  log: [],
  subscription: healthy,
  before: { count: 0, isAll: true, underWay: 0 },
}

const failedAttempt = (fields: Partial<LoggedAttempt> = {}): LoggedAttempt => ({
  number: 1,
  outcome: 'retry',
  reason: 'http_500',
  detail: null,
  ...fields,
})

type Change = Omit<Partial<DeliverySituation>, 'subscription'> & { subscription?: Partial<SubscriptionState> }
const explain = ({ subscription, ...fields }: Change): Explanation =>
  explainSituation({ ...waiting, ...fields, subscription: { ...healthy, ...subscription } }, now)

const failing = { health: 'failing', failures: 7, failingSince: at('09:05:00') } as const
const disabled = {
  isActive: false,
  health: 'disabled',
  disabledReason: 'failing',
  disabledAt: at('09:20:00'),
  probeAt: at('10:00:00'),
} as const
const limited = { ratePerSecond: 2, rateBurst: 4 }

describe('the explanation of a delivery', () => {
  test.each<[string, Change, Partial<Explanation>]>([
    [
      'that arrived with the second attempt',
      {
        status: 'delivered',
        attempts: 2,
        finishedAt: at('09:12:00'),
        log: [failedAttempt(), failedAttempt({ number: 2, outcome: 'delivered', reason: 'delivered' })],
      },
      {
        verdict: 'delivered',
        summary: 'Delivered at 2026-11-21 09:12:00 UTC, with attempt 2.',
        next: null,
        advice: null,
      },
    ],
    [
      'that arrived so long ago that its attempts are dropped',
      { status: 'delivered', attempts: 3, finishedAt: at('09:12:00') },
      { verdict: 'delivered', summary: 'Delivered at 2026-11-21 09:12:00 UTC, with attempt 3.' },
    ],
    [
      'that is out of attempts',
      {
        status: 'failed',
        attempts: 18,
        lastReason: 'timeout',
        finishedAt: at('09:12:00'),
        log: [failedAttempt({ number: 18, outcome: 'failed', reason: 'timeout', detail: 'no answer in 15 s' })],
      },
      {
        verdict: 'failed',
        summary:
          'Given up at 2026-11-21 09:12:00 UTC: attempt 18 was the last, and the receiver did not answer in time. No answer in 15 s.',
        next: null,
        advice:
          'Answer within 15 s: store what arrives, answer 200, and do the work afterwards. A broker that does not confirm is overloaded, or has no majority. Then retry it: the webhook-id stays the same.',
      },
    ],
    [
      'that was put back once and is out of attempts again',
      { status: 'failed', attempts: 21, attemptsBefore: 18, lastReason: 'http_404', finishedAt: at('09:12:00') },
      {
        summary: 'Given up at 2026-11-21 09:12:00 UTC: attempt 3 was the last, and the receiver answered 404.',
      },
    ],
    [
      'whose receiver is gone',
      { status: 'failed', attempts: 1, lastReason: 'http_410', finishedAt: at('09:12:00') },
      {
        verdict: 'gone',
        summary: 'Given up at 2026-11-21 09:12:00 UTC: the receiver answered 410.',
        advice:
          'The receiver says that it is gone for good. Switch the subscription on again if it is not. Then retry it: the webhook-id stays the same.',
      },
    ],
    [
      'that failed for a reason nobody can say anything about, of a subscription that was removed since',
      { status: 'failed', attempts: 1, lastReason: 'odd', subscription: { deletedAt: at('09:15:00') } },
      { verdict: 'failed', summary: 'Given up: attempt 1 was the last, and odd.', advice: null },
    ],
    [
      'that was cancelled',
      { status: 'cancelled', lastReason: 'unsubscribed', subscription: { deletedAt: at('09:15:00'), isActive: false } },
      {
        verdict: 'cancelled',
        summary: 'Cancelled, because the subscription was removed at 2026-11-21 09:15:00 UTC while it waited.',
        next: null,
      },
    ],
    [
      'that is about to be cancelled',
      { subscription: { deletedAt: at('09:15:00'), isActive: false } },
      { verdict: 'cancelled' },
    ],
    [
      'that is held while the receiver is probed',
      { status: 'held', subscription: { ...disabled, failingSince: at('09:05:00') } },
      {
        verdict: 'held',
        summary:
          'Kept back, because it happened while the subscription was switched off: the engine switched it off at 2026-11-21 09:20:00 UTC, because nothing was accepted since 2026-11-21 09:05:00 UTC.',
        next: { at: at('10:00:00'), waitsFor: 'probe' },
        advice:
          'Mend the receiver. It comes back by itself when a probe is accepted, or switch it on. The next probe is due at 2026-11-21 10:00:00 UTC.',
      },
    ],
    [
      'that is held because the receiver said it is gone',
      { status: 'held', subscription: { ...disabled, disabledReason: 'gone', probeAt: null } },
      { verdict: 'held', next: { at: null, waitsFor: 'recovery' } },
    ],
    [
      'that is held although its subscription is on again',
      { status: 'held' },
      {
        verdict: 'held',
        next: { at: null, waitsFor: 'recovery' },
        advice: 'Recover the subscription since it was switched off, or retry this one.',
      },
    ],
    [
      'of which the first attempt is under way',
      { attempts: 1, leasedAt: at('09:29:58'), leasedUntil: at('09:30:28') },
      {
        verdict: 'in_flight',
        summary: 'Attempt 1 is under way since 2026-11-21 09:29:58 UTC.',
        next: { at: at('09:30:28'), waitsFor: 'answer' },
      },
    ],
    [
      'that is a probe under way',
      {
        status: 'held',
        attempts: 1,

        leasedAt: at('09:29:58'),
        leasedUntil: at('09:30:28'),
        subscription: disabled,
      },
      { verdict: 'in_flight' },
    ],
    [
      'that was delivered and is tried again by hand',
      { status: 'delivered', attempts: 2, finishedAt: at('09:12:00'), leasedUntil: at('09:30:28') },
      { verdict: 'delivered' },
    ],
    [
      'whose process died long ago',
      { attempts: 1, leasedAt: at('09:20:00'), leasedUntil: at('09:20:30') },
      { verdict: 'due' },
    ],
    [
      'that waits for its next attempt',
      { attempts: 1, nextAttemptAt: later(60), log: [failedAttempt({ reason: 'dns_error', detail: 'ENOTFOUND' })] },
      {
        verdict: 'retry_scheduled',
        summary:
          'Waits until 2026-11-21 09:31:00 UTC: attempt 1 failed, because the name of the receiver could not be resolved. ENOTFOUND.',
        next: { at: later(60), waitsFor: 'retry_time' },
        advice: 'Check the host in the URL, and the DNS records of that name.',
      },
    ],
    [
      'whose subscription was switched off by its owner',
      { subscription: { isActive: false } },
      {
        verdict: 'switched_off',
        summary: 'Waits for its subscription: somebody switched it off.',
        next: { at: null, waitsFor: 'owner' },
        advice: 'Switch it on: what is due goes out then.',
      },
    ],
    [
      'whose subscription was switched off with its owner',
      { nextAttemptAt: later(60), subscription: { isActive: false, disabledReason: 'owner lost access' } },
      { verdict: 'switched_off', summary: 'Waits for its subscription: it was switched off (owner lost access).' },
    ],
    [
      'whose subscription was switched off by the engine',
      { subscription: disabled },
      { verdict: 'switched_off', next: { at: at('10:00:00'), waitsFor: 'probe' } },
    ],
    [
      'whose receiver asked for quiet, for longer than anything else',
      { nextAttemptAt: later(60), subscription: { ...failing, holdUntil: later(120), pausedUntil: later(30) } },
      {
        verdict: 'asked_for_quiet',
        next: { at: later(120), waitsFor: 'receiver' },
        summary: 'Waits until 2026-11-21 09:32:00 UTC: the receiver asked to be left alone until then (Retry-After).',
      },
    ],
    [
      'whose receiver has been failing',
      {
        subscription: { ...failing, pausedUntil: later(30), holdUntil: at('09:29:00') },
        before: { count: 1, isAll: true, underWay: 0 },
      },
      {
        verdict: 'paused',
        next: { at: later(30), waitsFor: 'breaker' },
        summary:
          'Waits until 2026-11-21 09:30:30 UTC: the receiver has been failing since 2026-11-21 09:05:00 UTC (7 times in a row), so it gets one delivery at a time, with pauses. One other of its subscription is due before it.',
      },
    ],
    [
      'whose receiver has failed once, where that is enough',
      { subscription: { ...failing, failures: 1, pausedUntil: later(30) } },
      { verdict: 'paused', summary: expect.stringContaining('since 2026-11-21 09:05:00 UTC (once), so') as string },
    ],
    [
      'whose subscription has used up its rate',
      // Full again 3 s from now: 4 tokens at 2 a second, so one is there after 1.5 s.
      { subscription: { ...limited, rateFullAt: later(3) }, before: { count: 12, isAll: true, underWay: 0 } },
      {
        verdict: 'rate_limited',
        // And 12 others go first.
        next: { at: later(7.5), waitsFor: 'rate_limit' },
        summary:
          'Waits until 2026-11-21 09:30:01 UTC: the subscription takes 2 deliveries a second. 12 others of its subscription are due before it.',
      },
    ],
    [
      'whose subscription has some of its rate left',
      { subscription: { ...limited, rateFullAt: later(1) } },
      { verdict: 'due' },
    ],
    [
      'that is due behind others, at a known rate',
      { subscription: { ...limited, rateFullAt: at('09:00:00') }, before: { count: 12, isAll: true, underWay: 0 } },
      {
        verdict: 'due',
        next: { at: later(6), waitsFor: 'turn' },
        summary: 'Due since 2026-11-21 09:29:30 UTC. 12 others of its subscription are due before it.',
      },
    ],
    [
      'that is due behind more than were counted',
      { subscription: failing, before: { count: 10_000, isAll: false, underWay: 0 } },
      {
        verdict: 'paused',
        next: { at: null, waitsFor: 'breaker' },
        summary:
          'Due since 2026-11-21 09:29:30 UTC. More than 10000 others of its subscription are due before it. The receiver has been failing, so it gets one delivery at a time, with pauses.',
        advice: 'Look at the last attempts of this subscription.',
      },
    ],
    [
      'that waits for the window of its subscription',
      { nextAttemptAt: at('09:28:00'), before: { count: 3, isAll: true, underWay: 8 } },
      {
        verdict: 'due',
        next: { at: null, waitsFor: 'window' },
        summary:
          'Due since 2026-11-21 09:28:00 UTC. 3 others of its subscription are due before it. It waits for the window of its subscription: 8 deliveries are under way, and the next goes when one of those has ended.',
        advice: null,
      },
    ],
    ['that is due now', {}, { verdict: 'due', next: { at: now, waitsFor: 'turn' }, advice: null }],
    [
      'that nobody takes',
      { nextAttemptAt: at('09:28:00') },
      { advice: 'Nobody takes it: check that a process that delivers is running, and what its log says.' },
    ],
  ])('%s', (_, change, expected) => {
    expect(explain(change)).toMatchObject(expected)
  })
})
