import type { Logger } from 'pino'
import { Type } from 'typebox'
import type { Passwords } from '#platform/auth/passwords.ts'
import { hashKey } from '#platform/auth/random-keys.ts'
import { minuteMs } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { orNotFound, ruleBroken, tooManyRequests } from '#platform/errors.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { revokeAll } from './credential-store.ts'
import { countLinks, deleteLinksOf, findLinkOwner, useLink } from './password-link-store.ts'
import type { SaveUser } from './save-user.ts'
import { makeSendLink, type LinkMail, type SendLink } from './send-link.ts'
import { countOf, maxFailures, type Throttle } from './throttle.ts'
import { foldName, loginNamesOf } from './user.ts'
import { findByEmail, lockUser } from './user-store.ts'

export interface PasswordLinksDeps extends Pick<SliceDeps, 'db' | 'clock'> {
  readonly log: Logger
  readonly passwords: Passwords
  readonly throttle: Throttle
  readonly saveUser: SaveUser
  readonly linkMail?: LinkMail | undefined
}

/** So many letters about a reset in a quarter of an hour; what was sent stays good, so whoever asks for more locks nobody out. */
const maxLetters = 3

/** The person and where the console begins: a process that works may not know the address of the one that was asked. 0: nobody. */
const ResetJob = Type.Object({ user: Type.Integer({ minimum: 0 }), base: Type.String() })

const linkInvalid = () => ruleBroken('link_invalid', 'This link is not good, or not any more. Ask for a new one.')

/**
 * Links by e-mail with which somebody sets a password without the present one. Only the hash of a link's token is kept, and the
 * letter is sealed until it is sent.
 */
export const makePasswordLinks = (deps: PasswordLinksDeps) => {
  const { db, clock, log, passwords, throttle, saveUser, linkMail } = deps
  const consoleUrl = (): string => linkMail?.pages.consoleUrl() ?? ''
  const send = makeSendLink(deps)
  const resets = defineResets(deps, send)

  return {
    /**
     * Sends a link to whoever has this e-mail and may log in. Whether there is somebody shows neither in the answer nor in its
     * time: a job is made in any case, and does the rest.
     * @throws AppError 429 after ten from one address in a quarter of an hour.
     */
    async requestReset(email: string, address: string): Promise<void> {
      const admission = await throttle.admit(countOf.reset(address))
      if (!admission.admitted) {
        const seconds = admission.retryAfterSeconds
        throw tooManyRequests(`Too many resets were asked for. Try again in ${seconds} seconds.`, maxFailures, seconds)
      }
      const user = await findByEmail(db, foldName(email))
      await inTransaction(db, async (tx) => resets?.enqueue(tx, { user: user?.id ?? 0, base: consoleUrl() }))
    },

    /**
     * Sets the password of the link's owner, once, and ends every key, session and other link of theirs.
     * @throws AppError 400 for a link that is not good, and for a password that they may not have, which leaves the link good.
     */
    async confirm(token: string, password: string, address: string): Promise<void> {
      const tokenHash = hashKey(token)
      const owner = await findLinkOwner(db, tokenHash, clock.now())
      if (owner === undefined) throw linkInvalid()
      const passwordHash = await passwords.hash(password)
      const user = await inTransaction(db, async (tx) => {
        // The person first, as everywhere: of two at once the second finds the link used.
        const before = await lockUser(tx, owner)
        if (before?.isActive !== true || !(await useLink(tx, tokenHash, clock.now()))) throw linkInvalid()
        const changed = await saveUser.changeOwn(tx, before, { password, passwordHash })
        await revokeAll(tx, owner)
        return changed
      })
      log.info({ userId: owner, address }, 'password.set_by_link')
      const names = loginNamesOf(user)
      // Whoever got the letter logs in from here next, and must not find that strangers have used up the tries again.
      await throttle.forget(names.map(countOf.name))
      await throttle.notePlaces(names, address)
    },

    /** Sends the link with which a new user sets the first password, instead of any earlier one. @returns when it ends. */
    async invite(tx: Tx, id: number): Promise<Date> {
      const user = orNotFound(await lockUser(tx, id))
      if (!user.isActive) throw ruleBroken('user_inactive', 'A user who is not active is not invited.')
      if (user.passwordHash !== '')
        throw ruleBroken('password_already_set', 'The user has a password. Whoever has lost it asks for a reset.')
      await deleteLinksOf(tx, id)
      return send(tx, user, 'invite', consoleUrl())
    },
  }
}

export type PasswordLinks = ReturnType<typeof makePasswordLinks>

/** The job that sends the link of a reset, if there is somebody to send it to. */
const defineResets = ({ db, clock, log, linkMail }: PasswordLinksDeps, send: SendLink) =>
  linkMail?.jobs.define({
    name: 'password-reset',
    data: ResetJob,
    handler: async ({ user: id, base }) => {
      if (id === 0) return undefined
      await inTransaction(db, async (tx) => {
        const user = await lockUser(tx, id)
        if (user?.isActive !== true) return
        const since = new Date(clock.now().getTime() - 15 * minuteMs)
        if ((await countLinks(tx, id, since)) < maxLetters) await send(tx, user, 'reset', base)
        else log.warn({ userId: id }, 'password_link.enough_sent')
      })
      return undefined
    },
  })
