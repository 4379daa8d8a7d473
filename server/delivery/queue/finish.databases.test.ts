import { beforeEach, describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { endOf, makeDeliveries } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { attemptsOf } from '../log/delivery-log.ts'
import { claim, type Claimed } from './claim.ts'
import { finish, type AttemptResult } from './finish.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const { subscribe, queue, find, clear } = makeDeliveries({ db, clock })
beforeEach(clear)

const now = (): Date => clock.now()
const after = (milliseconds: number): Date => new Date(now().getTime() + milliseconds)
const claimSome = async (count: number): Promise<Claimed[]> => {
  const subscriptionId = await subscribe()
  await queue(subscriptionId, count)
  return claim(db, now(), [{ subscriptionId, lane: 0, limit: count }])
}
const claimOne = async (): Promise<Claimed> => {
  const [claimed] = await claimSome(1)
  if (claimed === undefined) throw new Error('Nothing was due.')
  return claimed
}

describe('the end of an attempt', () => {
  test.each<[string, Partial<AttemptResult>, object]>([
    ['delivered', {}, { status: 'delivered', lastStatus: 200, lastReason: 'delivered' }],
    [
      'failed for good',
      { status: 'failed', outcome: 'failed', responseStatus: 410, reason: 'http_410' },
      { status: 'failed', lastStatus: 410, lastReason: 'http_410' },
    ],
    [
      'without an answer',
      { status: 'failed', outcome: 'failed', responseStatus: null, reason: 'timeout: No answer' },
      { status: 'failed', lastStatus: null, lastReason: 'timeout: No answer' },
    ],
  ])('closes the delivery: %s', async (_, fields, expected) => {
    const claimed = await claimOne()
    clock.advance(1_234)
    await finish(db, [endOf(claimed, now(), fields)])
    expect(await find(claimed.id)).toMatchObject({
      ...expected,
      finishedAt: now(),
      leaseToken: null,
      leasedAt: null,
      leasedUntil: null,
      attempts: 1,
    })
  })

  test('that will be tried again leaves it open, with its new time', async () => {
    const claimed = await claimOne()
    const nextAttemptAt = after(90_001)
    await finish(db, [
      endOf(claimed, now(), {
        status: 'pending',
        outcome: 'retry',
        nextAttemptAt,
        responseStatus: 500,
        reason: 'http_500',
      }),
    ])
    expect(await find(claimed.id)).toMatchObject({
      status: 'pending',
      nextAttemptAt,
      finishedAt: null,
      leaseToken: null,
      attempts: 1,
      lastStatus: 500,
    })
  })

  test('is logged with everything that was sent and answered', async () => {
    const claimed = await claimOne()
    const startedAt = after(-250)
    const fields = {
      startedAt,
      durationMs: 250,
      responseStatus: 200,
      requestHeaders: { 'content-type': 'application/json', 'x-shop': 'kuzey 🎁' },
      responseHeaders: { 'set-cookie': 'a="b\\c"; d', 'x-latin': 'é' },
      responseBody: 'line\r\nline\t"quoted" \\ \'x\' {"a":[1]} ı🎁\uFFFD',
    }
    await finish(db, [endOf(claimed, now(), fields)])
    expect(await attemptsOf(db, claimed.id)).toMatchObject([
      { number: 1, outcome: 'delivered', reason: 'delivered', ...fields },
    ])
  })

  test('is logged with nothing where there was nothing', async () => {
    const claimed = await claimOne()
    const nothing = { responseStatus: null, requestHeaders: null, responseHeaders: null, responseBody: null }
    await finish(db, [endOf(claimed, now(), nothing)])
    expect(await attemptsOf(db, claimed.id)).toMatchObject([nothing])
  })
})

describe('many ends in one statement', () => {
  test('are all written, also when their bodies are as long and as odd as they can be', async () => {
    const claims = await claimSome(60)
    const odd = [
      '\u0001'.repeat(65_536),
      '"\\'.repeat(32_768),
      '🎁'.repeat(16_384),
      '\uFFFD'.repeat(65_536),
      '',
      '\u2028\u2029\u007f',
      'null',
      '{NULL}',
    ]
    const ends = claims.map((claimed, index) => endOf(claimed, now(), { responseBody: odd[index % odd.length] ?? '' }))
    expect((await finish(db, ends)).ours).toEqual(new Set(claims.map(({ id }) => id)))
    for (const { id, responseBody } of ends) {
      const [attempt] = await attemptsOf(db, id)
      expect(attempt?.responseBody === responseBody).toBe(true)
    }
  })

  test('are written as far as their leases are still held', async () => {
    const claims = await claimSome(4)
    const ends = claims.map((claimed, index) =>
      endOf(index % 2 === 0 ? claimed : { ...claimed, token: claimed.token + 1 }, now()),
    )
    const [first, second, third, fourth] = claims.map(({ id }) => id)
    expect((await finish(db, ends)).ours).toEqual(new Set([first, third]))
    const rows = await db.selectFrom('attempts').select('deliveryId').orderBy('deliveryId').execute()
    expect(rows).toEqual([{ deliveryId: first }, { deliveryId: third }])
    expect(await find(second ?? 0)).toMatchObject({ status: 'pending' })
    expect(await find(fourth ?? 0)).toMatchObject({ status: 'pending' })
  })

  test('may be none', async () => {
    expect((await finish(db, [])).ours).toEqual(new Set())
  })

  test('at once from many workers write each delivery once', async () => {
    const claims = await claimSome(40)
    const ends = claims.map((claimed) => endOf(claimed, now()))
    const written = await Promise.all(Array.from({ length: 8 }, () => finish(db, ends)))
    expect(written.reduce((sum, ids) => sum + ids.ours.size, 0)).toBe(40)
    expect(await db.selectFrom('attempts').select('number').execute()).toHaveLength(40)
  })
})
