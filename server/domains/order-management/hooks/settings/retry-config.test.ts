import { describe, expect, test } from 'vitest'
import { AppError } from '#platform/errors.ts'
import { collectProblems } from '#platform/problems.ts'
import { parseRetryConfig } from './retry-config.ts'

const parse = (input: unknown) => {
  const problems = collectProblems()
  const strategy = parseRetryConfig(input, problems)
  try {
    problems.throwIfAny()
    return { strategy }
  } catch (error) {
    return { fields: error instanceof AppError ? error.details.fields : error }
  }
}

const exponential = { choice: 'exponential', kwargs: { base: 2, factor: 15, limit: 21_600 } }

describe('retry_countdown_config', () => {
  test.each([
    [null, exponential],
    [undefined, exponential],
    ['exponential', exponential],
    ['fixed', { choice: 'fixed', kwargs: { seconds: 60 } }],
    ['linear', { choice: 'linear', kwargs: { base: 60, limit: 3_600 } }],
    ['random', { choice: 'random', kwargs: { min_value: 30, max_value: 600 } }],
    [{ choice: 'linear' }, { choice: 'linear', kwargs: { base: 60, limit: 3_600 } }],
    [
      { choice: 'random', kwargs: null },
      { choice: 'random', kwargs: { min_value: 30, max_value: 600 } },
    ],
    [
      { choice: 'fixed', kwargs: { seconds: 0 } },
      { choice: 'fixed', kwargs: { seconds: 0 } },
    ],
    [
      { choice: 'fixed', kwargs: { seconds: 604_800 } },
      { choice: 'fixed', kwargs: { seconds: 604_800 } },
    ],
    [
      { choice: 'linear', kwargs: { base: 5 } },
      { choice: 'linear', kwargs: { base: 5 } },
    ],
    [
      { choice: 'linear', kwargs: { base: 5, limit: null } },
      { choice: 'linear', kwargs: { base: 5 } },
    ],
    [
      { choice: 'exponential', kwargs: { base: 2 } },
      { choice: 'exponential', kwargs: { base: 2, factor: 1 } },
    ],
    [
      { choice: 'exponential', kwargs: { base: 2, factor: 3, limit: 9 } },
      { choice: 'exponential', kwargs: { base: 2, factor: 3, limit: 9 } },
    ],
    [
      { choice: 'random', kwargs: { min_value: 7, max_value: 7 } },
      { choice: 'random', kwargs: { min_value: 7, max_value: 7 } },
    ],
  ])('%j is %j', (input, strategy) => {
    expect(parse(input)).toEqual({ strategy })
  })

  test.each([
    ['weekly', ''],
    ['', ''],
    ['toString', ''],
    [5, ''],
    [true, ''],
    [['fixed'], ''],
    [{}, '.choice'],
    [{ choice: null }, '.choice'],
    [{ choice: 'weekly' }, '.choice'],
    [{ choice: 'constructor' }, '.choice'],
    [{ choice: 'fixed', kwargs: [] }, '.kwargs'],
    [{ choice: 'fixed', kwargs: 60 }, '.kwargs'],
    [{ choice: 'fixed', kwargs: {} }, '.kwargs.seconds'],
    [{ choice: 'fixed', kwargs: { seconds: null } }, '.kwargs.seconds'],
    [{ choice: 'fixed', kwargs: { seconds: '60' } }, '.kwargs.seconds'],
    [{ choice: 'fixed', kwargs: { seconds: 1.5 } }, '.kwargs.seconds'],
    [{ choice: 'fixed', kwargs: { seconds: -1 } }, '.kwargs.seconds'],
    [{ choice: 'fixed', kwargs: { seconds: 604_801 } }, '.kwargs.seconds'],
    [{ choice: 'fixed', kwargs: { seconds: 60, callback: 'a.b' } }, '.kwargs.callback'],
    [{ choice: 'linear', kwargs: { limit: 60 } }, '.kwargs.base'],
    [{ choice: 'random', kwargs: { min_value: 1 } }, '.kwargs.max_value'],
    [{ choice: 'random', kwargs: { min_value: 8, max_value: 7 } }, '.kwargs.min_value'],
    [{ choice: 'fixed', kwargs: { seconds: 60 }, jitter: 1 }, '.jitter'],
  ])('%j is refused, naming the field', (input, where) => {
    const { strategy, fields } = parse(input)
    expect(strategy).toBeUndefined()
    expect(Object.keys(fields as object)).toEqual([`retry_countdown_config${where}`])
  })

  test.each([
    [5, 'Expected one of fixed, linear, exponential, random, or an object with choice and kwargs.'],
    [{ choice: 'exponential', kwargs: { base: 2, max: 9 } }, 'Unknown field. Expected: base, factor, limit.'],
  ])('%j is refused with what was expected: %s', (input, sentence) => {
    expect(Object.values(parse(input).fields as object)).toEqual([[sentence]])
  })

  test('names every wrong parameter at once', () => {
    const { fields } = parse({ choice: 'random', kwargs: { min: 1 } })
    expect(Object.keys(fields as object).toSorted()).toEqual(
      ['max_value', 'min', 'min_value'].map((name) => `retry_countdown_config.kwargs.${name}`),
    )
  })
})
