import { describe, expect, test } from 'vitest'
import { expirationsOf } from './expirations.ts'

const now = new Date('2026-11-21T09:30:00.000Z')
const certificate = (certificateExpiration: string) => ({
  credential: { ios: { production: { certificateExpiration } } },
  additionalCredentials: {},
})

test.each([
  ['ended a year ago', '2025-11-21T09:30:00.000Z', { daysLeft: -365, expired: true }],
  ['ended a day ago', '2026-11-20T09:30:00.000Z', { daysLeft: -1, expired: true }],
  ['ended a millisecond ago', '2026-11-21T09:29:59.999Z', { daysLeft: -1, expired: true }],
  ['ends now', '2026-11-21T09:30:00.000Z', { daysLeft: 0, expired: false }],
  ['ends in a millisecond less than a day', '2026-11-22T09:29:59.999Z', { daysLeft: 0, expired: false }],
  ['ends in a day', '2026-11-22T09:30:00.000Z', { daysLeft: 1, expired: false }],
  ['ends a millisecond before 30 days', '2026-12-21T09:29:59.999Z', { daysLeft: 29, expired: false }],
  ['ends in exactly 30 days', '2026-12-21T09:30:00.000Z', { daysLeft: 30, expired: false }],
])('a certificate that %s is listed', (_, expiresAt, left) => {
  expect(expirationsOf(certificate(expiresAt), now)).toEqual([
    {
      field: 'credential.ios.production.certificateExpiration',
      kind: 'certificate',
      environment: 'production',
      bundleIdentifier: null,
      expiresAt,
      ...left,
    },
  ])
})

test('a certificate that ends a millisecond after 30 days is not listed', () => {
  expect(expirationsOf(certificate('2026-12-21T09:30:00.001Z'), now)).toEqual([])
})

describe('a day has 24 hours, whatever the calendar does', () => {
  test.each([
    ['February of a leap year', '2028-02-01T00:00:00.000Z', '2028-03-02T00:00:00.000Z'],
    ['February of another year', '2027-02-01T00:00:00.000Z', '2027-03-03T00:00:00.000Z'],
    ['the leap day itself', '2028-01-30T12:00:00.000Z', '2028-02-29T12:00:00.000Z'],
    ['the turn of the year', '2026-12-15T23:59:59.999Z', '2027-01-14T23:59:59.999Z'],
  ])('across %s', (_, from, until) => {
    const [last] = expirationsOf(certificate(until), new Date(from))
    expect(last).toMatchObject({ daysLeft: 30 })
    expect(expirationsOf(certificate(until), new Date(Date.parse(from) - 1))).toEqual([])
  })
})

test.each([1, 30, 365])('within %i days means up to the last moment of them', (days) => {
  const at = (moreMs: number): string => new Date(now.getTime() + days * 86_400_000 + moreMs).toISOString()
  expect(expirationsOf(certificate(at(0)), now, days)).toHaveLength(1)
  expect(expirationsOf(certificate(at(1)), now, days)).toHaveLength(0)
})

test('everything that ends is found where it is kept, the earliest first', () => {
  const day = (number: number): string => `2026-11-${String(number)}T00:00:00.000Z`
  const project = {
    credential: {
      android: { production: { keyAlias: 'release' } },
      ios: {
        production: { certificateExpiration: day(26), provisioningExpiration: day(25) },
        staging: { certificateExpiration: day(20), provisioningExpiration: day(28), password: 'p' },
      },
    },
    additionalCredentials: {
      ios: {
        production: [
          { bundleIdentifier: 'com.example.widget', provisioningExpiration: day(27) },
          { bundleIdentifier: 'com.example.none' },
          { provisioningExpiration: day(24) },
        ],
        staging: [{ bundleIdentifier: 'com.example.watch', provisioningExpiration: day(10) }],
      },
    },
  }
  const found = expirationsOf(project, now)
  expect(found.map(({ field, bundleIdentifier }) => [field, bundleIdentifier])).toEqual([
    ['additionalCredentials.ios.staging.0.provisioningExpiration', 'com.example.watch'],
    ['credential.ios.staging.certificateExpiration', null],
    ['additionalCredentials.ios.production.2.provisioningExpiration', null],
    ['credential.ios.production.provisioningExpiration', null],
    ['credential.ios.production.certificateExpiration', null],
    ['additionalCredentials.ios.production.0.provisioningExpiration', 'com.example.widget'],
    ['credential.ios.staging.provisioningExpiration', null],
  ])
  expect(found.map(({ kind }) => kind)).toEqual([
    'provisioning',
    'certificate',
    'provisioning',
    'provisioning',
    'certificate',
    'provisioning',
    'provisioning',
  ])
})

test('a project without anything that ends has no expirations', () => {
  expect(expirationsOf({ credential: {}, additionalCredentials: {} }, now)).toEqual([])
  expect(expirationsOf({ credential: { ios: {} }, additionalCredentials: { ios: { staging: [] } } }, now)).toEqual([])
})
