import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { endOf } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { Finisher } from './finisher.ts'
import type { Claimed } from '../queue/claim.ts'
import type { SettledAttempt } from './observe.ts'

const { db } = await openTestDatabase()

const makeFinisher = (enough: number) => {
  const written: number[] = []
  const finisher = new Finisher({
    db,
    log: pino({ level: 'silent' }),
    recordHealth: async () => [],
    enough,
    onWritten: (results) => void written.push(results.length),
  })
  return { finisher, written }
}
/** Of a delivery that is not there, which changes nothing. */
const settled = (id: number): SettledAttempt => {
  const attemptResult = endOf({ id, token: 1, subscriptionId: 1, attempt: 1 } as Claimed, new Date())
  const settlement = {
    ...attemptResult,
    outcome: 'delivered',
    retryWaitMs: 0,
    holdUntil: null,
    disable: false,
  } as const
  return { attemptResult, settlement, version: 1, isTroubled: false }
}

test('a result after a pause is written at once; those that follow wait until they are enough, or a tenth of a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { finisher, written } = makeFinisher(3)
  await finisher.write(settled(1))
  expect(written).toEqual([1])
  await db.selectFrom('users').select('id').execute()
  await Promise.all([2, 3, 4].map((id) => finisher.write(settled(id))))
  expect(written).toEqual([1, 3])
  const last = finisher.write(settled(5))
  await db.selectFrom('users').select('id').execute()
  expect(written).toEqual([1, 3])
  vi.advanceTimersByTime(100)
  await last
  expect(written).toEqual([1, 3, 1])
})

test('a result that the next delivery of its object waits for is written at once, with those that wait for company', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { finisher, written } = makeFinisher(100)
  await finisher.write(settled(1))
  const other = finisher.write(settled(2))
  await finisher.write(settled(3), true)
  await other
  expect(written).toEqual([1, 2])
})
