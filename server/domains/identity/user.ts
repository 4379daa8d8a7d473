import type { Principal } from '#platform/auth/principal.ts'
import { collectProblems } from '#platform/problems.ts'

/** Languages that people can be written to in; empty where somebody has not said. */
export const locales = ['', 'en', 'tr'] as const
export type Locale = (typeof locales)[number]

/** A person who can log in. What they may do follows from these fields alone (contract, section 2). */
export interface User {
  readonly id: number
  readonly email: string
  /** null: the e-mail is the user name. */
  readonly username: string | null
  readonly firstName: string
  readonly lastName: string
  readonly isStaff: boolean
  readonly isSuperuser: boolean
  readonly isActive: boolean
  /** The division a buyer orders for; null for everyone else. */
  readonly division: number | null
  readonly locale: Locale
  /** A name of the IANA time zone database; empty where somebody has not said. */
  readonly timeZone: string
  readonly passwordHash: string
  readonly credentialsVersion: number
  readonly createdAt: Date
  readonly modifiedAt: Date
}

/** The fields that a request may set. */
export interface UserSettings extends Pick<
  User,
  | 'email'
  | 'username'
  | 'firstName'
  | 'lastName'
  | 'isStaff'
  | 'isSuperuser'
  | 'isActive'
  | 'division'
  | 'locale'
  | 'timeZone'
> {
  readonly password?: string | undefined
}

/** A new user, where a request does not say. */
export const newUserDefaults = {
  username: null,
  firstName: '',
  lastName: '',
  isStaff: false,
  isSuperuser: false,
  isActive: true,
  division: null,
  locale: '',
  timeZone: '',
} as const

export type Role = 'superuser' | 'staff' | 'buyer'

/** Whether the person works in the back office: what access by role `staff` asks for. */
export const isBackOffice = ({ isActive, isStaff, isSuperuser }: User): boolean => isActive && (isStaff || isSuperuser)

/** What the person is, in the words of the contract. Roles in organizations are not among them. */
export const rolesOf = ({ isStaff, isSuperuser, divisionId }: Principal): Role[] => [
  ...(isSuperuser ? (['superuser'] as const) : []),
  ...(isStaff ? (['staff'] as const) : []),
  ...(divisionId === null ? [] : (['buyer'] as const)),
]

/** The caller, as use cases see it. */
export const principalOf = (user: Omit<User, 'passwordHash'>, scopes: Principal['scopes']): Principal => ({
  userId: user.id,
  email: user.email,
  isStaff: user.isStaff,
  isSuperuser: user.isSuperuser,
  divisionId: user.division,
  scopes,
})

/**
 * Makes names comparable: ASCII letters lose their case, nothing else changes. Wider folding makes
 * different addresses equal (the Kelvin sign folds to k), and with it one person into another.
 */
export const foldName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Every name the person can log in with, folded. */
export const loginNamesOf = ({ email, username }: Pick<User, 'email' | 'username'>): string[] => [
  ...new Set([foldName(email), foldName(username ?? email)]),
]

/**
 * Rules that no schema can say: a user name has no spaces, a time zone exists, a password is not a name of its owner.
 * @throws AppError 400 that names each wrong field.
 */
export const checkSettings = (settings: Pick<UserSettings, 'email' | 'username' | 'timeZone' | 'password'>): void => {
  const { username, timeZone, password } = settings
  const problems = collectProblems()
  problems.add('username', username !== null && /\s/.test(username) ? 'A user name has no spaces.' : undefined)
  problems.add('time_zone', isTimeZone(timeZone) ? undefined : 'Expected a name such as Europe/Istanbul.')
  if (password !== undefined && loginNamesOf(settings).includes(foldName(password)))
    problems.add('password', 'Choose a password that is not your e-mail or user name.')
  problems.throwIfAny()
}

/** Whether it is empty or a name of the IANA time zone database. Offsets such as +03:00 know no summer time and are none. */
const isTimeZone = (name: string): boolean => name === '' || zoneOf(name) !== undefined

/**
 * The name of a time zone as it is kept: people type it in any case of letters. Another name of a zone that is written as names
 * are stays, because what it stands for may be older (Asia/Calcutta, Europe/Kiev).
 * @returns what was typed where there is no such zone.
 */
export const timeZoneName = (typed: string): string => {
  const zone = zoneOf(typed) ?? typed
  const isOther = zone.toLowerCase() !== typed.toLowerCase()
  return isOther && /^[A-Z]/.test(typed) && (/[a-z]/.test(typed) || !typed.includes('/')) ? typed : zone
}

const zoneOf = (name: string): string | undefined => {
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
