import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxFailures, waitMs, windowMinutes } from './throttle.ts'

const windowMs = windowMinutes * 60_000
const now = new Date('2026-11-21T09:30:00Z')
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)

test('nine failures are fine, the tenth makes the next one wait until the first has left the window', () => {
  const ten = Array.from({ length: 10 }, (_, index) => ago(60_000 - index))
  expect(waitMs(ten.slice(1), now)).toBe(0)
  expect(waitMs(ten, now)).toBe(windowMs - 60_000)
})

test('after the wait there is no more to wait, and one millisecond before there is', () => {
  const times = fc.array(fc.integer({ min: 0, max: windowMs - 1 }), { minLength: maxFailures, maxLength: 30 })
  fc.assert(
    fc.property(times, (ages) => {
      const failures = ages.toSorted((a, b) => b - a).map(ago)
      const inWindow = (at: Date) => failures.filter((failure) => failure.getTime() > at.getTime() - windowMs)
      const wait = waitMs(failures, now)
      const then = new Date(now.getTime() + wait)
      expect(wait).toBeGreaterThan(0)
      expect(inWindow(then).length).toBeLessThan(maxFailures)
      expect(inWindow(new Date(then.getTime() - 1)).length).toBeGreaterThanOrEqual(maxFailures)
    }),
  )
})
