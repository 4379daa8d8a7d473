import { expect, test } from 'vitest'
import { AppError } from './errors.ts'
import { parseTime, timeFrom } from './time-text.ts'

test.each([
  ['2026-11-21T09:30:00Z', '2026-11-21T09:30:00.000Z'],
  ['2026-11-21T12:30:00.5+03:00', '2026-11-21T09:30:00.500Z'],
  ['2026-11-21 09:30:00', '2026-11-21T09:30:00.000Z'],
  ['2024-02-29 00:00:00', '2024-02-29T00:00:00.000Z'],
])('%s is read as %s', (text, expected) => {
  expect(parseTime(text)?.toISOString()).toBe(expected)
})

test.each([
  '',
  'now',
  '2026-11-21',
  '2026-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-01T25:00:00Z',
  '0000-06-01T00:00:00Z',
  '0001-01-01T00:00:00+10:00',
  '9999-12-31T23:00:00-10:00',
])('"%s" is not a time', (text) => {
  expect(() => timeFrom('since', text)).toThrow(AppError)
})
