import type { Tx } from '#platform/db/database.ts'
import type { OpenReport } from '../open-reports.ts'

/**
 * `started`: it was tried, or will be. Otherwise why nobody here can try it: `foreign`, it is not ours to do; `done`, it has
 * worked since; `gone`, there is nothing left to send or nobody to send it to; `off`, whom it would be sent to is switched off.
 */
export type RetryOutcome = 'started' | 'foreign' | 'done' | 'gone' | 'off'

/**
 * Has tried again what reports say has failed, where it is something of our own. It only has it done, with `tx`; what
 * comes of it becomes known later, by the report.
 * @returns what became of each, in their order.
 */
export type RetryReports = (tx: Tx, reports: readonly OpenReport[]) => Promise<readonly RetryOutcome[]>
