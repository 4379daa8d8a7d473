import type { Logger } from 'pino'
import { Type, type Static } from 'typebox'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import type { Job, JobOutcome, JobRun } from '#platform/jobs/job.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import { findMail, noteFailed, noteKept, noteRefused, noteSent, type Round } from './mail-store.ts'
import type { Body, Offer } from './offer.ts'

interface PostDeps {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly log: Logger
  readonly firstDelaySeconds?: number
  /** Undefined without a server. */
  readonly offer: Offer | undefined
  readonly openSealed: (sealed: string) => Body
}

const Handed = Type.Object({ mail: Type.Integer({ minimum: 1 }), round: Type.Integer({ minimum: 1 }) })

/** With waits that double from 10 s up to an hour: a server that is back within a day or so gets everything. */
const patience = { attempts: 36, longestDelaySeconds: 3600, timeoutSeconds: 300 }

/** Defines the job that offers a stored message to the server, and notes what came of it. */
export const definePosting = (deps: PostDeps): Job<Round> => {
  const { db, jobs, firstDelaySeconds = 10, offer } = deps
  if (offer !== undefined) defineWhole({ ...deps, offer })
  return jobs.define({
    name: 'mails',
    data: Handed,
    ...patience,
    firstDelaySeconds,
    concurrency: 4,
    handler: makePost(deps),
    onFailed: (round, { reason }) => noteFailed(db, round, reason),
  })
}

const makePost =
  ({ db, clock, log, offer, openSealed }: PostDeps) =>
  async (round: Round): Promise<JobOutcome> => {
    const mail = await findMail(db, round.mail)
    if (mail?.status !== 'waiting' || mail.round !== round.round) return undefined
    if (offer === undefined) {
      await noteKept(db, round)
      return undefined
    }
    const { toAddress: to, subject, messageId: id } = mail
    const { text, html } = mail.sealed === null ? mail : openSealed(mail.sealed)
    const refusal = await offer({ to, subject, id, text: text ?? '', html: html ?? undefined })
    if (refusal === undefined) {
      await noteSent(db, round, clock.now())
      log.debug({ mail: mail.id }, 'mail.sent')
      return undefined
    }
    const { isPermanent } = refusal
    const reason = mail.sealed === null ? refusal.reason : refusal.safeReason
    await noteRefused(db, round, reason, isPermanent)
    return refused(to, { reason, isPermanent })
  }

const refused = (to: string, { reason, isPermanent }: { reason: string; isPermanent: boolean }): JobOutcome => {
  const sentence = `A message to ${to} was not accepted: ${reason}`
  if (isPermanent) return { giveUp: sentence }
  throw new Error(sentence)
}

const Whole = Type.Object({
  to: Type.String(),
  subject: Type.String(),
  text: Type.String(),
  html: Type.Optional(Type.String()),
  /** `text` is a sealed `Body`, and there is no `html`. */
  isSealed: Type.Optional(Type.Boolean()),
})

/**
 * The job of servers before there was a table of messages, which carries the whole message. Those that they have left are sent. It
 * has a name of its own, because such a server, while it still runs, would give up what names a row.
 */
const defineWhole = ({ jobs, openSealed, offer, firstDelaySeconds = 10 }: PostDeps & { readonly offer: Offer }) =>
  jobs.define({
    name: 'mail',
    data: Whole,
    ...patience,
    firstDelaySeconds,
    handler: async ({ isSealed = false, to, subject, text, html }: Static<typeof Whole>, { id }: JobRun) => {
      const body = isSealed ? openSealed(text) : { text, html }
      const refusal = await offer({ to, subject, id, ...body })
      if (refusal === undefined) return undefined
      return refused(to, { ...refusal, reason: isSealed ? refusal.safeReason : refusal.reason })
    },
  })
