import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { conflict, forbidden, orNotFound } from '#platform/errors.ts'
import type { RetryContext, Obstacle, RetryReports } from '#failures/retry-report.ts'
import { lockReports } from './bucket-store.ts'
import { markRetried } from './open-reports-store.ts'
import type { Report } from './report.ts'
import { findReport, holdReport } from './store.ts'

/** Why nothing can be tried, and what to do instead. */
const refusals: Readonly<Record<Exclude<Obstacle, 'forbidden'>, string>> = {
  foreign:
    'Somebody else reported this failure, and only they can try it again. PATCH the report with {"is_ok": true} when that is done.',
  done: 'It has worked since, so there is nothing to try again. PATCH the report with {"is_ok": true} if it stays open.',
  gone: 'There is nothing left to send, or nobody to send it to: what was to be sent is not kept any more, or its receiver was removed. PATCH the report with {"is_ok": true} to close it.',
  off: 'What it would be sent to is switched off, so nothing would be sent: switch the target of the report on first.',
}

const notAllowed =
  'You may not have this tried again: besides the right to change error reports that takes the right to do it where it is done by itself, such as to retry orders or hook events.'

/**
 * Makes the function that has what a report says tried again, and writes down who asked for it. What is due or under way
 * already counts as started.
 * @throws AppError 404; 403 when they may not where that is done by itself; 409 when it is resolved, or nobody here can try it.
 */
export const makeRetryReport =
  (clock: Clock, retryReports: Pick<RetryReports, 'retry'>) =>
  async (tx: Tx, id: number, context: RetryContext): Promise<Report> => {
    await lockReports(tx)
    const held = orNotFound(await holdReport(tx, id))
    if (held.isOk) throw conflict('already_resolved', 'This report is resolved, so there is nothing to try again.')
    const [outcome = 'foreign'] = await retryReports.retry(tx, [held], context)
    if (outcome === 'forbidden') throw forbidden(notAllowed)
    if (outcome !== 'started') throw conflict('not_retryable', refusals[outcome])
    await markRetried(tx, [id], { by: context.principal.userId, at: clock.now() })
    return (await findReport(tx, id)) ?? held
  }
