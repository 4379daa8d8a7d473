import { expect, test } from 'vitest'
import { expiringOf, termOf } from './expiring.ts'

test('what ends first stands first, of the app and of its further bundles', () => {
  const project = {
    credential: {
      ios: {
        production: { certificateExpiration: '2026-12-07T00:00:00.000Z' },
        staging: { provisioningExpiration: '2026-11-19T00:00:00.000Z' },
      },
    },
    additionalCredentials: {
      ios: { production: [{ bundleIdentifier: 'example.widget', provisioningExpiration: '2027-01-01T00:00:00.000Z' }] },
    },
  }
  expect(expiringOf(project).map(({ kind, environment, bundle }) => [kind, environment, bundle])).toEqual([
    ['profile', 'staging', ''],
    ['certificate', 'production', ''],
    ['bundle_profile', 'production', 'example.widget'],
  ])
})

test('thirty days before its end something is due', () => {
  const now = new Date('2026-11-25T00:00:00Z')
  expect(termOf('2026-11-25T00:00:00.000Z', now).term).toBe('expired')
  expect(termOf('2026-12-24T23:59:59.000Z', now).term).toBe('soon')
  expect(termOf('2026-12-25T00:00:00.000Z', now).term).toBe('later')
})
