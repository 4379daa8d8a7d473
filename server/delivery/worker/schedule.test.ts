import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeTestSchedule } from '#testing/make-test-schedule.ts'
import type { Want } from '../queue/claim.ts'

const now = new Date('2026-11-21T09:30:00.000Z')
const after = (milliseconds: number): Date => new Date(now.getTime() + milliseconds)

describe('a subscription is taken', () => {
  test('when it was woken, and then not again until something says so', () => {
    const { schedule, calls } = makeTestSchedule()
    expect(schedule.take()).toEqual([])
    schedule.wake([7, 7])
    expect(calls()).toBe(1)
    expect(schedule.take()).toEqual([{ subscriptionId: 7, lane: 0, limit: 8 }])
    expect(schedule.take()).toEqual([])
    schedule.claimed({ subscriptionId: 7, lane: 0, limit: 8 }, 0)
    schedule.wake([7])
    expect(schedule.take()).toHaveLength(1)
  })

  test('again when a claim brought all it asked for, and not when it brought less', () => {
    const { schedule, slots, calls } = makeTestSchedule(16)
    schedule.wake([1])
    const [want = { subscriptionId: 1, lane: 0, limit: 0 }] = schedule.take()
    const before = calls()
    schedule.claimed(want, want.limit - 1)
    expect(calls()).toBe(before)
    slots.complete(1, 0, true)
    expect(schedule.take()).toEqual([])

    schedule.wake([1])
    const [again = want] = schedule.take()
    schedule.claimed(again, again.limit)
    expect(calls()).toBeGreaterThan(before)
    for (let time = 0; time < 8; time++) slots.complete(1, 0, true)
    expect(schedule.take()).toHaveLength(1)
  })

  test('when a wake comes while it is being claimed, although the claim found nothing', () => {
    const { schedule, calls } = makeTestSchedule()
    schedule.wake([1])
    const [want = { subscriptionId: 1, lane: 0, limit: 0 }] = schedule.take()
    const before = calls()
    schedule.wake([1])
    schedule.claimed(want, 0)
    expect(calls()).toBeGreaterThan(before)
    expect(schedule.take()).toEqual([{ subscriptionId: 1, lane: 0, limit: 8 }])
  })

  test('when room is made, if it was woken while there was none', () => {
    const { schedule, fill, end, calls } = makeTestSchedule()
    schedule.wake([1])
    expect(fill(1)).toBe(8)
    schedule.wake([1])
    expect(schedule.take()).toEqual([])
    const before = calls()
    end(1, 2, true)
    expect(calls()).toBeGreaterThan(before)
    expect(schedule.take()).toMatchObject([{ subscriptionId: 1 }])
  })

  test('in bites of at least a quarter of its window', () => {
    const { schedule, slots, fill } = makeTestSchedule()
    schedule.wake([1])
    fill(1)
    schedule.wake([1])
    slots.complete(1, 0, true)
    expect(schedule.take()).toEqual([])
    slots.complete(1, 0, true)
    // Window 10, 6 in flight.
    expect(schedule.take()).toEqual([{ subscriptionId: 1, lane: 0, limit: 4 }])
  })
})

