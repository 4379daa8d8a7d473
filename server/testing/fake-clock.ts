import type { Clock } from '#platform/clock.ts'

/** A clock that stands until it is moved. */
export interface FakeClock extends Clock {
  advance(milliseconds: number): void
}

export const makeFakeClock = (start = new Date('2026-11-21T09:30:00.000Z')): FakeClock => {
  let now = start.getTime()
  return {
    now: () => new Date(now),
    advance: (milliseconds) => {
      now += milliseconds
    },
  }
}
