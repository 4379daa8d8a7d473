import { expect, test } from 'vitest'
import { checkSettings, foldName, loginNamesOf, principalOf, rolesOf, timeZoneName, type User } from './user.ts'

const user: User = {
  id: 1,
  email: 'Ada@Example.com',
  username: null,
  firstName: 'Ada',
  lastName: '',
  isStaff: false,
  isSuperuser: false,
  isActive: true,
  division: null,
  locale: '',
  timeZone: '',
  passwordHash: '',
  credentialsVersion: 0,
  createdAt: new Date(0),
  modifiedAt: new Date(0),
}

test('only ASCII letters lose their case, so no name becomes that of someone else', () => {
  expect(foldName('Ada@Example.COM')).toBe('ada@example.com')
  // The Kelvin sign and the dotted capital I, which wider folding turns into k and i.
  expect(foldName('\u212Aelvin@\u0130.example')).toBe('\u212Aelvin@\u0130.example')
})

test('a person logs in with the e-mail, and with the user name when there is one', () => {
  expect(loginNamesOf(user)).toEqual(['ada@example.com'])
  expect(loginNamesOf({ ...user, username: 'Countess' })).toEqual(['ada@example.com', 'countess'])
})

test('roles follow from the fields of the person', () => {
  const roles = (fields: Partial<User>) => rolesOf(principalOf({ ...user, ...fields }, null))
  expect(roles({})).toEqual([])
  expect(roles({ isStaff: true, isSuperuser: true, division: 3 })).toEqual(['superuser', 'staff', 'buyer'])
})

const problemsOf = (fields: { username?: string; password?: string }): unknown => {
  try {
    checkSettings({ ...user, ...fields })
    return undefined
  } catch (error) {
    return (error as { details: { fields: unknown } }).details.fields
  }
}

test('a user name has no spaces and a password is no name of its owner', () => {
  expect(problemsOf({ username: 'countess', password: 'engine no. 1' })).toBeUndefined()
  expect(problemsOf({ username: 'the countess' })).toHaveProperty('username')
  expect(problemsOf({ password: 'aDA@example.com' })).toHaveProperty('password')
  expect(problemsOf({ username: 'countess', password: 'Countess' })).toHaveProperty('password')
})

test.each([
  ['europe/istanbul', 'Europe/Istanbul'],
  ['EUROPE/ISTANBUL', 'Europe/Istanbul'],
  ['utc', 'UTC'],
  ['africa/dar_es_salaam', 'Africa/Dar_es_Salaam'],
  // Written as names are: not taken for the older name of the same zone.
  ['Europe/Kyiv', 'Europe/Kyiv'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['US/Pacific', 'US/Pacific'],
  ['us/pacific', 'America/Los_Angeles'],
  ['', ''],
  ['+03:00', '+03:00'],
  ['Europe/Atlantis', 'Europe/Atlantis'],
])('the time zone %j is kept as %j', (typed, kept) => {
  expect(timeZoneName(typed)).toBe(kept)
})