describe('capacity', () => {
  test('is never exceeded, and comes back when deliveries end', () => {
    const { schedule, slots, claimAll, end } = makeTestSchedule(20)
    schedule.wake([1, 2, 3, 4, 5])
    for (let round = 0; round < 5; round++) claimAll(100)
    expect(slots.inFlight).toBe(20)
    expect(schedule.take()).toEqual([])
    end(1, 1, true)
    expect(slots.inFlight).toBe(19)
  })

  test('is shared evenly by those that wait', () => {
    const { schedule } = makeTestSchedule(20)
    schedule.wake([1, 2, 3, 4, 5])
    expect(schedule.take().map(({ limit }) => limit)).toEqual([4, 4, 4, 4, 4])
  })

  test('is given one by one when more wait than there is room for', () => {
    const { schedule } = makeTestSchedule(3)
    schedule.wake([1, 2, 3, 4, 5])
    expect(schedule.take()).toEqual([1, 2, 3].map((subscriptionId) => ({ subscriptionId, lane: 0, limit: 1 })))
  })

  test('goes round: whoever has much due waits behind those that had no turn', () => {
    const { schedule, end } = makeTestSchedule(2)
    const turns: number[] = []
    schedule.wake([1, 2, 3, 4, 5])
    for (let round = 0; round < 20; round++) {
      for (const want of schedule.take()) {
        turns.push(want.subscriptionId)
        schedule.claimed(want, want.limit)
        end(want.subscriptionId, want.limit, true)
      }
    }
    const counts = [1, 2, 3, 4, 5].map((id) => turns.filter((turn) => turn === id).length)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
  })

  test('is not held for long by receivers that hang: they get one each, the healthy one gets the rest', () => {
    const { schedule, claimAll, fill, end } = makeTestSchedule(64)
    const hanging = [1, 2, 3, 4, 5]
    for (let round = 0; round < 4; round++) {
      schedule.wake(hanging)
      for (const { subscriptionId, limit } of claimAll(100)) end(subscriptionId, limit, false)
    }
    schedule.wake([...hanging, 9])
    const taken = schedule.take()
    for (const want of taken) schedule.claimed(want, want.limit)
    expect(taken.filter(({ subscriptionId }) => subscriptionId !== 9).map(({ limit }) => limit)).toEqual([
      1, 1, 1, 1, 1,
    ])
    expect(fill(9) + (taken.at(-1)?.limit ?? 0)).toBe(8)
  })
})

describe('retries', () => {
  const grow = ({ schedule, slots }: ReturnType<typeof makeTestSchedule>, id: number): void => {
    for (let time = 0; time < 300; time++) {
      schedule.wake([id])
      const [want] = schedule.take()
      if (want === undefined) throw new Error('Nothing was wanted.')
      schedule.claimed(want, 1)
      slots.complete(id, 0, true)
    }
  }
  const limitOf = (wants: readonly Want[], lane: 0 | 1): number =>
    wants.filter((want) => want.lane === lane).reduce((sum, { limit }) => sum + limit, 0)

  test('are wanted beside what is new, as a quarter of the window', () => {
    const made = makeTestSchedule(10_000)
    const { schedule } = made
    grow(made, 1)
    schedule.wake([1], 0)
    schedule.wake([1], 1)
    expect(schedule.take()).toEqual([
      { subscriptionId: 1, lane: 0, limit: 256 },
      { subscriptionId: 1, lane: 1, limit: 64 },
    ])
  })

  test('take at most a quarter of the capacity, however many wait', () => {
    const { schedule } = makeTestSchedule(100)
    const ids = Array.from({ length: 500 }, (_, index) => index + 1)
    schedule.wake(ids, 1)
    let taken = 0
    for (let wants = schedule.take(); wants.length > 0; wants = schedule.take()) {
      for (const want of wants) schedule.claimed(want, want.limit)
      taken += limitOf(wants, 1)
    }
    expect(taken).toBe(25)
    schedule.wake([9_999], 0)
    expect(limitOf(schedule.take(), 0)).toBe(8)
  })

  test('get an eighth of the capacity however much is new', () => {
    const { schedule } = makeTestSchedule(80)
    schedule.wake([7], 1)
    schedule.wake(
      Array.from({ length: 500 }, (_, index) => index + 100),
      0,
    )
    const wants = schedule.take()
    expect(limitOf(wants, 0)).toBe(70)
    expect(limitOf(wants, 1)).toBeGreaterThan(0)
  })

  test('that hang give their share back to other retries', () => {
    const { schedule, slots } = makeTestSchedule(40)
    const hanging = Array.from({ length: 10 }, (_, index) => index + 1)
    schedule.wake(hanging, 1)
    for (const want of schedule.take()) schedule.claimed(want, want.limit)
    schedule.wake([99], 1)
    expect(schedule.take()).toEqual([])
    for (const id of hanging) slots.slowed(id, 1)
    expect(schedule.take()).toMatchObject([{ subscriptionId: 99, lane: 1 }])
  })
})

