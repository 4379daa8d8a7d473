import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { makeTestSchedule } from '#testing/make-test-schedule.ts'

describe('a subscription with much due', () => {
  /** A schedule on which subscription 1 has grown a window of 256, and has had its turn just now. */
  const withBacklog = () => {
    const made = makeTestSchedule(10_000)
    made.schedule.wake([1])
    for (let round = 0; round < 300; round++) {
      const [want = { subscriptionId: 1, lane: 0, limit: 0 }] = made.schedule.take()
      made.schedule.claimed(want, want.limit)
      made.end(1, want.limit, true)
    }
    return made
  }
  /** Another one gets something, while 1 goes on having more due. */
  const serveAnother = ({ schedule, end }: ReturnType<typeof makeTestSchedule>): void => {
    schedule.wake([2])
    for (const want of schedule.takeIdle()) {
      schedule.claimed(want, 1)
      end(want.subscriptionId, 1, true)
    }
    schedule.wake([1])
  }

  test('takes all it may at once while it is alone', () => {
    const { schedule } = withBacklog()
    const wants = schedule.take()
    expect(wants).toEqual([{ subscriptionId: 1, lane: 0, limit: 256 }])
    expect(schedule.isPolite(wants)).toBe(false)
  })

  test('takes small bites, and lets others go first, once somebody else is served as well', () => {
    const made = withBacklog()
    serveAnother(made)
    const wants = made.schedule.take()
    expect(wants).toEqual([{ subscriptionId: 1, lane: 0, limit: 32 }])
    expect(made.schedule.isPolite(wants)).toBe(true)
    expect(made.schedule.isPolite([{ subscriptionId: 2, lane: 0, limit: 8 }])).toBe(false)
  })

  test('takes all again a fifth of a second after the other one got its last, as when that was deleted', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const made = withBacklog()
    serveAnother(made)
    vi.advanceTimersByTime(200)
    expect(made.schedule.take()).toMatchObject([{ limit: 256 }])
  })
})

describe('ends that wait to be written', () => {
  const make = (count: number) => {
    const made = makeTestSchedule(10)
    for (let time = 0; time < count; time++) made.schedule.unwritten()
    made.schedule.wake([1])
    return made
  }
  const withUnwritten = (count: number) => make(count).schedule

  test('stop claims when there are twice as many as may be in flight', () => {
    expect(withUnwritten(19).take()).toHaveLength(1)
    expect(withUnwritten(20).take()).toEqual([])
  })

  test('stop claims for those of whom nothing is in flight later', () => {
    expect(withUnwritten(29).takeIdle()).toHaveLength(1)
    expect(withUnwritten(30).takeIdle()).toEqual([])
  })

  test('let claims go on when they are written', () => {
    const { schedule, calls } = make(20)
    expect(schedule.take()).toEqual([])
    const before = calls()
    schedule.written()
    expect(calls()).toBe(before + 1)
    schedule.written()
    expect(calls()).toBe(before + 1)
    expect(schedule.take()).toHaveLength(1)
  })
})

test('with several served, a part of the capacity is for those of whom nothing is in flight', () => {
  const { schedule, slots } = makeTestSchedule(16)
  schedule.wake([1, 2])
  for (const want of schedule.take()) schedule.claimed(want, want.limit - 1)
  schedule.wake([1, 2, 3])
  const inFlight = slots.inFlight
  expect(schedule.take().reduce((sum, { limit }) => sum + limit, inFlight)).toBeLessThanOrEqual(14)
  expect(schedule.takeIdle()).toMatchObject([{ subscriptionId: 3 }])
})

test('what comes in spite of a quiet ends it: later times count again', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { schedule } = makeTestSchedule()
  const now = new Date()
  const after = (milliseconds: number): Date => new Date(now.getTime() + milliseconds)
  schedule.quiet(1, after(3_600_000), now)
  // Its owner has ended the quiet, and says so.
  schedule.wake([1])
  for (const want of schedule.take()) schedule.claimed(want, 1)
  schedule.wakeAt(1, 0, after(200), now)
  vi.advanceTimersByTime(210)
  expect(schedule.take()).toMatchObject([{ subscriptionId: 1 }])
})
