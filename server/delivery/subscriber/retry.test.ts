import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '#testing/is-everything-wanted.ts'
import { defaultStrategies, retryDelayMs, type RetryStrategy } from './retry.ts'

const fixed = (seconds: number): RetryStrategy => ({ choice: 'fixed', kwargs: { seconds } })
const linear = (base: number, limit?: number): RetryStrategy => ({
  choice: 'linear',
  kwargs: { base, ...(limit === undefined ? {} : { limit }) },
})
const exponential = (base: number, factor?: number, limit?: number): RetryStrategy => ({
  choice: 'exponential',
  kwargs: { base, ...(factor === undefined ? {} : { factor }), ...(limit === undefined ? {} : { limit }) },
})
const random = (low: number, high: number): RetryStrategy => ({
  choice: 'random',
  kwargs: { min_value: low, max_value: high },
})

const lowest = (): number => 0
const highest = (): number => 1 - Number.EPSILON / 2
/** The wait without jitter, in seconds. */
const secondsOf = (strategy: RetryStrategy, n: number): number => retryDelayMs(strategy, n, lowest) / 1_000
const weekMs = 604_800_000

describe('the wait before a retry follows the table of the contract', () => {
  test.each([
    ['fixed: always the same', fixed(45), [45, 45, 45, 45]],
    ['fixed: at once', fixed(0), [0, 0, 0]],
    ['linear: base·n', linear(60), [60, 120, 180, 240]],
    ['linear: never over its limit', linear(60, 150), [60, 120, 150, 150]],
    ['linear: at once', linear(0, 100), [0, 0, 0]],
    ['exponential: baseⁿ', exponential(3), [3, 9, 27, 81]],
    ['exponential: factor·baseⁿ', exponential(2, 15), [30, 60, 120, 240]],
    ['exponential: never over its limit', exponential(2, 15, 100), [30, 60, 100, 100]],
    ['exponential: base 1 stays', exponential(1, 7), [7, 7, 7]],
    ['exponential: base 0 is at once', exponential(0, 7), [0, 0, 0]],
    ['exponential: factor 0 is at once', exponential(2, 0), [0, 0, 0]],
    ['random: the lowest draw', random(30, 600), [30, 30, 30]],
    ['random: an empty range', random(5, 5), [5, 5]],
  ])('%s', (_, strategy, expected) => {
    expect(expected.map((_wait, index) => secondsOf(strategy, index + 1))).toEqual(expected)
  })

  test.each([
    ['fixed', [60, 60, 60]],
    ['linear', [60, 120, 180]],
    ['exponential', [30, 60, 120, 240, 480, 960, 1_920, 3_840, 7_680, 15_360, 21_600, 21_600]],
    ['random', [30, 30]],
  ] as const)('the bare name %s', (choice, expected) => {
    expect(expected.map((_, index) => secondsOf(defaultStrategies[choice], index + 1))).toEqual(expected)
  })

  test('the bare name linear ends at an hour', () => {
    expect(secondsOf(defaultStrategies.linear, 60)).toBe(3_600)
    expect(secondsOf(defaultStrategies.linear, 61)).toBe(3_600)
  })

  test('the bare name random reaches both ends of its range and nothing beyond', () => {
    expect(retryDelayMs(defaultStrategies.random, 1, lowest)).toBe(30_000)
    expect(retryDelayMs(defaultStrategies.random, 1, highest)).toBe(600_000)
  })
})

const kwarg = fc.integer({ min: 0, max: 604_800 })
const strategies: fc.Arbitrary<RetryStrategy> = fc.oneof(
  kwarg.map(fixed),
  fc.tuple(kwarg, fc.option(kwarg, { nil: undefined })).map(([base, limit]) => linear(base, limit)),
  fc
    .tuple(kwarg, fc.option(kwarg, { nil: undefined }), fc.option(kwarg, { nil: undefined }))
    .map(([base, factor, limit]) => exponential(base, factor, limit)),
  fc.tuple(kwarg, kwarg).map(([one, two]) => random(Math.min(one, two), Math.max(one, two))),
)
/** MAX_ATTEMPTS is at most 100. */
const retries = fc.integer({ min: 1, max: 100 })
const draws = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
/** Everything that can be configured, with the numbers at which formulas break given more weight. */
const extremes = fc.oneof(
  strategies,
  fc.constantFrom(
    exponential(604_800),
    exponential(604_800, 0),
    exponential(2, 0, 0),
    exponential(604_800, 604_800, 604_800),
  ),
)

describe('for every strategy that can be configured, every retry and every draw', () => {
  const forAll = (check: (strategy: RetryStrategy, n: number, draw: number) => void): void =>
    fc.assert(fc.property(extremes, retries, draws, check), tries(300, 2_000))

  test('the wait is a whole number of milliseconds from 0 to a week', () => {
    forAll((strategy, n, draw) => {
      const wait = retryDelayMs(strategy, n, () => draw)
      expect(Number.isSafeInteger(wait)).toBe(true)
      expect(wait).toBeGreaterThanOrEqual(0)
      expect(wait).toBeLessThanOrEqual(weekMs)
    })
  })

  test('jitter only adds, at most a tenth', () => {
    forAll((strategy, n, draw) => {
      if (strategy.choice === 'random') return
      const plain = retryDelayMs(strategy, n, lowest)
      const wait = retryDelayMs(strategy, n, () => draw)
      expect(wait).toBeGreaterThanOrEqual(plain)
      expect(wait).toBeLessThanOrEqual(Math.ceil(plain * 1.1))
    })
  })

  test('a limit holds, but for the jitter', () => {
    forAll((strategy, n, draw) => {
      if (!('limit' in strategy.kwargs)) return
      expect(retryDelayMs(strategy, n, () => draw)).toBeLessThanOrEqual(Math.ceil(strategy.kwargs.limit * 1_100))
    })
  })

  test('fixed has no jitter', () => {
    fc.assert(
      fc.property(kwarg, retries, draws, (seconds, n, draw) => {
        expect(retryDelayMs(fixed(seconds), n, () => draw)).toBe(seconds * 1_000)
      }),
    )
  })

  test('random stays in its range, in whole seconds', () => {
    forAll((strategy, n, draw) => {
      if (strategy.choice !== 'random') return
      const wait = retryDelayMs(strategy, n, () => draw)
      expect(wait % 1_000).toBe(0)
      expect(wait).toBeGreaterThanOrEqual(strategy.kwargs.min_value * 1_000)
      expect(wait).toBeLessThanOrEqual(strategy.kwargs.max_value * 1_000)
    })
  })

  test('linear and exponential waits never get shorter from one retry to the next', () => {
    forAll((strategy, n) => {
      if (strategy.choice === 'random' || ('base' in strategy.kwargs && strategy.kwargs.base === 0)) return
      expect(secondsOf(strategy, n + 1)).toBeGreaterThanOrEqual(secondsOf(strategy, n))
    })
  })
})

test('jitter spreads retries of many deliveries over its tenth', () => {
  const waits = new Set(Array.from({ length: 1_000 }, () => retryDelayMs(linear(60), 1, Math.random)))
  expect(Math.min(...waits)).toBeLessThan(61_000)
  expect(Math.max(...waits)).toBeGreaterThan(65_000)
  expect(waits.size).toBeGreaterThan(500)
})
