import type { Tx } from '#platform/db/database.ts'
import type { OpenReport } from '../open-reports.ts'

/**
 * Tries again what a report says has failed, if this server does such things: `started` when it was or will be tried,
 * `not_retryable` when somebody else has to. It only has it done, with `tx`; what comes of it becomes known later, by the
 * report.
 */
export type RetryReport = (tx: Tx, report: OpenReport) => Promise<'started' | 'not_retryable'>

/** Nothing of our own fails into reports yet. */
export const retryNothing: RetryReport = async () => 'not_retryable'
