import type { Logger } from 'pino'
import type { Passwords } from '#platform/auth/passwords.ts'
import { insertAuditEntry, type AuditEntry } from '#platform/audit/audit-store.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { invalidField } from '#platform/errors.ts'
import { tooManyFailures, type Throttle } from './throttle.ts'
import { foldName, type User } from './user.ts'
import { findByLoginName } from './user-store.ts'

export type LoginResult =
  | { readonly ok: true; readonly user: User }
  /** Nobody of that name, a wrong password and an inactive person look the same. */
  | { readonly ok: false; readonly reason: 'credentials' }
  | { readonly ok: false; readonly reason: 'throttled'; readonly retryAfterSeconds: number }

/**
 * Checks a name (e-mail or user name, ASCII case does not matter) and a password, sent from an
 * address. Throttled per address, and per typed name: where somebody has logged in under the name, apart from elsewhere.
 * Every answer that is not `throttled` took one
 * password check, whether or not there is such a person (contract, section 2).
 */
export type VerifyLogin = (username: string, password: string, address: string) => Promise<LoginResult>

interface LoginDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  readonly passwords: Passwords
  readonly throttle: Throttle
}

export const makeVerifyLogin =
  ({ db, clock, log, passwords, throttle }: LoginDeps): VerifyLogin =>
  async (username, password, address) => {
    const tell = (entry: LoginEntry) => insertAuditEntry(db, loginEntry(entry, address, clock.now()))
    const name = foldName(username)
    const user = await findByLoginName(db, name)
    // By typed name, not by person: a count that an e-mail and a user name share would tell anybody that they are
    // one person's. The two make twice as many guesses, and nobody has a third.
    const admission = await throttle.admitLogin(name, address)
    if (!admission.admitted) {
      log.warn({ userId: user?.id, address }, 'login.throttled')
      return { ok: false, reason: 'throttled', retryAfterSeconds: admission.retryAfterSeconds }
    }
    // Outside any transaction: a check takes some 30 ms, and the embedded database has one connection.
    const matches = await passwords.matches(user?.passwordHash, password)
    if (!matches || user === undefined || !user.isActive) {
      // Never what was typed: it may be a password.
      log.warn({ userId: user?.id, address }, 'login.failed')
      await tell({ user, isGood: false })
      return { ok: false, reason: 'credentials' }
    }
    await admission.succeeded()
    log.info({ userId: user.id, address }, 'login.succeeded')
    await tell({ user, isGood: true })
    return { ok: true, user }
  }

interface LoginEntry {
  readonly user: User | undefined
  readonly isGood: boolean
}

/** What the audit says of a login. What is throttled is left out: that is what an attack would fill it with. */
const loginEntry = ({ user, isGood }: LoginEntry, address: string, now: Date): AuditEntry => ({
  // Whoever fails may be anybody.
  userId: isGood && user !== undefined ? user.id : null,
  surface: 'login',
  action: isGood ? 'login' : 'loginFailed',
  objectType: 'users',
  objectId: user === undefined ? null : String(user.id),
  before: null,
  after: { address },
  requestId: null,
  createdAt: now,
})

/** One text for every failed login, whatever was wrong (contract, section 2). */
export const wrongCredentials = () =>
  invalidField('non_field_errors', 'Unable to log in with the given user name and password.')

/** As `VerifyLogin`. @returns the person. @throws AppError 400, or 429 after too many failures. */
export const makeLogIn =
  (verifyLogin: VerifyLogin) =>
  async (username: string, password: string, address: string): Promise<User> => {
    const result = await verifyLogin(username, password, address)
    if (result.ok) return result.user
    throw result.reason === 'throttled' ? tooManyFailures(result.retryAfterSeconds) : wrongCredentials()
  }

export type LogIn = ReturnType<typeof makeLogIn>
