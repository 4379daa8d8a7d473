import { beforeEach, describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeDeliveries, settings } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { attempt, type AttemptDeps } from './attempt.ts'
import { attemptsOf } from '../log/delivery-log.ts'
import { makeGuard } from '../outbound/guard/guard.ts'
import { claim } from '../queue/claim.ts'
import { finish } from '../queue/finish.ts'
import { makeContents } from './content.ts'
import { makeReceiverSignIn } from './receiver-auth.ts'
import { prepareReceiver } from './request-headers.ts'
import type { RetryStrategy } from '../subscriber/retry.ts'
import { makeSender } from '../outbound/sender.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const receiver = await makeReceiver({ status: 500 })
const { subscribe, queue, find, clear } = makeDeliveries({ db, clock })
const sender = makeSender({ guard: makeGuard({ allowedNetworks: [], allowLoopback: true }) })
const maxAttempts = 7
const deps: AttemptDeps = {
  clock,
  sender,
  contents: makeContents(db),
  webhookId: (id) => `id-${id}`,
  userAgent: 'Waybill/test',
  maxAttempts,
  signIn: makeReceiverSignIn(sender),
}
beforeEach(async () => {
  await clear()
  receiver.answer({ status: 500 })
  receiver.received.length = 0
})

/** One turn of a worker: claims what is due now, attempts it, and writes the end. @returns how many were due. */
const turn = async (subscriptionId: number, retry: RetryStrategy): Promise<number> => {
  const wants = ([0, 1] as const).map((lane) => ({ subscriptionId, lane, limit: 10 }))
  const claims = await claim(db, clock.now(), wants)
  const to = prepareReceiver({ ...settings, id: subscriptionId, version: 1, url: receiver.url, retry })
  for (const claimed of claims) {
    const made = await attempt(deps, to, claimed, () => true)
    if (made.made) await finish(db, [made.attemptResult])
  }
  return claims.length
}

describe('a delivery that fails again and again is tried', () => {
  test.each<[string, RetryStrategy, readonly (readonly [least: number, most: number])[]]>([
    ['fixed', { choice: 'fixed', kwargs: { seconds: 7 } }, [7, 7, 7, 7, 7, 7].map((s) => [s, s])],
    [
      'linear',
      { choice: 'linear', kwargs: { base: 60, limit: 200 } },
      [60, 120, 180, 200, 200, 200].map((s) => [s, s * 1.1]),
    ],
    [
      'exponential',
      { choice: 'exponential', kwargs: { base: 3, factor: 2, limit: 100 } },
      [6, 18, 54, 100, 100, 100].map((s) => [s, s * 1.1]),
    ],
    [
      'random',
      { choice: 'random', kwargs: { min_value: 30, max_value: 33 } },
      Array.from({ length: 6 }, () => [30, 33] as const),
    ],
  ])('when the strategy %s says, and not before, until its attempts are used up', async (_, retry, waits) => {
    const subscription = await subscribe({ retry })
    const [id = 0] = await queue(subscription, 1)
    const times: Date[] = []
    for (const [index, [least, most]] of waits.entries()) {
      times.push(clock.now())
      expect(await turn(subscription, retry)).toBe(1)
      const { status, attempts, nextAttemptAt } = await find(id)
      expect({ status, attempts }).toEqual({ status: 'pending', attempts: index + 1 })
      const waitMs = nextAttemptAt.getTime() - clock.now().getTime()
      expect(waitMs).toBeGreaterThanOrEqual(least * 1_000)
      expect(waitMs).toBeLessThanOrEqual(Math.ceil(most * 1_000))

      clock.advance(waitMs - 1)
      expect(await turn(subscription, retry)).toBe(0)
      clock.advance(1)
    }
    times.push(clock.now())
    expect(await turn(subscription, retry)).toBe(1)
    expect(await find(id)).toMatchObject({
      status: 'failed',
      attempts: maxAttempts,
      lastStatus: 500,
      lastReason: 'http_500',
      finishedAt: clock.now(),
    })
    clock.advance(30 * 86_400_000)
    expect(await turn(subscription, retry)).toBe(0)

    const log = await attemptsOf(db, id)
    expect(log.map(({ number, outcome, startedAt }) => ({ number, outcome, startedAt }))).toEqual(
      times.map((startedAt, index) => ({
        number: index + 1,
        outcome: index + 1 < maxAttempts ? 'retry' : 'failed',
        startedAt,
      })),
    )
    expect(receiver.received).toHaveLength(maxAttempts)
    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1)
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(times.map(() => `id-${id}`))
    const sent = receiver.received.map(({ headers }) => headers['webhook-timestamp'])
    expect(sent).toEqual(times.map((time) => String(Math.floor(time.getTime() / 1_000))))
  })

  test('not again once it was delivered', async () => {
    const retry: RetryStrategy = { choice: 'fixed', kwargs: { seconds: 7 } }
    const subscription = await subscribe({ retry })
    const [id = 0] = await queue(subscription, 1)
    await turn(subscription, retry)
    clock.advance(7_000)
    receiver.answer({ status: 204 })
    await turn(subscription, retry)
    clock.advance(7_000)
    expect(await turn(subscription, retry)).toBe(0)
    expect(await find(id)).toMatchObject({ status: 'delivered', attempts: 2, lastStatus: 204 })
  })

  test('at once when the strategy says so', async () => {
    const retry: RetryStrategy = { choice: 'exponential', kwargs: { base: 604_800, factor: 0 } }
    const subscription = await subscribe({ retry })
    await queue(subscription, 1)
    for (let time = 0; time < maxAttempts; time++) expect(await turn(subscription, retry)).toBe(1)
    expect(await turn(subscription, retry)).toBe(0)
  })

  test('later when its receiver asks for it, and nothing else of that subscription before', async () => {
    const retry: RetryStrategy = { choice: 'fixed', kwargs: { seconds: 7 } }
    const subscription = await subscribe({ retry })
    const [id = 0] = await queue(subscription, 1)
    receiver.answer({ status: 503, headers: { 'retry-after': '90' } })
    const startedAt = clock.now()
    await turn(subscription, retry)
    expect((await find(id)).nextAttemptAt).toEqual(new Date(startedAt.getTime() + 90_000))
  })
})
