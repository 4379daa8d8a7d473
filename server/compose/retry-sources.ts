import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { Receiver } from '#delivery/redelivery/retry-delivery.ts'
import type { Requeued } from '#domains/b2b/index.ts'
import type { FailureSource, RetryOutcome, RetryReports } from '#domains/error-reports/index.ts'
import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'

/** Has the actions of these ids tried again. @returns what became of each, in their order. */
export type RetrySource = (tx: Tx, actionObjectIds: readonly number[]) => Promise<readonly RetryOutcome[]>

/** What of our own can be tried again, by what knows how. Sources that are not named can not. */
export type RetrySources = Readonly<Partial<Record<FailureSource, RetrySource>>>

/** Makes the function that has reports tried again, each by its source. */
export const makeRetryReports =
  (sources: RetrySources): RetryReports =>
  async (tx, reports) => {
    const outcomes = new Map<number, RetryOutcome>()
    for (const [source, retry] of Object.entries(sources)) {
      const those = reports.filter((report) => report.source === source)
      if (those.length === 0) continue
      const tried = await retry(
        tx,
        those.map(({ actionObjectId }) => actionObjectId),
      )
      for (const [index, { id }] of those.entries()) outcomes.set(id, tried[index] ?? 'gone')
    }
    return reports.map(({ id }) => outcomes.get(id) ?? 'foreign')
  }

const outcomeOf = {
  queued: 'started',
  due: 'started',
  under_way: 'started',
  delivered: 'done',
  gone: 'gone',
  off: 'off',
} as const satisfies Record<string, RetryOutcome>

export interface RetryDeliveriesDeps {
  readonly clock: Clock
  readonly redeliveries: Pick<Redeliveries, 'retryMany'>
  /** Whether data waits for a target that is switched off, as it does where the engine has switched off that of a flow. */
  readonly mayWait: (receiver: Receiver) => boolean
}

/** Deliveries, those of flows too. */
export const retryDeliveries =
  ({ clock, redeliveries, mayWait }: RetryDeliveriesDeps): RetrySource =>
  async (tx, ids) =>
    (await redeliveries.retryMany(tx, ids, { mayWait }, clock.now())).map((outcome) => outcomeOf[outcome])

const outcomeOfOrder = {
  queued: 'started',
  pending: 'started',
  created: 'done',
} as const satisfies Record<NonNullable<Requeued>, RetryOutcome>

/** Orders of quotations. @param retryMany has those tried again that failed. */
export const retryOrders =
  (retryMany: (tx: Tx, ids: readonly number[]) => Promise<readonly Requeued[]>): RetrySource =>
  async (tx, ids) =>
    (await retryMany(tx, ids)).map((outcome) => (outcome === undefined ? 'gone' : outcomeOfOrder[outcome]))
