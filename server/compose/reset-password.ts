import { resetByHand } from '#domains/identity/index.ts'
import { argon2Passwords } from '#platform/auth/passwords.ts'
import { checkSecretKey } from '#platform/crypto/check-secret-key.ts'
import type { ServerContext } from '../server-context.ts'
import { derivedKeys } from './derived-keys.ts'

/** Gives the person with this e-mail a new password. @throws Error when SECRET_KEY is not that of the database. */
export const resetPassword = async (context: ServerContext, email: string): ReturnType<typeof resetByHand> => {
  const { db } = context.database
  const { vault, tokenKeys } = derivedKeys(context)
  await checkSecretKey(db, vault)
  return resetByHand({ db, clock: context.clock, passwords: argon2Passwords(), ...tokenKeys }, email)
}
