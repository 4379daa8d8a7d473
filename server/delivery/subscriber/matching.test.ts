import fc from 'fast-check'
import { expect, test } from 'vitest'
import { broadest, matchesPattern } from './matching.ts'

test('the broadest patterns match what all of them match, each event by one', () => {
  const type = fc.array(fc.constantFrom('a', 'ab', 'b'), { minLength: 1, maxLength: 4 }).map((words) => words.join('.'))
  const nameOrPattern = fc.oneof(
    type,
    fc.constant('*'),
    type.map((words) => `${words}.*`),
  )
  fc.assert(
    fc.property(fc.uniqueArray(nameOrPattern), type, (all, event) => {
      const matching = broadest(all).filter((one) => matchesPattern(event, one))
      expect(matching).toHaveLength(all.some((one) => matchesPattern(event, one)) ? 1 : 0)
    }),
  )
})
