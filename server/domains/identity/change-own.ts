import type { Passwords } from '#platform/auth/passwords.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { invalidField, notAuthenticated, tooManyRequests } from '#platform/errors.ts'
import type { Caller } from './authenticate.ts'
import { revokeLogins } from './credential-store.ts'
import type { SaveUser } from './save-user.ts'
import { countOf, maxFailures, type Throttle } from './throttle.ts'
import type { User, UserSettings } from './user.ts'
import { lockUser } from './user-store.ts'

interface ChangeOwnDeps {
  readonly db: Db
  readonly passwords: Passwords
  readonly throttle: Throttle
  readonly saveUser: SaveUser
}

/** What people may change of themselves. */
export type OwnChanges = Partial<Pick<UserSettings, 'firstName' | 'lastName' | 'locale' | 'timeZone'>>
export interface NewSecret {
  readonly password?: string | undefined
  readonly currentPassword?: string | undefined
}

/**
 * Changes somebody's own account. A new password needs the present one and ends every other login of theirs; API keys stay,
 * because programs hold them.
 * @param caller as read for this request alone: a credential that was revoked since then changes nothing.
 * @throws AppError 400 for wrong fields and a wrong password; 429 after ten wrong ones; 401 when the caller was revoked meanwhile.
 */
export const makeChangeOwn =
  ({ db, passwords, throttle, saveUser }: ChangeOwnDeps) =>
  async (
    { user, credential }: Caller,
    changes: OwnChanges,
    { password, currentPassword }: NewSecret,
  ): Promise<User> => {
    if (password === undefined && currentPassword !== undefined)
      throw invalidField('password', 'Send the new password beside the present one.')
    if (password !== undefined) await checkPassword(user, currentPassword, { passwords, throttle })
    // Before the transaction opens: hashing takes some 30 ms.
    const secret = password === undefined ? {} : { password, passwordHash: await passwords.hash(password) }
    return inTransaction(db, async (tx) => {
      const before = await lockUser(tx, user.id)
      // Whatever revoked credentials since the password was checked counts, as does another change of it.
      if (before?.credentialsVersion !== user.credentialsVersion || !before.isActive) throw notAuthenticated()
      const changed = await saveUser.changeOwn(tx, before, { ...changes, ...secret })
      if (password !== undefined) await revokeLogins(tx, user.id, credential)
      return changed
    })
  }

export type ChangeOwn = ReturnType<typeof makeChangeOwn>

/** Counted by person alone: only who is logged in as somebody gets here, so nobody else can use up their tries. */
const checkPassword = async (
  { id, passwordHash }: User,
  sent: string | undefined,
  { passwords, throttle }: Pick<ChangeOwnDeps, 'passwords' | 'throttle'>,
): Promise<void> => {
  if (sent === undefined) throw invalidField('current_password', 'This field is required for a new password.')
  const admission = await throttle.admit(countOf.person(id))
  if (!admission.admitted) {
    const seconds = admission.retryAfterSeconds
    throw tooManyRequests(`Too many wrong passwords. Try again in ${seconds} seconds.`, maxFailures, seconds)
  }
  if (!(await passwords.matches(passwordHash, sent)))
    throw invalidField('current_password', 'This is not the present password.')
  await admission.succeeded()
}
