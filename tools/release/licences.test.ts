import { describe, expect, test } from 'vitest'
import { projectRoot } from '../markdown.ts'
import { isAllowed, lockedPackages } from './licences.ts'

const packages = lockedPackages(projectRoot)

describe('the licences of dependencies', () => {
  test('are all allowed', () => {
    expect(packages.length).toBeGreaterThan(500)
    const refused = packages.filter((one) => !isAllowed(one))
    expect(refused, 'tools/release/licences.ts says which licences are allowed').toEqual([])
  })

  test.each([
    ['MIT', false, true],
    ['(MIT OR GPL-3.0-only)', false, true],
    ['MIT AND GPL-3.0-only', false, false],
    ['AGPL-3.0-only', true, false],
    ['MPL-2.0', true, true],
    ['MPL-2.0', false, false],
    ['', true, false],
  ])('%s, for development only: %s, is allowed: %s', (licence, isDevelopment, expected) => {
    expect(isAllowed({ licence, isDevelopment })).toBe(expected)
  })
})
