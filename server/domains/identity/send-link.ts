import type { Logger } from 'pino'
import { newKey } from '#platform/auth/random-keys.ts'
import { dayMs, hourMs, type Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import { letter } from '#platform/mail/letter.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { insertLink } from './password-link-store.ts'
import type { User } from './user.ts'

/** What sends links. Without it none is sent. */
export interface LinkMail {
  readonly jobs: Jobs
  readonly mailer: Mailer
}

type Purpose = 'reset' | 'invite'
const lastsMs = { reset: hourMs, invite: 7 * dayMs }

interface SendLinkDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly linkMail?: LinkMail | undefined
}

/** Makes a link and hands it to the mailer, whose letter is the only place that has its token. */
export const makeSendLink =
  ({ clock, log, linkMail }: SendLinkDeps) =>
  async (tx: Tx, { id, email }: User, purpose: Purpose, base: string): Promise<Date> => {
    const now = clock.now()
    const expiresAt = new Date(now.getTime() + lastsMs[purpose])
    const { key, hash } = newKey('password')
    await insertLink(tx, { tokenHash: hash, userId: id, purpose, createdAt: now, expiresAt })
    if (linkMail?.mailer.isConfigured !== true)
      log.warn({ userId: id, purpose, why: 'SMTP_URL is not set' }, 'password_link.not_sent')
    await linkMail?.mailer.send(tx, { to: email, isSecret: true, ...linkLetter(purpose, key, { base, expiresAt }) })
    return expiresAt
  }

export type SendLink = ReturnType<typeof makeSendLink>

/** The token stands behind the `#`, which browsers send to nobody, so that it is in no log of a server or proxy. */
const linkLetter = (purpose: Purpose, token: string, { base, expiresAt }: { base: string; expiresAt: Date }) => {
  const until = `It works once, until ${expiresAt.toISOString()}.`
  const forPrograms = `For programs, the token of this link is ${token}`
  const link = `${base}/password/reset#token=${token}`
  return purpose === 'invite'
    ? {
        subject: 'Your account is ready',
        ...letter([{ lines: ['You have an account. Choose a password with this link.', until, forPrograms], link }]),
      }
    : {
        subject: 'Choose a new password',
        ...letter([
          {
            lines: [
              'Somebody, probably you, has asked for a new password of your account. Choose one with this link.',
              until,
              'Whoever did not ask for it need not do anything: the present password stays.',
              forPrograms,
            ],
            link,
          },
        ]),
      }
}
