import { expect, test } from 'vitest'
import { endOf } from '#testing/make-deliveries.ts'
import type { Claimed } from '../queue/claim.ts'
import { observe, type SettledAttempt } from './observe.ts'
import type { Settlement } from '../attempt/settle.ts'

const start = new Date('2026-11-21T09:30:00.000Z')
const at = (ms: number): Date => new Date(start.getTime() + ms)
const claimed = (subscriptionId: number): Claimed => ({
  id: 1,
  token: 1,
  subscriptionId,
  version: 1,
  attempt: 1,
  attemptsBefore: 0,
  lane: 0,
  status: 'pending',
  eventType: 'package.created',
  sequence: 1,
  eventId: 1,
  contentType: null,
  envelope: 'standard',
  isTest: false,
  body: '{}',
  bodyBytes: 2,
  isTroubled: false,
  isHead: null,
  nextTokenAt: null,
  traceparent: null,
})
const settled: Record<string, Settlement> = {
  delivered: {
    status: 'delivered',
    outcome: 'delivered',
    reason: 'delivered',
    nextAttemptAt: null,
    retryWaitMs: 0,
    holdUntil: null,
    disable: false,
  },
  retry: {
    status: 'pending',
    outcome: 'retry',
    reason: 'http_500',
    nextAttemptAt: null,
    retryWaitMs: 30_000,
    holdUntil: null,
    disable: false,
  },
  cut: {
    status: 'pending',
    outcome: 'unknown',
    reason: 'aborted',
    nextAttemptAt: null,
    retryWaitMs: 0,
    holdUntil: null,
    disable: false,
  },
}
const ended = (
  how: 'delivered' | 'retry' | 'cut',
  ms: number,
  more: Partial<SettledAttempt> = {},
  subscriptionId = 7,
): SettledAttempt => ({
  attemptResult: endOf(claimed(subscriptionId), at(ms)),
  settlement: settled[how] as Settlement,
  version: 1,
  isTroubled: false,
  ...more,
})

test('subscriptions that are well and stay so are not observed', () => {
  expect(observe([ended('delivered', 0), ended('delivered', 1)])).toEqual([])
})

test('a success of one that had failures is', () => {
  expect(observe([ended('delivered', 5, { isTroubled: true })])).toMatchObject([
    { subscriptionId: 7, version: 1, observation: { lastSuccessAt: at(5), failures: 0, firstFailureAt: null } },
  ])
})

test('failures count from the last success of the batch', () => {
  const batch = [ended('retry', 0), ended('delivered', 1), ended('retry', 2), ended('retry', 3)]
  expect(observe(batch)).toMatchObject([
    {
      observation: {
        lastSuccessAt: at(1),
        failures: 2,
        firstFailureAt: at(2),
        lastFailureAt: at(3),
        retryWaitMs: 30_000,
      },
    },
  ])
})

test('an attempt that was cut off says nothing about the receiver', () => {
  expect(observe([ended('cut', 0)])).toEqual([])
  expect(observe([ended('retry', 0), ended('cut', 1)])).toMatchObject([{ observation: { failures: 1 } }])
})

test('each version of each subscription is observed on its own', () => {
  const batch = [
    ended('retry', 0),
    ended('retry', 1, { version: 2 }),
    ended('retry', 2, {}, 8),
    ended('delivered', 3, {}, 9),
  ]
  expect(observe(batch).map(({ subscriptionId, version }) => [subscriptionId, version])).toEqual([
    [7, 1],
    [7, 2],
    [8, 1],
  ])
})

test('the latest quiet that was asked for counts, and one 410 is enough', () => {
  const hold = (ms: number, disable = false) => ({
    settlement: { ...(settled['retry'] as Settlement), holdUntil: at(ms), disable },
  })
  expect(observe([ended('retry', 0, hold(900)), ended('retry', 1, hold(500, true))])).toMatchObject([
    { observation: { holdUntil: at(900), isGone: true } },
  ])
})
