import { Type } from 'typebox'
import { makeToWire } from '#platform/http/record-shape.ts'
import { Id, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { mailPurposes, mailStatuses, type StoredMail } from '#platform/mail/mail-store.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { mailLocales } from '#platform/mail/reader.ts'

/** A message in a list. */
export const ListedMail = Type.Object(
  {
    id: Id,
    to: Type.String({ examples: ['buyer@example.com'] }),
    purpose: OneOf(mailPurposes),
    locale: OneOf(mailLocales),
    subject: Type.String(),
    text: Nullable(Type.String()),
    status: OneOf(mailStatuses),
    attempts: Type.Integer({ minimum: 0 }),
    error: Nullable(Type.String()),
    created_at: Timestamp,
    sent_at: Nullable(Timestamp),
  },
  { title: 'ListedMail', description: 'A message to a person, in a list.' },
)

export const MailView = Type.Object(
  { ...ListedMail.properties, html: Nullable(Type.String()) },
  { title: 'Mail', description: 'A message to a person.' },
)

/** A message without its HTML, which lists leave out (it is many times as long as what it says), and what only sending needs. */
export type ListedRow = Omit<StoredMail, 'html' | 'round' | 'messageId'>

/**
 * Makes what shows messages. One that lets its reader in is shown only where there is no mail server: then whoever runs the
 * installation is the only one who can hand it on.
 */
export const makeShow = ({ open, isConfigured }: Pick<Mailer, 'open' | 'isConfigured'>) => {
  const secretOf = ({ sealed }: ListedRow) => (sealed === null || isConfigured ? undefined : open(sealed))
  const text = (mail: ListedRow) => mail.text ?? secretOf(mail)?.text ?? null
  const html = (mail: StoredMail) => mail.html ?? secretOf(mail)?.html ?? null
  return {
    listed: makeToWire<ListedRow, typeof ListedMail>(ListedMail, { to: 'toAddress', text }),
    whole: makeToWire<StoredMail, typeof MailView>(MailView, { to: 'toAddress', text, html }),
  }
}
