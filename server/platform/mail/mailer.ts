import type { SendMailOptions } from 'nodemailer'
import type { Logger } from 'pino'
import { Type, type Static } from 'typebox'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Tx } from '#platform/db/database.ts'
import type { JobOutcome, JobRun } from '#platform/jobs/job.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import { isMailAddress, mailboxOf, type Mailbox } from './mailbox.ts'
import { subjectLine } from './letter.ts'
import { smtpOptions, smtpRefusal, type SmtpRefusal } from './smtp.ts'

export interface Mail {
  /** Addresses; each gets a message of its own and sees no other. */
  readonly to: string | readonly string[]
  readonly subject: string
  readonly text: string
  /** The text as HTML. Whoever builds it has escaped what it quotes. */
  readonly html?: string | undefined
  /** It holds what lets its reader in: text and HTML are encrypted while they are stored. */
  readonly isSecret?: boolean
}

export interface Mailer {
  /** False without `SMTP_URL`: then `send` does nothing. */
  readonly isConfigured: boolean
  /** Stores a message with the change that it reports: it is sent if, and only if, `tx` commits, and until it was. */
  send(tx: Tx, mail: Mail): Promise<void>
}

export interface MailerOptions {
  /** `SMTP_URL`. */
  readonly smtpUrl: string | undefined
  /** `MAIL_FROM`. */
  readonly from: string
  readonly vault: Pick<Vault, 'seal' | 'open'>
  readonly jobs: Jobs
  readonly log: Logger
  /** Wait before a message is offered again. */
  readonly firstDelaySeconds?: number
}

const Message = Type.Object({
  to: Type.String(),
  subject: Type.String(),
  text: Type.String(),
  html: Type.Optional(Type.String()),
  /** `text` is a sealed `Letter`, and there is no `html`. */
  isSealed: Type.Optional(Type.Boolean()),
})
type Message = Static<typeof Message>
type Letter = Pick<Message, 'text' | 'html'>

/** With waits that double from 10 s up to an hour: a server that is back within a day or so gets everything. */
const attempts = 36

/**
 * Sends e-mail through jobs. At least once: when a process dies between the server's answer and the note of it, the
 * message goes out again, with the same Message-ID.
 */
export const makeMailer = ({ smtpUrl, from, vault, jobs, log, firstDelaySeconds = 10 }: MailerOptions): Mailer => {
  if (smtpUrl === undefined) return { isConfigured: false, send: async () => undefined }
  const sender = mailboxOf(from)
  if (sender === undefined) throw new Error('MAIL_FROM must be an e-mail address, with or without a name.')
  const post = makePost(smtpUrl, sender, { vault, log })
  const messages = jobs.define({
    name: 'mail',
    data: Message,
    attempts,
    firstDelaySeconds,
    longestDelaySeconds: 3600,
    concurrency: 4,
    timeoutSeconds: 300,
    handler: post,
  })

  return {
    isConfigured: true,
    send: async (tx, { to, subject, text, html, isSecret = false }) => {
      const letter: Letter = { text: storable(text), ...(html === undefined ? {} : { html: storable(html) }) }
      const stored = isSecret ? { text: vault.seal(JSON.stringify(letter)), isSealed: true } : letter
      const content = { subject: subjectLine(storable(subject)), ...stored }
      for (const address of new Set([to].flat())) {
        // The change that the message reports must not fail because somebody has entered nonsense.
        if (isMailAddress(address)) await messages.enqueue(tx, { to: address, ...content })
        else log.warn({ to: address }, 'mail.not_an_address')
      }
    },
  }
}

/** The handler: offers one message to the server. */
const makePost = (smtpUrl: string, from: Mailbox, { vault, log }: Pick<MailerOptions, 'vault' | 'log'>) => {
  const offer = makeOffer(smtpUrl)
  return async ({ to, subject, isSealed = false, ...stored }: Message, { id }: JobRun): Promise<JobOutcome> => {
    const messageId = `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`
    const refusal = await offer({
      subject,
      ...(isSealed ? (JSON.parse(vault.open(stored.text)) as Letter) : stored),
      from: { ...from },
      to: { name: '', address: to },
      messageId,
      // Keeps holiday notices from being answered to it (RFC 3834, 5).
      headers: { 'auto-submitted': 'auto-generated' },
    })
    if (refusal === undefined) {
      log.debug({ messageId }, 'mail.sent')
      return undefined
    }
    const reason = `A message to ${to} was not accepted: ${refusal.reason}`
    if (refusal.isPermanent) return { giveUp: reason }
    throw new Error(reason)
  }
}

/** Offers messages to a server, each on a connection of its own. @returns why one was not accepted. */
const makeOffer = (smtpUrl: string) => {
  const open = async () => (await import('nodemailer')).createTransport(smtpOptions(smtpUrl))
  // Loaded with the first message, because many servers never send one.
  let transport: ReturnType<typeof open> | undefined
  return async (message: SendMailOptions): Promise<SmtpRefusal | undefined> => {
    transport ??= open()
    try {
      await (await transport).sendMail(message)
      return undefined
    } catch (error) {
      return smtpRefusal(error)
    }
  }
}

/** Messages quote what comes from outside, and the database stores neither NUL nor half a character. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '')
