import type { Mailbox } from './mailbox.ts'
import { smtpOptions, smtpRefusal, type SmtpRefusal } from './smtp.ts'

/** What a message says. */
export interface Body {
  readonly text: string
  readonly html: string
}

/** A message as it is sent. */
export interface Message {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string | undefined
  /** Without a domain: that of the sender is added. */
  readonly id: string
}

/** Offers a message to the server. @returns why it was not accepted. */
export type Offer = (message: Message) => Promise<SmtpRefusal | undefined>

/** Makes what offers messages to a server, each on a connection of its own. */
export const makeOffer = (smtpUrl: string, from: Mailbox): Offer => {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const open = async () => (await import('nodemailer')).createTransport(smtpOptions(smtpUrl))
  // Loaded with the first message, because many servers never send one.
  let transport: ReturnType<typeof open> | undefined
  return async ({ to, id, subject, text, html }) => {
    transport ??= open()
    try {
      await (
        await transport
      ).sendMail({
        subject,
        text,
        html,
        from: { ...from },
        to: { name: '', address: to },
        messageId: `<${id}@${domain}>`,
        // Keeps holiday notices from being answered to it (RFC 3834, 5).
        headers: { 'auto-submitted': 'auto-generated' },
      })
      return undefined
    } catch (error) {
      return smtpRefusal(error)
    }
  }
}
