import { isReportable, type AttemptResult } from '#delivery/queue/finish.ts'
import { makeLoop } from '#platform/loop.ts'
import type { Logger } from 'pino'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { readFailures, type FailedDelivery } from './failed-deliveries-store.ts'
import type { FailedSubject } from './subjects.ts'
import { failureText } from './failure-text.ts'
import type { OwnFailure, OwnFailures } from './own-failure.ts'
import { hasResults, postponeResults, takeResults, type DeliveryResult } from './unreported-store.ts'

export interface ReportResultsDeps extends Pick<SliceDeps, 'db' | 'clock'> {
  readonly log: Logger
  /** Target URLs by subscription, without those that cannot be read. */
  readonly urlsOf: (tx: Tx, subscriptionIds: readonly number[]) => Promise<ReadonlyMap<number, string>>
  readonly subjectOf: (tx: Tx, delivery: FailedDelivery) => Promise<FailedSubject>
  readonly ownFailures: Pick<OwnFailures, 'report' | 'resolve'>
}

/** How often results that other processes wrote are looked for. With nothing to do, a look is one small query. */
const lookEveryMs = 1_000

/**
 * Makes reports of deliveries that failed for good, and resolves those of what arrived after all, in processes that
 * work: at once for what this process wrote, and a second later for what others did.
 */
export const makeFailureReporter = (deps: ReportResultsDeps) => {
  const { db, clock, log } = deps
  const reportResults = makeReportResults(deps)
  const loop = makeLoop({
    name: 'failure reports',
    everyMs: lookEveryMs,
    log,
    run: async (signal) => {
      if (await hasResults(db, clock.now())) await reportResults(signal)
    },
  })
  return {
    ...loop,
    /** Call with the attempts that this process has written: what has to be reported of them is reported at once. */
    notice: (written: readonly AttemptResult[]): void => {
      if (written.some(isReportable)) loop.kick()
    },
  }
}

/** Results reported in one transaction. */
const maxAtOnce = 100

/**
 * Makes the function that reports results until none is left or the signal is aborted: failures become reports, successes
 * resolve them. Results are taken and reported in one transaction, so each is reported exactly once, whatever dies.
 *
 * What cannot be reported must not keep the others waiting. When a batch fails, its results are reported one by one, and the
 * one that fails again is postponed. When none of them can be reported it is not their fault, and the function returns.
 * @throws what the database throws when it cannot even postpone one.
 */
export const makeReportResults = (deps: ReportResultsDeps) => {
  const { db, clock, log } = deps

  /** @returns whether there was anything to report. */
  const reportSome = (limit: number, onTaken?: (taken: readonly DeliveryResult[]) => void): Promise<boolean> =>
    inTransaction(db, async (tx) => {
      const taken = await takeResults(tx, limit, clock.now())
      onTaken?.(taken)
      const { delivered = [], failed = [] } = Object.groupBy(taken, ({ status }) => status)
      await deps.ownFailures.report(tx, await failuresOf(deps, tx, failed))
      await deps.ownFailures.resolve(
        tx,
        delivered.map(({ deliveryId }) => ({ source: 'delivery', actionObjectId: deliveryId })),
      )
      return taken.length > 0
    })

  /** @returns whether one was reported; undefined when there is none. */
  const reportOne = async (): Promise<boolean | undefined> => {
    let deliveryId: number | undefined
    try {
      return (await reportSome(1, ([result]) => (deliveryId = result?.deliveryId))) || undefined
    } catch (error) {
      if (deliveryId === undefined) throw error
      const id = deliveryId
      const tried = await inTransaction(db, (tx) => postponeResults(tx, id, clock.now()))
      log.error({ err: error, delivery: id, tried }, 'failures.not_reported')
      return false
    }
  }

  /** Reports one by one the results of a batch that failed. @returns whether to go on: some could be reported. */
  const reportApart = async (signal: AbortSignal): Promise<boolean> => {
    let reported = 0
    for (let count = 0; count < maxAtOnce && !signal.aborted; count++) {
      const outcome = await reportOne()
      if (outcome === undefined) return false
      reported += Number(outcome)
    }
    return reported > 0
  }

  return async (signal: AbortSignal): Promise<void> => {
    let more = true
    while (more && !signal.aborted) {
      try {
        more = await reportSome(maxAtOnce)
      } catch (error) {
        log.warn({ err: error }, 'failures.batch_failed')
        more = await reportApart(signal)
      }
    }
  }
}

/** Without deliveries that are not kept any more: there is nothing to be said of them, or done about them. */
const failuresOf = async (
  { urlsOf, subjectOf }: ReportResultsDeps,
  tx: Tx,
  failed: readonly DeliveryResult[],
): Promise<OwnFailure[]> => {
  const known = await readFailures(
    tx,
    failed.map(({ deliveryId }) => deliveryId),
  )
  if (known.length === 0) return []
  const urls = await urlsOf(tx, [...new Set(known.map(({ subscriptionId }) => subscriptionId))])
  const byId = new Map(known.map((delivery) => [delivery.id, delivery]))
  const failures: OwnFailure[] = []
  for (const { deliveryId, endedAt } of failed) {
    const delivery = byId.get(deliveryId)
    if (delivery === undefined) continue
    const { what, isConfidential, ...subject } = await subjectOf(tx, delivery)
    const text = failureText(delivery, { what, isConfidential }, urls.get(delivery.subscriptionId))
    failures.push({ source: 'delivery', actionObjectId: deliveryId, ...subject, ...text, at: endedAt })
  }
  return failures
}
