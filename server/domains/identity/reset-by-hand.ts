import type { Passwords } from '#platform/auth/passwords.ts'
import { newPassword } from '#platform/auth/random-keys.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { revokeAll } from './credential-store.ts'
import { makeSaveUser } from './save-user.ts'
import { countOf, makeThrottle } from './throttle.ts'
import { foldName, loginNamesOf } from './user.ts'
import { findByEmail, lockUser } from './user-store.ts'

export interface ResetByHandDeps {
  readonly db: Db
  readonly clock: Clock
  readonly passwords: Passwords
  /** That of the server, whose failed logins are forgotten. */
  readonly tokenKey: Buffer
}

type Result =
  | { readonly ok: true; readonly email: string; readonly password: string }
  | { readonly ok: false; readonly reason: 'nobody' | 'inactive' }

/** Gives a person a password that is made here, for whoever runs the installation. Ends every key, session and link of theirs. */
export const resetByHand = async (
  { db, clock, passwords, tokenKey }: ResetByHandDeps,
  email: string,
): Promise<Result> => {
  const found = await findByEmail(db, foldName(email))
  if (found === undefined) return { ok: false, reason: 'nobody' }
  const password = newPassword()
  const passwordHash = await passwords.hash(password)
  const { changeOwn } = makeSaveUser({ clock, divisionExists: async () => false })
  const user = await inTransaction(db, async (tx) => {
    const before = await lockUser(tx, found.id)
    if (before?.isActive !== true) return undefined
    await revokeAll(tx, before.id)
    return changeOwn(tx, before, { password, passwordHash })
  })
  if (user === undefined) return { ok: false, reason: 'inactive' }
  await makeThrottle({ db, clock, secret: tokenKey }).forget(loginNamesOf(user).map(countOf.name))
  return { ok: true, email: user.email, password }
}
