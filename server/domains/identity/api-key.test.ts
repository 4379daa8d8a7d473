import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '#platform/errors.ts'
import { expiryFrom } from './api-keys-routes.ts'

const now = new Date('2026-11-21T09:30:00Z')

test.each([
  ['2027-01-31T00:00:00Z', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31T00:00:00.5+02:00', '2027-01-30T22:00:00.500Z'],
  ['2027-01-31 08:15:00', '2027-01-31T08:15:00.000Z'],
  ['2027-01-31t08:15:00z', '2027-01-31T08:15:00.000Z'],
])('%s is read as %s', (text, time) => {
  expect(expiryFrom(text, now)?.toISOString()).toBe(time)
})

test('a key that is made with a key that ends does not end later', () => {
  const latest = new Date('2027-01-31T00:00:00Z')
  expect(expiryFrom('2027-01-31T00:00:00Z', now, latest)).toEqual(latest)
  for (const text of ['2027-01-31T00:00:00.001Z', null, undefined]) {
    expect(() => expiryFrom(text, now, latest)).toThrow(
      expect.objectContaining({ details: { fields: { expires_at: [expect.stringContaining('2027-01-31T00:00')] } } }),
    )
  }
})

test('without a time the key does not end', () => {
  expect(expiryFrom(null, now)).toBeNull()
  expect(expiryFrom(undefined, now)).toBeNull()
})

test.each([
  '2027-02-31T00:00:00Z',
  '2027-13-01T00:00:00Z',
  '2027-01-31',
  'tomorrow',
  '',
  '2027-01-31T25:00:00Z',
  '2026-11-21T09:30:00Z',
  '2020-01-01 00:00:00',
  '9999-12-31T23:59:59-23:59',
])('%s is refused', (text) => {
  expect(() => expiryFrom(text, now)).toThrow(AppError)
})

test('any text is read or refused, never worse', () => {
  const outcomeOf = (text: string): string => {
    try {
      const time = expiryFrom(text, now)
      return time !== null && time > now && /^\d{4}-/.test(time.toISOString()) ? 'read' : 'misread'
    } catch (error) {
      return error instanceof AppError ? 'refused' : 'broken'
    }
  }
  const likely = fc.stringMatching(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)?$/)
  fc.assert(
    fc.property(fc.oneof(fc.string(), likely), (text) => {
      expect(['read', 'refused']).toContain(outcomeOf(text))
    }),
  )
})
