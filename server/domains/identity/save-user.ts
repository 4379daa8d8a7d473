import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound, ruleBroken } from '#platform/errors.ts'
import { revokeAll } from './credential-store.ts'
import { deleteLinksOf } from './password-link-store.ts'
import { checkSettings, foldName, isBackOffice, type User, type UserSettings } from './user.ts'
import { insertUser, lockSuperusers, lockUser, replaceLoginNames, updateUser } from './user-store.ts'
import { collectProblems } from '#platform/problems.ts'

/** Whether buyers can be put into this division. Divisions are another domain's. */
export type DivisionExists = (tx: Tx, id: number) => Promise<boolean>

/** Told that a person is no longer active staff, in the transaction that makes it so. Other domains end there what only staff may have. */
export type OnAccessLost = (tx: Tx, userId: number) => Promise<void>

export interface SaveUserDeps {
  readonly clock: Clock
  readonly divisionExists: DivisionExists
  readonly onAccessLost?: OnAccessLost
}

/** A request's fields, with the password hashed before the transaction began. */
export type NewSettings = UserSettings & { readonly passwordHash: string }
export type SettingsChange = Partial<UserSettings & { readonly passwordHash: string }>

/** Making and changing people (contract, section 11: People). */
export const makeSaveUser = ({ clock, divisionExists, onAccessLost = async () => undefined }: SaveUserDeps) => {
  const checkDivision = async (tx: Tx, division: number | null): Promise<void> => {
    if (division === null || (await divisionExists(tx, division))) return
    throw invalidField('division', 'There is no such division.')
  }

  /** Ends what a change of the person leaves no room for. */
  const endAccess = async (tx: Tx, before: User, after: User): Promise<void> => {
    const hasNewPassword = before.passwordHash !== after.passwordHash
    if (hasNewPassword || (before.isActive && !after.isActive)) await revokeAll(tx, after.id)
    // Links that went to another address are not the person's any more.
    if (before.email !== after.email) await deleteLinksOf(tx, after.id)
    if (isBackOffice(before) && !isBackOffice(after)) await onAccessLost(tx, after.id)
  }

  return {
    /** Sets what people may set of themselves. Ends nothing: the caller says what a new password ends. */
    async changeOwn(tx: Tx, before: User, { password, ...changes }: SettingsChange): Promise<User> {
      checkSettings({ ...before, ...changes, password })
      return updateUser(tx, before.id, { ...changes, modifiedAt: clock.now() })
    },

    /** @throws AppError 400 that names the wrong fields, also when a login name is taken. */
    async create(tx: Tx, settings: NewSettings): Promise<User> {
      checkSettings(settings)
      await checkDivision(tx, settings.division)
      const now = clock.now()
      const { password: _password, ...columns } = settings
      const user = await insertUser(tx, { ...columns, username: usernameOf(settings), createdAt: now, modifiedAt: now })
      refuseTaken(user, await replaceLoginNames(tx, user))
      return user
    },

    /**
     * Sets some fields. Deactivation and a new password end every key and session of the person; with the
     * rights of active staff goes what other domains tied to them.
     * @throws AppError 404; 400 for wrong fields, and when no active superuser would be left.
     */
    async change(tx: Tx, id: number, { password, ...changes }: SettingsChange): Promise<User> {
      // Before the person, and only where needed: two demotions at once wait here for each other.
      const superusers = changes.isSuperuser === false || changes.isActive === false ? await lockSuperusers(tx) : []
      const before = orNotFound(await lockUser(tx, id))
      const wanted = { ...before, ...changes }
      checkSettings({ ...wanted, password })
      if (superusers.length === 1 && superusers[0] === id && !(wanted.isSuperuser && wanted.isActive)) {
        throw ruleBroken('last_superuser', 'The last active superuser can be neither demoted nor deactivated.')
      }
      if (wanted.division !== before.division) await checkDivision(tx, wanted.division)

      const user = await updateUser(tx, id, { ...changes, username: usernameOf(wanted), modifiedAt: clock.now() })
      refuseTaken(user, await replaceLoginNames(tx, user))
      await endAccess(tx, before, user)
      return user
    },
  }
}

export type SaveUser = ReturnType<typeof makeSaveUser>

/** A user name that is the e-mail is none, so that it follows when the e-mail changes. */
const usernameOf = ({ email, username }: Pick<User, 'email' | 'username'>): string | null =>
  username !== null && foldName(username) === foldName(email) ? null : username

const refuseTaken = ({ email, username }: User, taken: readonly string[]): void => {
  const problems = collectProblems()
  if (taken.includes(foldName(email))) problems.add('email', 'Another user has this e-mail.')
  if (username !== null && taken.includes(foldName(username)))
    problems.add('username', 'Another user has this user name.')
  problems.throwIfAny()
}
