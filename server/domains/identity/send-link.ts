import { newKey } from '#platform/auth/random-keys.ts'
import { dayMs, hourMs, type Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { readerOf } from '#platform/mail/reader.ts'
import { linkLetter, type LinkPurpose } from './link-letter.ts'
import { insertLink } from './password-link-store.ts'
import type { User } from './user.ts'

/** What sends links. Without it none is sent. */
export interface LinkMail {
  readonly jobs: Jobs
  readonly mailer: Pick<Mailer, 'send'>
  readonly pages: {
    /** Where the console begins. */
    readonly consoleUrl: () => string
    /** Where a password is set, below the console. */
    readonly password: (token: string, where: { readonly isBuyer: boolean; readonly console: string }) => string
  }
}

const lastsMs = { reset: hourMs, invite: 7 * dayMs }
const purposes = { reset: 'password_reset', invite: 'invitation' } as const

interface SendLinkDeps {
  readonly clock: Clock
  readonly linkMail?: LinkMail | undefined
}

/** Makes a link and hands it to the mailer, whose letter is the only place that has its token. */
export const makeSendLink =
  ({ clock, linkMail }: SendLinkDeps) =>
  async (tx: Tx, user: User, purpose: LinkPurpose, consoleUrl: string): Promise<Date> => {
    const now = clock.now()
    const expiresAt = new Date(now.getTime() + lastsMs[purpose])
    const { key: token, hash } = newKey('password')
    await insertLink(tx, { tokenHash: hash, userId: user.id, purpose, createdAt: now, expiresAt })
    if (linkMail === undefined) return expiresAt
    const reader = readerOf(user)
    const isBuyer = user.division !== null && !user.isStaff && !user.isSuperuser
    const link = linkMail.pages.password(token, { isBuyer, console: consoleUrl })
    const letter = linkLetter(reader, purpose, { expiresAt, link })
    const about = { to: user.email, purpose: purposes[purpose], locale: reader.locale }
    await linkMail.mailer.send(tx, [{ ...about, ...letter, isSecret: true }])
    return expiresAt
  }

export type SendLink = ReturnType<typeof makeSendLink>
