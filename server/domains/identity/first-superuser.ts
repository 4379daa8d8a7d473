import type { Passwords } from '#platform/auth/passwords.ts'
import { newPassword } from '#platform/auth/random-keys.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { SaveUser } from './save-user.ts'
import { foldName, newUserDefaults } from './user.ts'
import { anyUser, findByEmail, lockFirstStart } from './user-store.ts'

/** E-mail of the first superuser when none is configured. */
const defaultEmail = 'admin@waybill.local'

interface FirstSuperuserDeps {
  readonly db: Db
  readonly passwords: Passwords
  readonly saveUser: SaveUser
  readonly config: { readonly ADMIN_EMAIL?: string | undefined; readonly ADMIN_PASSWORD?: string | undefined }
}

/**
 * Makes one superuser when there is nobody yet (contract, section 2: People). Of several processes
 * that start at once, one makes it.
 * @returns a function that answers the login when it was made by this call, to be shown once.
 */
export const makeEnsureSuperuser =
  ({ db, passwords, saveUser, config }: FirstSuperuserDeps) =>
  async (): Promise<{ email: string; password: string } | undefined> => {
    if (await anyUser(db)) return undefined
    const { ADMIN_EMAIL: email = defaultEmail, ADMIN_PASSWORD: password = newPassword() } = config
    if (foldName(password) === foldName(email)) throw new Error('ADMIN_PASSWORD must not be the ADMIN_EMAIL.')
    const passwordHash = await passwords.hash(password)
    return inTransaction(db, async (tx) => {
      await lockFirstStart(tx)
      if (await anyUser(tx)) return undefined
      await saveUser.create(tx, {
        ...newUserDefaults,
        isStaff: true,
        isSuperuser: true,
        email,
        password,
        passwordHash,
      })
      return { email, password }
    })
  }

/**
 * Whether ADMIN_PASSWORD is set and lets nobody in, because it counts at the first start alone.
 * @returns a function to be asked when there were users already.
 */
export const makeIsAdminPasswordIgnored =
  ({ db, passwords, config }: Pick<FirstSuperuserDeps, 'db' | 'passwords' | 'config'>) =>
  async (): Promise<boolean> => {
    const { ADMIN_EMAIL: email = defaultEmail, ADMIN_PASSWORD: password } = config
    if (password === undefined) return false
    const user = await findByEmail(db, foldName(email))
    return user?.isActive !== true || !(await passwords.matches(user.passwordHash, password))
  }
