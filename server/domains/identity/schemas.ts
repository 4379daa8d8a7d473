import { Type } from 'typebox'
import { allScopes } from '#platform/auth/principal.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { Body, CheckedElsewhere, Id, Nullable, OneOf, orNull, SentTime, Timestamp } from '#platform/http/schemas.ts'
import { objectIdPattern } from '#platform/object-ids.ts'
import type { AccessKey } from './credential-store.ts'
import type { SessionRow } from './session-list-store.ts'
import { locales, type User } from './user.ts'

const ObjectId = Type.String({ pattern: objectIdPattern })
const Email = Type.String({ format: 'email', maxLength: 254, examples: ['buyer@example.com'] })
const Username = Type.String({ minLength: 1, maxLength: 254, examples: ['buyer'] })
const NewPassword = Type.String({ minLength: 8, maxLength: 128, writeOnly: true })
const PersonName = Type.String({ maxLength: 150 })
const Locale = OneOf(locales)
const TimeZone = Type.String({ maxLength: 64, examples: ['Europe/Istanbul'] })
const Scopes = Type.Array(OneOf(allScopes), {
  minItems: 1,
  maxItems: 100,
  description: 'null: all rights of the user.',
})

/** What is typed at login. Longer than anything that was ever set is refused before it is hashed. */
export const LoginBody = Body(
  {
    username: Type.String({ minLength: 1, maxLength: 254, description: 'E-mail or user name.' }),
    password: Type.String({ minLength: 1, maxLength: 1024, writeOnly: true }),
  },
  [],
  {
    title: 'Login',
    description: 'Who logs in.',
    examples: [{ username: 'ayse@example.com', password: 'correct horse battery' }],
  },
)
export const TokenBody = CheckedElsewhere(
  Body(
    {
      username: Type.Optional(LoginBody.properties.username),
      password: Type.Optional(LoginBody.properties.password),
      refresh_token: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'Instead of the two others.' }),
      ),
    },
    [],
    {
      title: 'TokenRequest',
      description: 'A user name with its password, or a refresh token.',
      examples: [{ username: 'ayse@example.com', password: 'correct horse battery' }],
    },
  ),
  {
    if: { required: ['refresh_token'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { maxProperties: 1 },
    else: { required: ['username', 'password'] },
  },
)
export const LoginKey = Type.Object(
  { key: Type.String({ examples: ['wbl_…'] }) },
  { title: 'LoginKey', description: 'The key of this login.' },
)
export const TokenAnswer = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ minimum: 1, description: 'Seconds.' }),
    refresh_token: Type.String({ description: 'Works once; the answer has the next one.' }),
  },
  { title: 'Tokens', description: 'A pair of tokens.' },
)

/** Whoever is in more organizations asks for the list of them. */
export const maxOrganizations = 100

const Person = Type.Object({
  id: Id,
  email: Type.String(),
  username: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  is_staff: Type.Boolean(),
  is_superuser: Type.Boolean(),
  locale: Locale,
  time_zone: Type.String({ examples: ['Europe/Istanbul'] }),
})

export const Me = Type.Object(
  {
    ...Person.properties,
    roles: Type.Array(OneOf(['superuser', 'staff', 'buyer'])),
    division: Nullable(Id),
    organizations: Type.Array(
      Type.Object({ _id: ObjectId, name: Type.String(), role: Type.String({ examples: ['developer'] }) }),
      {
        description: `That the caller is a member of, the first ${maxOrganizations}; none for a key without projects:read. GET /api/v1/organizations has all.`,
      },
    ),
    scopes: Nullable(Type.Array(Type.String(), { description: 'What this credential is limited to; null: nothing.' })),
  },
  { title: 'Me', description: 'The caller, with its rights.' },
)

export const CookieSession = Type.Object(
  {
    csrf_token: Type.String({
      description: 'What `x-csrf-token` has to be as long as this login goes on, wherever something is changed.',
      examples: ['q3JxE9…'],
    }),
    ...Me.properties,
  },
  { title: 'CookieSession', description: 'Who is logged in by the cookie.' },
)

/** What people may change of themselves. */
export const MyChanges = Body(
  {
    first_name: Type.Optional(PersonName),
    last_name: Type.Optional(PersonName),
    locale: Type.Optional(Locale),
    time_zone: Type.Optional(TimeZone),
    password: Type.Optional(NewPassword),
    current_password: Type.Optional(LoginBody.properties.password),
  },
  Object.keys(Me.properties).filter((name) => !['first_name', 'last_name', 'locale', 'time_zone'].includes(name)),
  {
    title: 'MyChanges',
    description: 'What people change of themselves.',
    examples: [{ locale: 'tr', time_zone: 'Europe/Istanbul' }],
  },
)

