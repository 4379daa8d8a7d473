import { pino } from 'pino'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Db } from './database.ts'
import { makeDatabaseClock, type TimeSources } from './database-clock.ts'

const noDatabase = undefined as unknown as Db
const start = Date.UTC(2026, 10, 21, 9, 30)

/** Two clocks and the road between them, moved by hand. */
const makeWorld = () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const state = {
    monotonic: 5_000,
    wall: start,
    /** What the database's time is ahead of the monotonic clock. */
    offset: start - 5_000,
    /** Milliseconds that each way to the database takes. */
    there: 1,
    back: 1,
    isDown: false,
    asked: 0,
  }
  const pass = (milliseconds: number): void => {
    state.monotonic += milliseconds
    state.wall += milliseconds
  }
  const sources: TimeSources = {
    monotonic: () => state.monotonic,
    wall: () => state.wall,
    database: async () => {
      state.asked += 1
      if (state.isDown) throw new Error('connection refused')
      // What is asked for does not arrive before the question has left.
      await Promise.resolve()
      pass(state.there)
      const time = state.monotonic + state.offset
      pass(state.back)
      return time
    },
  }
  const logged: { msg: string; byMs?: number }[] = []
  const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const clock = makeDatabaseClock(noDatabase, log, sources)
  return {
    state,
    pass,
    logged,
    clock,
    /** How far the clock is from the database. */
    error: () => clock.now().getTime() - (state.monotonic + state.offset),
    /** Time passes up to the next measurement, and for that. */
    untilMeasured: async () => {
      pass(30_000)
      await vi.advanceTimersByTimeAsync(30_000)
    },
  }
}

describe('the clock of the database', () => {
  test('is the machine’s own before it is started', () => {
    const { clock, state } = makeWorld()
    state.offset += 3_600_000
    expect(clock.now()).toEqual(new Date(start))
  })

  test('shows the time of the database, whatever the machine believes', async () => {
    const { clock, state, pass, error } = makeWorld()
    state.wall -= 86_400_000
    await clock.start()
    pass(12_345)
    expect(error()).toBe(0)
    await clock.stop()
  })

  test('does not move when the time of the machine jumps', async () => {
    const { clock, state, pass, logged, error } = makeWorld()
    await clock.start()
    for (const jump of [3_600_000, -7_200_000, 900]) {
      state.wall += jump
      pass(10)
      expect(error()).toBe(0)
      await vi.advanceTimersByTimeAsync(0)
      expect(error()).toBe(0)
    }
    expect(logged).toEqual([])
    await clock.stop()
  })

  test('follows a jump of the database in either direction, and says so', async () => {
    const { clock, state, logged, error, untilMeasured } = makeWorld()
    await clock.start()
    for (const jump of [3_600_000, -86_400_000, -1_500]) {
      state.offset += jump
      expect(error()).toBe(-jump)
      await untilMeasured()
      expect(error()).toBe(0)
      expect(logged.at(-1)).toMatchObject({ msg: 'clock.jumped', byMs: jump })
    }
    expect(logged).toHaveLength(3)
    await clock.stop()
  })

  test('makes up for drift little by little and never goes back', async () => {
    const { clock, state, pass, logged, error, untilMeasured } = makeWorld()
    await clock.start()
    for (const drift of [400, -400]) {
      state.offset += drift
      await untilMeasured()
      expect(Math.abs(error() + drift)).toBeLessThanOrEqual(2)
      let last = clock.now().getTime()
      for (let second = 0; second < 30; second++) {
        pass(1_000)
        const now = clock.now().getTime()
        expect(now - last).toBeGreaterThan(900)
        expect(now - last).toBeLessThan(1_100)
        last = now
      }
      expect(Math.abs(error())).toBeLessThanOrEqual(2)
    }
    expect(logged).toEqual([])
    await clock.stop()
  })

  test('believes a slow answer no more than it proves', async () => {
    const { clock, state, logged, error, untilMeasured } = makeWorld()
    await clock.start()
    // Nearly all of the time was spent on the way back: taken by the middle, the answer would be 4 s too early.
    state.back = 8_000
    await untilMeasured()
    expect(error()).toBe(0)
    await untilMeasured()
    expect(error()).toBe(0)
    expect(logged).toEqual([])
    await clock.stop()
  })

  test('takes the quickest of several answers', async () => {
    const { clock, state, error } = makeWorld()
    const ways = [900, 0, 500]
    Object.defineProperty(state, 'back', { get: () => ways.shift() ?? 900 })
    state.there = 0
    await clock.start()
    expect(error()).toBe(0)
    await clock.stop()
  })

  test('measures again at once after the machine slept', async () => {
    const { clock, state, logged, error } = makeWorld()
    await clock.start()
    // While it sleeps its monotonic clock stands still.
    state.wall += 28_800_000
    state.offset += 28_800_000
    expect(error()).toBe(-28_800_000)
    await vi.advanceTimersByTimeAsync(0)
    expect(error()).toBe(0)
    expect(logged).toMatchObject([{ msg: 'clock.jumped', byMs: 28_800_000 }])
    await clock.stop()
  })

  test('goes on while the database does not answer, without asking it for every reading', async () => {
    const { clock, state, pass, error } = makeWorld()
    await clock.start()
    state.isDown = true
    state.wall += 3_600_000
    const before = state.asked
    for (let reading = 0; reading < 50; reading++) {
      pass(100)
      expect(error()).toBe(0)
      await vi.advanceTimersByTimeAsync(0)
    }
    expect(state.asked - before).toBe(1)
    await clock.stop()
  })
})
