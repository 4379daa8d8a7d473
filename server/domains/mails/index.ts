import { dayMs } from '#platform/clock.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { forgetMails } from '#platform/mail/mail-store.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { mailRoutes } from './routes.ts'

export interface MailsDeps extends SliceDeps {
  readonly mailer: Mailer
}

const keptDays = 30

/** Messages to people, for whoever runs the installation. */
export const makeMails = (deps: MailsDeps) => ({
  routes: mailRoutes(deps),
  /** Forgets what was made more than 30 days ago. */
  tidy: () => forgetMails(deps.db, new Date(deps.clock.now().getTime() - keptDays * dayMs)),
})
