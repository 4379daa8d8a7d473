import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { ruleBroken } from '#platform/errors.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { findMail } from '#platform/mail/mail-store.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { ListedMail, MailView, makeShow } from './schemas.ts'
import { listMails, mailList } from './store.ts'

export interface MailRoutesDeps extends Pick<SliceDeps, 'db' | 'write' | 'baseUrl'> {
  readonly mailer: Mailer
}

/** No scope: a message may hold a link that lets in whoever has it, so a limited key would have no limits. */
const operation = operationsFor({ access: { role: 'superuser' }, audited: true })
const route = makeRouteOptions('E-mail', errorResponses)

/** Messages to people, for superusers. */
export const mailRoutes =
  ({ db, write, baseUrl, mailer }: MailRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    const show = makeShow(mailer)
    const kind = { path: '/api/v1/mails', route }
    const listed = { ...kind, record: ListedMail, toWire: show.listed }
    recordRoutes(app, { db, write, baseUrl }, listed).list(list, mailList, listMails)

    const mails = recordRoutes(app, { db, write, baseUrl }, { ...kind, record: MailView, toWire: show.whole })
    mails.get(read, (from: Db, id) => findMail(from, id))
    mails.act('send', send, undefined, async (tx: Tx, id) => {
      if (!mailer.isConfigured) throw ruleBroken('mail_not_configured', 'There is no SMTP_URL, so nothing can be sent.')
      const again = await mailer.sendAgain(tx, id)
      if (again !== undefined || (await findMail(tx, id)) === undefined) return again
      throw ruleBroken('mail_not_sendable', 'Only a message that was kept or has failed is sent again.')
    })
  }

const list = operation(
  'listMails',
  'List messages',
  'Every message to a person of the last 30 days. Without SMTP_URL they are kept, and stand here to be read. More than 10,000 are counted as 10,000.',
)
const read = operation(
  'getMail',
  'Read a message',
  'The text of a message with a link that sets a password is null where there is a mail server: it is for its reader alone.',
)
const send = operation('sendMail', 'Send a message that was kept, or has failed')
