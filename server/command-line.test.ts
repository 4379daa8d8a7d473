import { describe, expect, test } from 'vitest'
import { readCommandLine } from './command-line.ts'

describe('the command line', () => {
  test('without arguments one process does everything', () => {
    expect(readCommandLine([])).toEqual({ help: false, role: 'all', isDemo: false })
  })

  test.each(['all', 'api', 'worker'])('--role %s is taken', (role) => {
    expect(readCommandLine(['--role', role]).role).toBe(role)
  })

  test.each([
    [['--role', 'cook'], /--role must be one of: all, api, worker/],
    [['--rol'], /Unknown option '--rol'/],
    [['start'], /Unexpected argument 'start'/],
  ])('%j is refused', (args, message) => {
    expect(() => readCommandLine(args)).toThrow(message)
  })
})
