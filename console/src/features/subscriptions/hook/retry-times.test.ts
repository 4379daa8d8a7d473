import { expect, test } from 'vitest'
import { defaultKwargs, retryTimes } from './retry-times.ts'

test('each strategy waits as the contract has it', () => {
  expect(retryTimes('fixed', { seconds: 10 }, 4)).toEqual([10, 20, 30])
  expect(retryTimes('linear', { base: 60, limit: 100 }, 4)).toEqual([60, 160, 260])
  expect(retryTimes('linear', { base: 60 }, 4)).toEqual([60, 180, 360])
  expect(retryTimes('exponential', defaultKwargs.exponential, 4)).toEqual([30, 90, 210])
  expect(retryTimes('exponential', { base: 2 }, 4)).toEqual([2, 6, 14])
  expect(retryTimes('random', { min_value: 10, max_value: 20 }, 3)).toEqual([15, 30])
})

test('no wait is longer than a week, and nothing is retried when there is one attempt', () => {
  expect(retryTimes('exponential', { base: 1_000 }, 3)).toEqual([1_000, 605_800])
  expect(retryTimes('exponential', { base: 1_000, factor: 0 }, 3)).toEqual([0, 0])
  expect(retryTimes('fixed', { seconds: 1 }, 1)).toEqual([])
})
