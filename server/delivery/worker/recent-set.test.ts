import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RecentSet } from './recent-set.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const periodMs = 5_000

test('one id is not several, however often it is named', () => {
  const recent = new RecentSet(periodMs)
  expect(recent.hasSeveral()).toBe(false)
  for (let time = 0; time < 3; time++) {
    recent.add(7)
    vi.advanceTimersByTime(periodMs - 1)
    expect(recent.hasSeveral()).toBe(false)
  }
})

test('two are, also when they were named in different periods', () => {
  const recent = new RecentSet(periodMs)
  recent.add(7)
  vi.advanceTimersByTime(periodMs)
  recent.add(8)
  expect(recent.hasSeveral()).toBe(true)
})

test('what was named two periods ago counts no more', () => {
  const recent = new RecentSet(periodMs)
  recent.add(7)
  recent.add(8)
  vi.advanceTimersByTime(2 * periodMs)
  expect(recent.hasSeveral()).toBe(false)
  recent.add(7)
  expect(recent.hasSeveral()).toBe(false)
})
