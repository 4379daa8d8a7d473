import type { Logger } from 'pino'
import { dayMs, hourMs, type Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inSteps } from '#platform/db/transaction.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { makeLoop } from '#platform/loop.ts'
import type { Service } from '#platform/supervisor.ts'
import { removeOldDays, removeOldGroups } from '../groups/index.ts'
import { lockReports, removeEnded, waysToEnd, type WayToEnd } from '../reports/index.ts'
import { databaseTime } from '#platform/db/database-clock.ts'

export interface RetentionDeps extends Pick<SliceDeps, 'db' | 'clock'> {
  readonly log: Logger
  /** Days that a report is kept after it ended, by how it did. */
  readonly keepDays: Readonly<Record<WayToEnd, number>>
  /** Removed in one transaction: creations wait for it. */
  readonly step?: number
}

/** Keeps error reports from growing for ever; for processes that work. */
export const makeRetention = (deps: RetentionDeps): Service =>
  makeLoop({
    name: 'error-report-retention',
    everyMs: hourMs,
    log: deps.log,
    run: (signal) => removeOld(deps, signal),
  })

/**
 * Removes what was kept long enough: reports that ended, then groups that are resolved and have none any more. Each step
 * is a transaction of its own, so one that dies in the middle leaves nothing half done, and the next run goes on. Any
 * number of processes may do it at once: they take turns.
 * @param signal ends it between two steps.
 */
export const removeOld = async (
  { db, clock, log, keepDays, step = 1_000 }: RetentionDeps,
  signal: AbortSignal,
): Promise<void> => {
  const now = await agreedTime(db, clock)
  const before = (days: number): Date => new Date(now.getTime() - days * dayMs)
  const repeat = async (some: (tx: Tx) => Promise<number>): Promise<number> => {
    let removed = 0
    if (!signal.aborted)
      await inSteps(db, signal, async (tx) => {
        const last = await some(tx)
        removed += last
        return last === step && !signal.aborted
      })
    return removed
  }

  let reports = 0
  for (const way of waysToEnd)
    reports += await repeat((tx) => removeEnded(tx, { way, before: before(keepDays[way]), limit: step }))
  const groups = await repeat(async (tx) => {
    await lockReports(tx)
    return removeOldGroups(tx, { before: before(keepDays.resolved), limit: step })
  })
  await repeat((tx) => removeOldDays(tx, { now, limit: step }))
  if (reports + groups > 0) log.info({ reports, groups }, 'error_report_retention.done')
}

/** The earlier of our time and the database's: what is removed is gone, and one wrong clock must not be enough for that. */
const agreedTime = async (db: Db, clock: Clock): Promise<Date> =>
  new Date(Math.min(clock.now().getTime(), await databaseTime(db)))
