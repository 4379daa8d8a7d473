import { dayMs } from '#platform/clock.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { checkEvidence } from './delivery-evidence.ts'
import { checkEnded } from './ended-subscriptions.ts'
import { addUp, type CheckOptions, type Finding, type Swept } from './finding.ts'
import { defaultSettleMs } from './invariants.ts'
import { lastDone } from './lease.ts'
import { checkMissing, lastSettled, sliceOf } from './missing-deliveries.ts'
import { checkRedeliveries, sweep } from './stuck-deliveries.ts'
import { checkQueues } from './stuck-queues.ts'
import { firstIdOf } from '../tables/time-id.ts'
import { databaseTime } from '#platform/db/database-clock.ts'

export interface EverythingOptions extends Pick<CheckOptions, 'repair'> {
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
 * @returns one finding for each check, also for those that found nothing. When nothing is left to mend after a look at
 *   everything, the record of the periodic checker is forgotten.
 */
export const checkEverything = async (db: Db, options: EverythingOptions): Promise<readonly Finding[]> => {
  const { repair, since, eventDays, attemptDays, settleMs = defaultSettleMs } = options
  const found: Finding[] = []
  const step = <T>(work: (tx: Tx, checking: CheckOptions) => Promise<T>): Promise<T> =>
    inTransaction(db, async (tx) => work(tx, { settleMs, repair, now: new Date(await databaseTime(tx)) }))

  const upTo = await lastSettled(db, settleMs)
  const kept = firstIdOf(new Date((await databaseTime(db)) - eventDays * dayMs))
  for (let after = Math.max(kept, since === undefined ? 0 : firstIdOf(since)) - 1; after < upTo;)
    after = await step(async (tx, checking) => {
      const slice = await sliceOf(tx, { after, upTo })
      found.push(await checkMissing(tx, slice, checking), ...(await checkEvidence(tx, slice, attemptDays)))
      return slice.upTo
    })

  const toEnd = async <Position>(
    look: (tx: Tx, after: Position | null, checking: CheckOptions) => Promise<Swept<Position>>,
    after: Position | null = null,
  ): Promise<void> => {
    const { findings, position } = await step((tx, checking) => look(tx, after, checking))
    found.push(...findings)
    if (position !== null) await toEnd(look, position)
  }
  await toEnd(sweep)
  await toEnd(checkQueues)

  // One look finds so many at most.
  for (let isMore = true; isMore;) {
    const ended = await step(checkEnded)
    found.push(ended)
    isMore = ended.repaired > 0
  }
  const aliveAt = await lastDone(db, 'queue')
  found.push(await step((tx) => checkRedeliveries(tx, aliveAt)))

  const findings = addUp(found)
  const isWell = findings.every((finding) => finding.found === finding.repaired)
  if (isWell && repair && since === undefined) await sql`delete from invariant_violations`.execute(db)
  return findings
}
