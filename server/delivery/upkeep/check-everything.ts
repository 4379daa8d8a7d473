import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { checkEvidence } from './delivery-evidence.ts'
import { checkEnded } from './ended-subscriptions.ts'
import { addUp, type Finding } from './finding.ts'
import { defaultSettleMs } from './invariants.ts'
import { checkMissing, lastSettled, sliceOf } from './missing-deliveries.ts'
import { checkRedeliveries, sweep, type Swept, type SweepPosition } from './stuck-deliveries.ts'
import { firstIdOf } from '../tables/time-id.ts'
import { lastDone } from './lease.ts'
import { forgetViolations } from './violations.ts'

export interface EverythingOptions {
  /** Mends what can be mended; otherwise only looks. */
  readonly repair: boolean
  /** Events before this are left out. Everything that waits is looked at in any case. */
  readonly since?: Date | undefined
  /** Days that events, and attempts, are kept: before that, records may be missing rightly. */
  readonly eventDays: number
  readonly attemptDays: number
  /** See `lastSettled`. */
  readonly settleMs?: number
}

/**
 * Checks everything that is kept, a slice at a time, beside a server that is running.
 * @returns one finding for each check, also for those that found nothing. When everything has been looked
 *   at and nothing is left to mend, what the periodic checker recorded is forgotten.
 */
export const checkEverything = async (db: Db, options: EverythingOptions): Promise<readonly Finding[]> => {
  const findings = addUp([...(await checkAllEvents(db, options)), ...(await checkAllWaiting(db, options))])
  const isWell = findings.every(({ found, repaired }) => found === repaired)
  if (isWell && options.repair && options.since === undefined) await forgetViolations(db)
  return findings
}

const checkAllEvents = async (db: Db, options: EverythingOptions): Promise<Finding[]> => {
  const { repair, attemptDays, settleMs = defaultSettleMs } = options
  const all: Finding[] = []
  const upTo = await lastSettled(db, settleMs)
  for (let after = await firstKept(db, options); after < upTo;) {
    const { findings, slice } = await inTransaction(db, async (tx) => {
      const next = await sliceOf(tx, { after, upTo })
      const missing = await checkMissing(tx, next, { settleMs, now: await databaseNow(tx), repair })
      return { slice: next, findings: [missing, ...(await checkEvidence(tx, next, attemptDays))] }
    })
    all.push(...findings)
    after = slice.upTo
  }
  return all
}

const checkAllWaiting = async (db: Db, options: EverythingOptions): Promise<Finding[]> => {
  const { repair, settleMs = defaultSettleMs } = options
  const all: Finding[] = []
  let position: SweepPosition = null
  do {
    const after = position
    const swept: Swept = await inTransaction(db, async (tx) => sweep(tx, after, { now: await databaseNow(tx), repair }))
    all.push(...swept.findings)
    position = swept.position
  } while (position !== null)

  // One look finds so many at most.
  for (let isMore = true; isMore;) {
    const ended = await inTransaction(db, (tx) => checkEnded(tx, { settleMs, repair }))
    all.push(ended)
    isMore = ended.repaired > 0
  }
  const aliveAt = await lastDone(db, 'queue')
  all.push(await inTransaction(db, (tx) => checkRedeliveries(tx, aliveAt)))
  return all
}

const databaseNow = async (tx: Tx): Promise<Date> => {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx)
  if (rows[0] === undefined) throw new Error('The database did not tell the time.')
  return rows[0].now
}

/** The id before that of the first event to look at. */
const firstKept = async (db: Db, { since, eventDays }: EverythingOptions): Promise<number> => {
  const { rows } = await sql<{ first: number }>`
    select time_id_floor(clock_timestamp() - make_interval(days => ${eventDays})) as first`.execute(db)
  return Math.max(rows[0]?.first ?? 0, since === undefined ? -Infinity : firstIdOf(since)) - 1
}
