import { Type } from 'typebox'
import { contentHash } from '#platform/crypto/digests.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inSteps } from '#platform/db/transaction.ts'
import { Id } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { OrderFailures } from '#failures/order-failures.ts'
import type { QuotationDeps } from '../quotations/index.ts'
import type { makeByHand, Requester } from './by-hand.ts'
import { countFailed, failedIds, type FailedRange, type OrderFilters } from './list-store.ts'

const Wanted = Type.Object({
  filters: Type.Record(Type.String(), Type.Unknown()),
  by: Id,
  up_to_id: Type.Integer({ minimum: 0 }),
  asked_at: Type.String({ format: 'date-time' }),
  request_id: Type.String(),
})

export interface RetryMatchingDeps extends Pick<SliceDeps, 'db' | 'clock'>, Pick<QuotationDeps, 'findPeople'> {
  readonly jobs: Pick<Jobs, 'define'>
  readonly byHand: Pick<ReturnType<typeof makeByHand>, 'retryMany'>
  readonly failures: Pick<OrderFailures, 'lockReports' | 'retried'>
  /** More than these are left to a job. */
  readonly maxAtOnce?: number
  /** Orders of one step of the job: whoever changes error reports waits for it. */
  readonly step?: number
}

/** What a retry of many came to: `in_progress`: a job has them tried. */
export interface RetriedMatching {
  readonly count: number
  readonly status: 'dry_run' | 'done' | 'in_progress'
}

/**
 * Makes what has the failed orders tried again that fit the filters of the list. They are those that there are when it is asked for:
 * none with a higher id, and, in a job that starts again, none that was tried since. All throw AppError 400 for a filter.
 */
export const makeRetryMatching = (deps: RetryMatchingDeps) => {
  const { db, clock, jobs, byHand, failures, findPeople, maxAtOnce = 1_000, step = 1_000 } = deps

  /** Those of one step. @returns how many, and behind which id the next step begins; undefined when there is none. */
  const retrySome = async (tx: Tx, requester: Requester, filters: OrderFilters, range: FailedRange) => {
    await failures.lockReports(tx)
    const ids = await failedIds(tx, filters, range)
    const outcomes = await byHand.retryMany(tx, requester, ids)
    const queued = ids.filter((_, index) => outcomes[index] === 'queued')
    await failures.retried(tx, queued, requester.userId)
    return { count: queued.length, nextId: ids.length < range.limit ? undefined : ids.at(-1) }
  }

  const mayStill = async (tx: Tx, userId: number): Promise<boolean> => {
    const [person] = await findPeople(tx, [userId])
    return person?.isActive === true && person.isSuperuser
  }

  const job = jobs.define({
    name: 'orders.retry-matching',
    data: Wanted,
    handler: async ({ filters, by: userId, request_id: requestId, ...wanted }, { signal }) => {
      const range = { upToId: wanted.up_to_id, limit: step, notTriedSince: new Date(wanted.asked_at) }
      let afterId = 0
      await inSteps(db, signal, async (tx) => {
        if (!(await mayStill(tx, userId))) return false
        const { nextId } = await retrySome(tx, { userId, requestId }, filters, { ...range, afterId })
        afterId = nextId ?? afterId
        return nextId !== undefined
      })
      return undefined
    },
  })

  return {
    /** How many would be tried. */
    count: async (on: Db | Tx, filters: OrderFilters): Promise<RetriedMatching> => ({
      count: (await countFailed(on, filters)).count,
      status: 'dry_run',
    }),

    retry: async (tx: Tx, requester: Requester, filters: OrderFilters): Promise<RetriedMatching> => {
      const now = clock.now()
      const { count, newestId: upToId } = await countFailed(tx, filters)
      if (count <= maxAtOnce) {
        const range = { afterId: 0, upToId, limit: maxAtOnce, notTriedSince: now }
        return { count: (await retrySome(tx, requester, filters, range)).count, status: 'done' }
      }
      const { userId: by, requestId } = requester
      const wanted = { filters, by, up_to_id: upToId, asked_at: now.toISOString(), request_id: requestId }
      await job.enqueue(tx, wanted, { singletonKey: keyOf(by, filters) })
      return { count, status: 'in_progress' }
    },
  }
}
export type RetryMatching = ReturnType<typeof makeRetryMatching>

/** The same person asking the same again: one job does. Filters can be long, and keys are indexed. */
const keyOf = (by: number, filters: OrderFilters): string => contentHash(JSON.stringify([by, filters]))