export const PasswordReset = Body({ email: Email }, [], {
  title: 'PasswordReset',
  description: 'Whose password is to be set anew.',
  examples: [{ email: 'ayse@example.com' }],
})
export const ResetAsked = Type.Object(
  { detail: Type.String({ description: 'For people: what comes next.' }) },
  { title: 'ResetAsked', description: 'The same for every address.' },
)
export const PasswordConfirmation = Body(
  { token: Type.String({ minLength: 1, maxLength: 200, writeOnly: true }), password: NewPassword },
  [],
  {
    title: 'PasswordConfirmation',
    description: 'A link that was sent, and the password to set.',
    examples: [{ token: 'wbp_…', password: 'correct horse battery' }],
  },
)
export const Invitation = Type.Object(
  { expires_at: Timestamp },
  { title: 'Invitation', description: 'A link that is on its way.' },
)

const apiKeyFields = { id: Id, name: Type.String(), prefix: Type.String(), scopes: Nullable(Type.Array(Type.String())) }
const apiKeyTimes = { created_at: Timestamp, expires_at: Nullable(Timestamp), last_used_at: Nullable(Timestamp) }
export const ApiKey = Type.Object(
  { ...apiKeyFields, ...apiKeyTimes },
  { title: 'ApiKey', description: 'An API key, without what it is sent as.' },
)
export const CreatedApiKey = Type.Object(
  {
    ...apiKeyFields,
    key: Type.String({ description: 'Shown this once.', examples: ['wbk_…'] }),
    ...apiKeyTimes,
  },
  { title: 'CreatedApiKey', description: 'A new API key, with what it is sent as.' },
)
export const NewApiKey = Body(
  {
    name: Type.String({ minLength: 1, maxLength: 100, examples: ['Warehouse integration'] }),
    scopes: Type.Optional(orNull(Scopes)),
    expires_at: Type.Optional(orNull(SentTime({ examples: ['2027-01-31T00:00:00Z'] }))),
  },
  ['id', 'prefix', 'key', 'created_at', 'last_used_at'],
  {
    title: 'NewApiKey',
    description: 'An API key to make.',
    examples: [{ name: 'Warehouse integration', scopes: ['order-management:read'] }],
  },
)

export const SessionView = Type.Object(
  {
    id: Id,
    kind: OneOf(['key', 'token']),
    created_at: Timestamp,
    last_used_at: Nullable(Timestamp),
    expires_at: Timestamp,
    address: Type.String({ examples: ['192.0.2.7'] }),
    user_agent: Type.String({ maxLength: 256, examples: ['Mozilla/5.0 (X11; Linux x86_64)'] }),
    is_current: Type.Boolean(),
  },
  { title: 'Session', description: 'A login that goes on.' },
)

export const UserView = Type.Object(
  {
    ...Person.properties,
    is_active: Type.Boolean(),
    division: Nullable(Id),
    created_at: Timestamp,
    modified_at: Timestamp,
  },
  { title: 'User', description: 'Somebody who can log in.' },
)
const optionalFields = {
  username: Type.Optional(orNull(Username)),
  first_name: Type.Optional(PersonName),
  last_name: Type.Optional(PersonName),
  locale: Type.Optional(Locale),
  time_zone: Type.Optional(TimeZone),
  is_staff: Type.Optional(Type.Boolean()),
  is_superuser: Type.Optional(Type.Boolean()),
  is_active: Type.Optional(Type.Boolean()),
  division: Type.Optional(orNull(Id)),
}
const readOnly = ['id', 'created_at', 'modified_at']
export const NewUser = Body({ email: Email, password: Type.Optional(NewPassword), ...optionalFields }, readOnly, {
  title: 'NewUser',
  description: 'Somebody who is to log in.',
  examples: [{ email: 'ayse@example.com', password: 'correct horse battery', first_name: 'Ayşe', is_staff: true }],
})
export const UserChanges = Body(
  { email: Type.Optional(Email), password: Type.Optional(NewPassword), ...optionalFields },
  readOnly,
  { title: 'UserPatch', description: 'Changes of a user.', examples: [{ is_active: false }] },
)

const username = (user: User): string => user.username ?? user.email
/** What the own account and the list of users both show. */
export const personToWire = makeToWire<User, typeof Person>(Person, { username })
export const userToWire = makeToWire<User, typeof UserView>(UserView, { username })
export const apiKeyToWire = makeToWire<AccessKey, typeof ApiKey>(ApiKey, {})
export const sessionToWire = makeToWire<SessionRow & { readonly isCurrent: boolean }, typeof SessionView>(
  SessionView,
  {},
)
