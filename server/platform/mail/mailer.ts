import type { Logger } from 'pino'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import { subjectLine } from './letter.ts'
import { isMailAddress, mailboxOf } from './mailbox.ts'
import { insertMails, waitAgain, type MailPurpose, type NewMail, type StoredMail } from './mail-store.ts'
import { makeOffer, type Body } from './offer.ts'
import type { MailLocale } from './reader.ts'
import { definePosting } from './post-mail.ts'

/** A message to one person. */
export interface Mail extends Body {
  readonly to: string
  readonly purpose: MailPurpose
  readonly locale: MailLocale
  readonly subject: string
  /** It holds what lets its reader in: text and HTML are encrypted while they are stored, and removed once they were sent. */
  readonly isSecret?: boolean
}

export interface Mailer {
  /** False without `SMTP_URL`: then messages are kept, to be read where they are. */
  readonly isConfigured: boolean
  /** Stores messages with the change that they report: they are sent if, and only if, `tx` commits, and until they were. */
  send(tx: Tx, mails: readonly Mail[]): Promise<void>
  /** Has a message sent that was kept or failed. @returns undefined when it was neither. */
  sendAgain(tx: Tx, id: number): Promise<StoredMail | undefined>
  /** What a secret message says. */
  open(sealed: string): Body
}

export interface MailerOptions {
  /** `SMTP_URL`. */
  readonly smtpUrl: string | undefined
  /** `MAIL_FROM`. */
  readonly from: string
  readonly db: Db
  readonly clock: Clock
  readonly vault: Pick<Vault, 'seal' | 'open'>
  readonly jobs: Jobs
  readonly log: Logger
  /** Wait before a message is offered again. */
  readonly firstDelaySeconds?: number
}

/**
 * Sends e-mail through jobs, which find the message by its id, so that what was not sent is seen, and can be sent again.
 *
 * At least once. The row and its job commit with the change; a process that dies before the server was asked leaves both to the
 * next one. One that dies after the server's yes and before that is noted has sent what still waits, so it goes out again, with the
 * same Message-ID, by which most mail programs show one. It is the side to err on: nobody can ask a server what it took.
 */
export const makeMailer = (options: MailerOptions): Mailer => {
  const { smtpUrl, from, clock, vault, log } = options
  const sender = mailboxOf(from)
  if (smtpUrl !== undefined && sender === undefined)
    throw new Error('MAIL_FROM must be an e-mail address, with or without a name.')
  const offer = smtpUrl === undefined || sender === undefined ? undefined : makeOffer(smtpUrl, sender)
  const openSealed = (sealed: string): Body => JSON.parse(vault.open(sealed)) as Body
  const posting = definePosting({ ...options, offer, openSealed })

  const stored = ({ to, purpose, locale, subject, text, html, isSecret = false }: Mail): NewMail => {
    const body: Body = { text: storable(text), html: storable(html) }
    return {
      toAddress: to,
      purpose,
      locale,
      subject: subjectLine(storable(subject)),
      ...(isSecret ? { text: null, html: null, sealed: vault.seal(JSON.stringify(body)) } : { ...body, sealed: null }),
      status: offer === undefined ? 'kept' : 'waiting',
      createdAt: clock.now(),
    }
  }

  return {
    isConfigured: offer !== undefined,
    open: openSealed,
    send: async (tx, mails) => {
      const sendable = mails.filter(({ to }) => isMailAddress(to))
      // The change that a message reports must not fail because somebody has entered nonsense.
      for (const { to } of mails) if (!isMailAddress(to)) log.warn({ to }, 'mail.not_an_address')
      if (sendable.length === 0) return
      const ids = await insertMails(tx, sendable.map(stored))
      if (offer !== undefined) for (const mail of ids) await posting.enqueue(tx, { mail, round: 1 })
    },
    sendAgain: async (tx, id) => {
      const mail = await waitAgain(tx, id)
      if (mail !== undefined) await posting.enqueue(tx, { mail: id, round: mail.round })
      return mail
    },
  }
}

/** Messages quote what comes from outside, and the database stores neither NUL nor half a character. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '')