describe('those with nothing in flight', () => {
  test('can be taken by themselves, past one with much due', () => {
    const { schedule, fill } = makeTestSchedule(10_000)
    schedule.wake([1])
    fill(1)
    schedule.wake([1, 2])
    expect(schedule.takeIdle()).toEqual([{ subscriptionId: 2, lane: 0, limit: 8 }])
    expect(schedule.takeIdle()).toEqual([])
  })

  test('are not taken twice while a claim for them is under way', () => {
    const { schedule } = makeTestSchedule()
    schedule.wake([1])
    const [want] = schedule.takeIdle()
    schedule.wake([1])
    expect([schedule.take(), schedule.takeIdle()]).toEqual([[], []])
    if (want !== undefined) schedule.claimed(want, 1)
    expect(schedule.take()).toMatchObject([{ subscriptionId: 1, limit: 7 }])
  })
})

describe('wakeAt', () => {
  const slackMs = 5
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  test('makes a subscription ready when its time has come, and not before', () => {
    const { schedule, calls } = makeTestSchedule()
    schedule.wakeAt(1, 0, after(1_000), now)
    // A timer that is a millisecond early by the clock must not be too early for the claim.
    vi.advanceTimersByTime(1_000)
    expect(calls()).toBe(0)
    expect(schedule.take()).toEqual([])
    vi.advanceTimersByTime(slackMs)
    expect(calls()).toBe(1)
    expect(schedule.take()).toMatchObject([{ subscriptionId: 1 }])
  })

  test('rings at each of several times once', () => {
    const { schedule, calls } = makeTestSchedule()
    for (const time of [1_000, 300, 700, 300]) schedule.wakeAt(1, 0, after(time), now)
    vi.advanceTimersByTime(300 + slackMs)
    expect(calls()).toBe(1)
    vi.advanceTimersByTime(400 + slackMs)
    expect(calls()).toBe(2)
    vi.advanceTimersByTime(10_000)
    expect(calls()).toBe(3)
  })

  test('remembers the next sixteen times', () => {
    const { schedule, calls } = makeTestSchedule()
    for (let time = 20; time > 0; time--) schedule.wakeAt(1, 0, after(100 * time), now)
    for (let time = 21; time <= 30; time++) schedule.wakeAt(1, 0, after(100 * time), now)
    vi.advanceTimersByTime(100 + slackMs)
    expect(calls()).toBe(1)
    vi.advanceTimersByTime(10_000)
    expect(calls()).toBe(16)
  })

  test('works again after it has rung', () => {
    const { schedule, calls } = makeTestSchedule()
    schedule.wakeAt(1, 0, after(100), now)
    vi.advanceTimersByTime(100 + slackMs)
    schedule.wakeAt(1, 0, after(300), after(100 + slackMs))
    vi.advanceTimersByTime(200)
    expect(calls()).toBe(2)
  })

  test('of a time that has passed rings at once', () => {
    const { schedule, calls } = makeTestSchedule()
    schedule.wakeAt(1, 0, after(-5_000), now)
    vi.advanceTimersByTime(slackMs)
    expect(calls()).toBe(1)
  })

  test('of a time far away does not ring now, as a timer of more than 24 days would', () => {
    const { schedule, calls } = makeTestSchedule()
    schedule.wakeAt(1, 0, after(40 * 86_400_000), now)
    vi.advanceTimersByTime(60_000)
    expect(calls()).toBe(0)
  })

  test('has timers for 50,000 subscriptions at most, and for those that have one already', () => {
    const { schedule } = makeTestSchedule()
    for (let id = 1; id <= 50_010; id++) schedule.wakeAt(id, 0, after(1_000 + id), now)
    expect(vi.getTimerCount()).toBe(50_000)
    schedule.wakeAt(1, 0, after(10), now)
    vi.advanceTimersByTime(10 + slackMs)
    expect(schedule.take()).toMatchObject([{ subscriptionId: 1 }])
  })

  test('rings no more after a stop, not even what is set after it', () => {
    const { schedule, calls } = makeTestSchedule()
    schedule.wakeAt(1, 0, after(100), now)
    schedule.stop()
    schedule.wakeAt(2, 0, after(100), now)
    vi.advanceTimersByTime(1_000)
    expect(calls()).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})
