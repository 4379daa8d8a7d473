import { expect, test } from 'vitest'
import { changeOf, credentialGroups, statusGroups, storedOf, toFields } from './field-groups.ts'

const groupOf = (id: string) => {
  const group = [...credentialGroups, ...statusGroups].find((one) => one.id === id)
  if (group === undefined) throw new Error(`There is no group ${id}.`)
  return group
}

const project = {
  credential: { ios: { production: { password: '********', certificateExpiration: '2026-12-07T00:00:00.250Z' } } },
  appStatuses: { android: { staging: { status: true, versionCode: 7, tag: 'v1' } } },
}

test('what is stored is shown, and what is not is empty', () => {
  const signing = groupOf('credential.ios.production')
  expect(toFields(signing, storedOf(project, signing))).toMatchObject({ password: '********', certificate: '' })
  const store = groupOf('storeCredentials.appleAppStore')
  expect(toFields(store, storedOf(project, store))).toMatchObject({ keyId: '', keyInHouse: false })
})

test.each([
  ['credential.ios.production', {}, { credential: { ios: { production: {} } } }],
  ['credential.ios.production', { password: 'new' }, { credential: { ios: { production: { password: 'new' } } } }],
  ['credential.ios.production', { password: '' }, { credential: { ios: { production: { password: null } } } }],
  ['storeCredentials.googlePlay', { packageName: 'a.b' }, { storeCredentials: { googlePlay: { packageName: 'a.b' } } }],
  [
    'appStatuses.android.staging',
    { status: false, versionCode: '', tag: 'v1' },
    { appStatuses: { android: { staging: { status: false, versionCode: null } } } },
  ],
])('of %s only what is changed to %j is sent', (id, typed, change) => {
  const group = groupOf(id)
  const before = toFields(group, storedOf(project, group))
  expect(changeOf(group, before, { ...before, ...typed })).toEqual(change)
})

test('a time is sent as the moment that it names', () => {
  const group = groupOf('credential.ios.staging')
  const before = toFields(group, {})
  const now = { ...before, certificateExpiration: '2026-12-07T10:00:00' }
  const at = new Date('2026-12-07T10:00:00').toISOString()
  expect(changeOf(group, before, now)).toEqual({ credential: { ios: { staging: { certificateExpiration: at } } } })
})
