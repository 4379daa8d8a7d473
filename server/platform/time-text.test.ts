import { expect, test } from 'vitest'
import { AppError } from './errors.ts'
import { parseTime, timeFrom } from './time-text.ts'

test.each([
  ['2026-11-21T09:30:00Z', '2026-11-21T09:30:00.000Z'],
  ['2026-11-21T12:30:00.5+03:00', '2026-11-21T09:30:00.500Z'],
  ['2026-11-21 09:30:00', '2026-11-21T09:30:00.000Z'],
  ['2024-02-29 00:00:00', '2024-02-29T00:00:00.000Z'],
  ['2026-11-30T24:00:00.0Z', '2026-12-01T00:00:00.000Z'],
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
  '2026-01-01T24:00:00.5Z',
  '0000-06-01T00:00:00Z',
  '0001-01-01T00:00:00+10:00',
  '9999-12-31T23:00:00-10:00',
])('"%s" is not a time', (text) => {
  expect(() => timeFrom('since', text)).toThrow(AppError)
})

test('a time is of a day that there is', () => {
  for (const year of ['0001', '0004', '0100', '0400', '1900', '2000', '2023', '2024', '9996', '9999'])
    for (let month = 1; month <= 12; month++)
      for (let day = 1; day <= 31; day++) {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
        const exists = new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)
        expect([text, parseTime(`${text}T00:00:00Z`) !== undefined]).toEqual([text, exists])
      }
})
