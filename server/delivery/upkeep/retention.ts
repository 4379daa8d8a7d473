import { dayMs, hourMs } from '#platform/clock.ts'
import type { Logger } from 'pino'
import type { Service } from '#platform/supervisor.ts'
import { makeLoop } from '#platform/loop.ts'
import { deleteOldRows, dropPart, isNeeded, partsBefore, weeksBefore, type Part, type Week } from './old-weeks.ts'
import { firstIdOf } from '../tables/time-id.ts'
import { underLease, type Step } from './lease.ts'
import type { UpkeepOptions } from './upkeep-gauges.ts'

/** Attempts are kept no longer than their deliveries. */
export type RetentionDeps = Omit<UpkeepOptions, 'clock'>

/**
 * Once an hour, in whichever process comes first, drops the weeks that lie wholly before the retention time. A week in
 * which something waits stays, with its events. A wrong clock must not be enough to drop anything: when much more time
 * seems to have passed since the last run than a server is usually off, nothing is dropped for a day.
 */
export const makeRetention = (deps: RetentionDeps): Service => {
  const told: Told = new Map()
  return makeLoop({
    name: 'retention',
    everyMs: hourMs,
    log: deps.log,
    run: (signal) => dropOldWeeks(deps, signal, told),
  })
}

/** One run, if it is due. @param told what this process has said before. */
export const dropOldWeeks = async (deps: RetentionDeps, signal: AbortSignal, told: Told = new Map()): Promise<void> => {
  const { db, log, metrics, eventDays } = deps
  const attemptDays = Math.min(deps.attemptDays, eventDays)
  const now = await nowIfSure(deps, attemptDays)
  if (now === undefined) return
  const before = { events: daysBefore(now, eventDays), attempts: daysBefore(now, attemptDays) }

  const dropped: string[] = []
  for (const part of await partsBefore(db, 'attempts', firstIdOf(before.attempts)))
    dropped.push(...(await dropInOrder(deps, [part], signal)))
  let kept = 0
  for (const week of await weeksBefore(db, firstIdOf(before.events))) {
    if (await isNeeded(db, week)) {
      kept += 1
      tellOnceADay(log, week, now, told)
    } else dropped.push(...(await dropInOrder(deps, week.parts, signal)))
  }
  const deleted = await deleteOldRows(db, before, signal)
  if (dropped.length + deleted > 0) log.info({ dropped, deleted }, 'retention.done')
  metrics.kept(kept)
}

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * dayMs)

/**
 * The database's time, when this process has the lease and the time can be believed: at most half of the shortest
 * retention has passed since the last run, so what is dropped is at least half as old as it should be.
 */
const nowIfSure = async ({ db, log }: RetentionDeps, attemptDays: number): Promise<Date | undefined> => {
  const step = await underLease<null, Step<null> & { now: Date | undefined }>(
    db,
    { job: 'retention', maxMs: dayMs },
    async (_tx, { now, doneAt }) => {
      const isSure = doneAt !== null && now.getTime() - doneAt.getTime() <= (attemptDays * dayMs) / 2
      // A new database has nothing to drop, and nothing to report.
      if (!isSure && doneAt !== null) log.info({ lastRunAt: doneAt }, 'retention.postponed')
      return { position: null, nextInMs: isSure ? hourMs * 0.9 : dayMs, now: isSure ? now : undefined }
    },
  )
  return step?.now
}

/** @returns the names of what was dropped; it ends where something could not be. */
const dropInOrder = async (
  { db, log }: RetentionDeps,
  parts: readonly Part[],
  signal: AbortSignal,
): Promise<string[]> => {
  const dropped: string[] = []
  for (const part of parts) {
    try {
      if (signal.aborted || !(await dropPart(db, part))) break
      dropped.push(part.name)
    } catch (error) {
      // Somebody holds the table; there is an hour until the next try.
      log.warn({ err: error, partition: part.name }, 'retention.not_dropped')
      break
    }
  }
  return dropped
}

/** When each kept week was last spoken of, by its first id. */
type Told = Map<number, Date>

const tellOnceADay = (log: Logger, { low, parts }: Week, now: Date, told: Told): void => {
  const last = told.get(low)
  if (last !== undefined && now.getTime() - last.getTime() < dayMs) return
  told.set(low, now)
  log.warn({ partitions: parts.map(({ name }) => name) }, 'retention.kept')
}
