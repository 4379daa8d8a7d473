import { expect, test } from 'vitest'
import { isWorthTelling, type LastAlert } from './alert-pace.ts'

const now = new Date('2026-11-21T09:30:00.000Z')
const told = (change: LastAlert['change'], minutesAgo: number): LastAlert => ({
  change,
  at: new Date(now.getTime() - minutesAgo * 60_000),
})

test.each<[string, LastAlert | null, LastAlert['change'], boolean]>([
  ['the first failure', null, 'failing', true],
  ['a failure soon after people were told that it works again', told('recovered', 10), 'failing', false],
  ['a failure an hour later', told('recovered', 60), 'failing', true],
  ['a recovery from what was told', told('failing', 1), 'recovered', true],
  ['a recovery from being switched off', told('disabled', 900), 'recovered', true],
  ['a recovery from what nobody heard of', told('recovered', 1), 'recovered', false],
  ['a recovery when nothing was ever told', null, 'recovered', false],
  ['switching off, always', told('disabled', 0), 'disabled', true],
])('%s', (_, last, change, expected) => {
  expect(isWorthTelling(last, change, now)).toBe(expected)
})
