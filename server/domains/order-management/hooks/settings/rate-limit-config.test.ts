import { expect, test } from 'vitest'
import { collectProblems, type Problems } from '#platform/problems.ts'
import { readConfig } from './hook-config.ts'

const read = (config: unknown, problems: Problems) => readConfig(config, () => undefined, problems).rateLimit

test.each([
  [{ rate_limit: { per_second: 5 } }, { perSecond: 5, burst: 5 }],
  [{ rate_limit: { per_second: 2.5 } }, { perSecond: 2.5, burst: 3 }],
  [{ rate_limit: { per_second: 0.1 } }, { perSecond: 0.1, burst: 1 }],
  [{ rate_limit: { per_second: 10_000, burst: null } }, { perSecond: 10_000, burst: 10_000 }],
  [{ rate_limit: { per_second: 1, burst: 50 } }, { perSecond: 1, burst: 50 }],
  [{ rate_limit: null }, null],
  [{ auth: null }, undefined],
  [{}, undefined],
  [null, undefined],
  [undefined, undefined],
])('%j is read', (config, limit) => {
  const problems = collectProblems()
  expect(read(config, problems)).toEqual(limit)
  expect(problems.any()).toBe(false)
})

test.each<[unknown, string[]]>([
  [5, ['config.rate_limit']],
  [[], ['config.rate_limit']],
  [{}, ['config.rate_limit.per_second']],
  [{ per_second: 0 }, ['config.rate_limit.per_second']],
  [{ per_second: 0.09 }, ['config.rate_limit.per_second']],
  [{ per_second: 10_001 }, ['config.rate_limit.per_second']],
  [{ per_second: '5' }, ['config.rate_limit.per_second']],
  [{ per_second: null }, ['config.rate_limit.per_second']],
  [{ per_second: Infinity }, ['config.rate_limit.per_second']],
  [{ per_second: 5, burst: 0 }, ['config.rate_limit.burst']],
  [{ per_second: 5, burst: 1.5 }, ['config.rate_limit.burst']],
  [{ per_second: 5, burst: 10_001 }, ['config.rate_limit.burst']],
  [
    { per_minute: 5, burst: 'x' },
    ['config.rate_limit.per_minute', 'config.rate_limit.per_second', 'config.rate_limit.burst'],
  ],
])('%j is refused', (limit, fields) => {
  const problems = collectProblems()
  expect(read({ rate_limit: limit }, problems)).toBeUndefined()
  expect(() => problems.throwIfAny()).toThrow(
    expect.objectContaining({
      details: { fields: Object.fromEntries(fields.map((field) => [field, [expect.any(String)]])) },
    }),
  )
})
